"""The rules as a player reads them, for each edition and language.

The numbers come from the edition and from `fugger.rules`; the worked example is evaluated by them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fugger.cards import Good
from fugger.editions import EDITIONS, MAX_TARGET, MIN_TARGET
from fugger.explain import evaluate
from fugger.names import edition_name, good_name, move_name
from fugger.rules.actions import DRAWING_LIMIT, MERCHANT_LIMIT
from fugger.rules.evaluation import HIGHEST_PRICE, SEAL_LIMIT, SHIPMENT_FACTOR
from fugger.rules.state import MAX_PLAYERS, new_state
from fugger.rules.supply import MARKET_GOODS, MERCHANT_CARDS, REFILL_CARDS

if TYPE_CHECKING:
    from fugger.editions import Edition
    from fugger.texts import Words

EXAMPLE_COUNTS = (2, 4, 4, 5, 1)
"""The worked example: cards of each good on the table, all prices at the start."""


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the rules.

    Attributes:
        title: its heading.
        paragraphs: its text; one that begins with ``- `` is an item of a list.
        table: lines to be shown as they are, after the paragraphs.
    """

    title: str
    paragraphs: list[str]
    table: tuple[str, ...] = ()


def rulebook(edition: Edition, words: Words) -> list[Section]:
    """The sections of the rules."""
    return [
        _aim(edition, words),
        _box(edition, words),
        _start(edition, words),
        _turn(words),
        _jakob(edition, words),
        _round_end(edition, words),
        _prices(edition, words),
        _example(edition, words),
        _sales(words),
        _new_round(words),
        _game_end(edition, words),
        _two_players(words),
        _secrets(words),
        _editions(edition, words),
        _notation(words),
    ]


def _aim(edition: Edition, words: Words) -> Section:
    return Section(
        words.say("The aim"),
        [
            words.say(
                "You are merchants of Augsburg in the days of Jakob Fugger, called the Rich. "
                "The goods that lie on the table move the prices, and at the end of each round "
                "you sell what lies before you. The game ends with the round in which somebody "
                "comes to {target} gulden; then the most money wins.",
                target=edition.target + edition.must_exceed_target,
            )
        ],
    )


def _box(edition: Edition, words: Words) -> Section:
    names = words.listed(f"{good_name(words, good)} ({good})" for good in Good)
    return Section(
        words.say("What is in the box"),
        [
            words.say(
                "- {cards} cards: {goods}; of each good {plain} plain cards and {sealed} "
                "with a royal seal, written with a star (W*). The other {merchants} cards are "
                "merchants (M).",
                cards=sum(edition.cards),
                goods=names,
                plain=edition.plain_cards,
                sealed=edition.sealed_cards,
                merchants=edition.merchants,
            ),
            words.say(
                "- A circle of the prices from 1 to {highest} gulden, and a marker for each "
                "good. All goods begin at {price}.",
                highest=HIGHEST_PRICE,
                price=edition.starting_price,
            ),
        ],
    )


def _start(edition: Edition, words: Words) -> Section:
    return Section(
        words.say("Before the first turn"),
        [
            words.say(
                "Everybody is dealt {hand} cards, which nobody else may see: the hand. Then "
                "{market} goods are turned up beside Jakob. Should a merchant turn up for Jakob, "
                "now or later, it goes to the discard pile and another card is turned up in its "
                "place, until a good comes.",
                hand=edition.opening_hand,
                market=MARKET_GOODS,
            )
        ],
    )


def _turn(words: Words) -> Section:
    return Section(
        words.say("A turn"),
        [
            words.say("In your turn you do exactly one of three things:"),
            words.say(
                "- Draw (+): take a card from the draw pile. You may do so only with {limit} or "
                "fewer cards in your hand.",
                limit=DRAWING_LIMIT,
            ),
            words.say(
                "- Play (W): lay a card face up before you, into your tableau: any good, or a "
                "merchant if fewer than {limit} merchants lie there.",
                limit=MERCHANT_LIMIT,
            ),
            words.say(
                "- Ship ((W)): lay a good face down. You may do so once in round 1 and once in "
                "round 2, and never later. A merchant can't be shipped. Shipments are paid when "
                "the game ends; until then only you know which good it is.",
            ),
            words.say(
                "You must do one of them if you can. Only if none is possible do you pass (--). "
                "Then it is your left neighbour's turn."
            ),
            words.say(
                "When the draw pile is empty and a card is needed, the discard pile is shuffled "
                "and becomes the draw pile. If both are empty, nobody can draw."
            ),
        ],
    )


def _jakob(edition: Edition, words: Words) -> Section:
    return Section(
        words.say("Jakob the Rich"),
        [
            words.say(
                "Nobody plays Jakob. His goods lie face up and count on the table like everybody "
                "else's, but he earns nothing."
            ),
            _trigger(edition, words),
            words.say("With {players} players there are no such extra cards.", players=MAX_PLAYERS),
        ],
    )


def _round_end(edition: Edition, words: Words) -> Section:
    return Section(
        words.say("The end of a round"),
        [
            words.say(
                "On the table are the goods of all tableaus and Jakob's. As soon as card number "
                "{number} of one good lies there, whoever laid it and even if it is Jakob's, the "
                "round is over at once: cards that Jakob would still get are not turned up. "
                "Merchants and shipments don't count.",
                number=edition.round_end,
            ),
            words.say("Then first the prices move, and after that everybody sells."),
        ],
    )


def _prices(edition: Edition, words: Words) -> Section:
    return Section(
        words.say("The prices"),
        [
            words.say(
                "Count the cards of each good on the table. The three goods with the highest "
                "counts rise, each by as many gulden as it has cards there. The others fall by 1."
            ),
            words.say(
                "- Goods that share second place all rise, and there is no third place. Goods "
                "that share third place all rise too."
            ),
            words.say("- A good with no card on the table never rises: it falls."),
            "- " + _past_highest(edition, words),
            "- " + _below_lowest(edition, words),
        ],
    )


def _example(edition: Edition, words: Words) -> Section:
    state = new_state(edition, players=3)
    state.table[:] = EXAMPLE_COUNTS
    names = [f"{good_name(words, good)} {good}" for good in Good]
    width = max(map(len, names))
    return Section(
        words.say("An example"),
        [
            words.say(
                "All prices are {price}, and this many cards of each good lie on the table:",
                price=edition.starting_price,
            )
        ],
        tuple(
            f"{names[move.good]:{width}}  {move.count}   {move.before} -> {move.after}   "
            f"{move_name(words, move.move)}"
            for move in evaluate(state).prices
        ),
    )


def _sales(words: Words) -> Section:
    return Section(
        words.say("Sales and seals"),
        [
            words.say(
                "Everybody now gets the new price of each good that lies in their own tableau. A "
                "card with a seal brings twice the price if at most {limit} cards of its good lie "
                "on the table, Jakob's counted; with more it sells like any other. Cards in the "
                "hand, merchants and shipments bring nothing now.",
                limit=SEAL_LIMIT,
            )
        ],
    )


def _new_round(words: Words) -> Section:
    one, two = MERCHANT_CARDS[1:]
    return Section(
        words.say("A new round"),
        [
            words.say(
                "All goods on the table go to the discard pile. The left neighbour of the player "
                "whose turn it was begins the new round, and before that, in turn order from "
                "there:"
            ),
            words.say(
                "- everybody draws {cards} cards, however many they hold;",
                cards=REFILL_CARDS,
            ),
            words.say(
                "- then whoever has one merchant in the tableau draws {one} more, with two "
                "merchants {two} more; the merchants go to the discard pile;",
                one=one,
                two=two,
            ),
            words.say("- {market} goods are turned up for Jakob.", market=MARKET_GOODS),
        ],
    )


def _game_end(edition: Edition, words: Words) -> Section:
    return Section(
        words.say("The end of the game"),
        [
            _last_round(edition, words),
            words.say(
                "Then all shipments are turned up. Each brings {factor} times the present price "
                "of its good, whether it has a seal or not. The most money wins; players with "
                "the same money share the win.",
                factor=SHIPMENT_FACTOR,
            ),
            words.say(
                "For a shorter or a longer game agree on another goal, from {least} to {most} "
                "gulden.",
                least=MIN_TARGET,
                most=MAX_TARGET,
            ),
        ],
    )


def _two_players(words: Words) -> Section:
    return Section(
        words.say("With two players"),
        [
            words.say(
                "Each time both players have had a turn in a round, one more card is turned up "
                "for Jakob. If the second turn has brought him a card already, that one comes "
                "first."
            )
        ],
    )


def _secrets(words: Words) -> Section:
    return Section(
        words.say("What everybody may know"),
        [
            words.say(
                "Hands, shipments and the order of the draw pile are secret. Everything else is "
                "open, and anybody may look into the discard pile at any time."
            )
        ],
    )


def _editions(edition: Edition, words: Words) -> Section:
    paragraphs = [
        words.say(
            "The printed rules don't agree on everything. This is the text for the edition "
            "{edition}; the editions differ in these points alone:",
            edition=edition_name(edition.name),
        )
    ]
    for point in (_trigger, _past_highest, _below_lowest, _last_round):
        paragraphs += [
            words.say(
                "- {edition}: {rule}", edition=edition_name(other.name), rule=point(other, words)
            )
            for other in EDITIONS.values()
        ]
    return Section(words.say("Two editions"), paragraphs)


def _notation(words: Words) -> Section:
    return Section(
        words.say("How moves are written"),
        [
            words.say(
                "C copper, T cloth, W wine, S spice, J jewelry, M merchant; a star is a royal "
                "seal. W plays wine, (W) ships it, + draws, -- passes. In records 2:W says that "
                "player 2 was dealt wine, J:W that it was turned up for Jakob."
            )
        ],
    )


# The four points on which the editions differ


def _trigger(edition: Edition, words: Words) -> str:
    if edition.jakob_trigger == "shipment":
        return words.say(
            "With 2 or 3 players, whoever ships a good turns up one more card for Jakob."
        )
    return words.say(
        "With 2 or 3 players, whoever plays a merchant turns up one more card for Jakob."
    )


def _past_highest(edition: Edition, words: Words) -> str:
    if edition.price_goes_round_up:
        return words.say(
            "A price that passes {highest} goes on round the circle: 10 is 1, 11 is 2, and so on.",
            highest=HIGHEST_PRICE,
        )
    return words.say(
        "A price that passes {highest} stops at 1, whatever is left over.", highest=HIGHEST_PRICE
    )


def _below_lowest(edition: Edition, words: Words) -> str:
    if edition.price_goes_round_down:
        return words.say(
            "A price of 1 that falls goes round the circle to {highest}.", highest=HIGHEST_PRICE
        )
    return words.say("A price of 1 can't fall any further: it stays.")


def _last_round(edition: Edition, words: Words) -> str:
    if edition.must_exceed_target:
        return words.say(
            "The game ends with the round after whose sales somebody has more than {target} "
            "gulden.",
            target=edition.target,
        )
    return words.say(
        "The game ends with the round after whose sales somebody has {target} gulden or more.",
        target=edition.target,
    )


def differences(edition: Edition, words: Words) -> list[str]:
    """What sets an edition apart, one sentence for each point on which the editions differ."""
    points = (_trigger, _past_highest, _below_lowest, _last_round)
    return [point(edition, words) for point in points]
