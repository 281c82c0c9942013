"""The search finds what is best at the end of a game, as a solver proves it to be."""

from dataclasses import replace

import pytest
from endings import Ending, optimal, proven, text

from fugger import Action, observe
from fugger.bots import Budget, Style, think
from fugger.bots.levels import SIMULATIONS, STYLES
from fugger.bots.thinking import MAX_SIMULATIONS
from fugger.editions import ADLUNG, RODY

OWN = Budget(SIMULATIONS["banker"])
FIVE_T = "T T T T* T*"
FIVE_C = "C C C C* C*"
SMALL = replace(
    ADLUNG, name="small", goods=2, plain_cards=4, sealed_cards=1, round_end=3, opening_hand=2
)
LARGE = replace(ADLUNG, name="large", plain_cards=9)
LAST_OF_A_ROUND = Ending(
    best="(C)",
    money=(80, 80),
    hands=("M C", "C C"),
    tableaus=("C C C C", "J J J J"),
    jakob="T T T T W W W W S S S S",
    draw_pile="J J J",
    round_number=2,
    remembered=True,
)
DRAWING = Ending(
    best="+",
    money=(80, 80),
    hands=("C", ""),
    tableaus=("C C C C", "J J J J"),
    jakob="T T T T W W W W S S S S",
    draw_pile="J J J",
    starter=1,
)
KNOWING = Ending(
    best="M",
    money=(80, 87),
    hands=("M M C C C", FIVE_T),
    tableaus=("C C C", "T T W"),
    jakob="C T T W W W",
    prices=(3, 5, 3, 5, 5),
    draw_pile="W W W",
    remembered=True,
)
FALLING = Ending(
    best="T",
    money=(90, 83),
    hands=("T J", FIVE_C),
    tableaus=("J", "C C"),
    jakob="C C S S S S T",
    prices=(1, 1, 5, 4, 1),
    edition=RODY,
)
WRAPPING = Ending(
    best="W",
    money=(82, 96),
    hands=("W S", "J"),
    tableaus=("W W W W", "S"),
    jakob="S S S",
    prices=(5, 5, 8, 1, 5),
    edition=RODY,
)

ENDINGS = {
    "ends the round, which wins": Ending(
        best="C",
        money=(80, 85),
        hands=("C T", "S J J"),
        tableaus=("C C C", "T T"),
        jakob="C W",
        prices=(3, 5, 5, 5, 5),
    ),
    "waits with a merchant, so that the other has to end the round": Ending(
        best="M",
        money=(80, 80),
        hands=("M C C C C*", FIVE_T),
        tableaus=("C C C C", "T T T T"),
        jakob="W W W W S S S S J J J J",
    ),
    "ships the good that will cost more, with four": Ending(
        best="(S)",
        money=(80, 61, 60, 60),
        hands=("S W", FIVE_T, "", ""),
        tableaus=("S S S", "T T T T", "", ""),
        prices=(5, 3, 6, 5, 5),
        shipments=("", "- T"),
        edition=LARGE,
        round_number=2,
    ),
    "ships, since that turns up the card that ends the round": LAST_OF_A_ROUND,
    "rody: plays the merchant, which does that there": LAST_OF_A_ROUND.but(best="M", edition=RODY),
    "plays the third card of a sealed good instead of a fourth": Ending(
        best="S*",
        money=(90, 81),
        hands=("S* T*", FIVE_C),
        tableaus=("", "C C"),
        jakob="C C T T T S S",
        prices=(2, 4, 5, 4, 5),
    ),
    "plays the fourth if a third would have to be cheaper": Ending(
        best="T*",
        money=(93, 81),
        hands=("S* T*", FIVE_C),
        tableaus=("", "C C"),
        jakob="C C T T T S S",
        prices=(2, 5, 5, 1, 5),
    ),
    "keeps a price from passing 9": Ending(
        best="J",
        money=(80, 80),
        hands=("W J", FIVE_C),
        tableaus=("W W", "C C"),
        jakob="C C",
        prices=(2, 5, 7, 5, 5),
    ),
    "ends the round with the good that the other has": Ending(
        best="S",
        money=(70, 85),
        hands=("W S", "J"),
        tableaus=("W W W W", "S S S S"),
        prices=(5, 5, 4, 5, 5),
    ),
    "draws, for the card turned up then wins and every play loses": DRAWING,
    "draws for even chances": DRAWING.but(draw_pile="J J C C"),
    "waits, as it remembers what the other holds": KNOWING,
    "takes half a win when it doesn't": KNOWING.but(best="C", remembered=False),
    "rody: lets a price of 1 fall": FALLING,
    "adlung: plays for that price instead": FALLING.but(best="J", money=(96, 83), edition=ADLUNG),
    "rody: lets a price go round": WRAPPING,
    "adlung: ends with the other good": WRAPPING.but(best="S", money=(95, 97), edition=ADLUNG),
    "rody: passes 100 instead of reaching it": Ending(
        best="S",
        money=(58, 100),
        hands=("W S", ""),
        tableaus=("W S S S", ""),
        jakob="W W W S",
        prices=(5, 5, 4, 4, 5),
        edition=RODY,
    ),
    "shares the win before another takes it, with three": Ending(
        best="C",
        money=(80, 91, 50),
        hands=("C W", FIVE_T, ""),
        tableaus=("C C C C", "T T T T", ""),
        prices=(2, 2, 5, 5, 5),
    ),
    "has the other's likely shipment pay little": Ending(
        best="C",
        money=(100, 90),
        hands=("C W", ""),
        tableaus=("", ""),
        jakob="C C C C W W W W",
        shipments=("", "- C"),
        draw_pile="C C* C* J",
        starter=1,
    ),
    "waits with both piles dry": Ending(
        best="M",
        money=(90, 90),
        hands=("M C", "M T"),
        tableaus=("C C", "T T M M"),
        prices=(7, 7, 5, 5, 5),
        shipments=("C C*", "T T*"),
        edition=SMALL,
    ),
}


@pytest.fixture(scope="module", params=ENDINGS)
def ending(request):
    return ENDINGS[request.param]


def test_what_is_best_is_proven(ending):
    bounds = proven(ending)
    assert {ending.best} == {str(Action(action)) for action in optimal(bounds)}, text(bounds)


SEARCHES = {
    "led": (Style(), 24_000),
    "played on": (STYLES["factor"], 1500),
    "random": (Style("random", rounds=0, guesses=False), 1500),
}


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("seed", range(3))
def test_the_search_finds_it(ending, search, seed):
    seen = observe(ending.state, 0)
    style, simulations = SEARCHES[search]
    budget = Budget(simulations)
    prospects = think(seen, ending.memories, budget=budget, style=style, seed=seed)
    assert ending.best == str(prospects[0].action), prospects


def test_the_search_expects_what_is_to_be_had(ending):
    low, high = proven(ending)[Action(ending.best)]
    (best, *_) = think(observe(ending.state, 0), ending.memories, budget=OWN)
    # A tenth of the reward is for the margin.
    assert 0.9 * low - 0.05 <= best.expected <= 0.9 * high + 0.15


def test_the_most_simulations_can_be_counted():
    ending = ENDINGS["waits with a merchant, so that the other has to end the round"]
    (best, *_) = think(observe(ending.state, 0), budget=Budget(MAX_SIMULATIONS))
    assert ending.best == str(best.action)
    assert 0.9 < best.expected <= 1


def test_a_memory_decides():
    seen = observe(KNOWING.state, 0)
    budget = OWN
    assert "M" == str(think(seen, KNOWING.memories, budget=budget)[0].action)
    for without in (
        think(seen, budget=budget),
        think(seen, KNOWING.memories, budget=budget, style=Style(remembers=False)),
    ):
        assert "C" == str(without[0].action)
