"""The bots: legal, blind to what is hidden, the same for a seed, and greedy the stronger."""

import random

import pytest
from random_play import SETUPS, steps

from fugger import BotError, Game, determinize, observe
from fugger.bots import NAMES, bot_named, prepare
from fugger.chance import generator

QUICK = [*(name for name in NAMES if name != "banker"), "search:simulations=400"]
"""All bots; in place of the banker, who differs by thinking for longer, a search."""


@pytest.fixture(autouse=True, scope="module")
def _prepared():
    """Levels that think do so from the first move on."""
    prepare()


def winner_shares(names, *, games, edition="adlung"):
    """Each bot's share of the games won, the seats changing from game to game."""
    shares = [0.0] * len(names)
    for number in range(games):
        game = Game(len(names), edition, number % len(names))
        rng = random.Random(number)
        at = [(seat + number // len(names)) % len(names) for seat in range(len(names))]
        bots = [bot_named(names[who], number) for who in at]
        while not game.is_over:
            game.deal_all(rng)
            if game.player is not None:
                game.play(bots[game.player].choose(game.observe(game.player)))
        for seat in game.winners:
            shares[at[seat]] += 1 / len(game.winners)
    return shares


@pytest.mark.parametrize("name", QUICK)
@pytest.mark.parametrize(("edition", "players"), SETUPS)
def test_bots_act_legally_at_every_position(name, edition, players):
    game = Game(players, edition)
    bot = bot_named(name, 3)
    for _ in steps(game, random.Random(4)):
        if game.player is not None:
            assert bot.choose(game.observe(game.player)) in game.legal_actions


@pytest.mark.parametrize("name", QUICK)
def test_bots_decide_by_the_observation_alone(name):
    game = Game(3)
    rng = generator(8)
    for _ in steps(game, random.Random(4)):
        if game.player is None:
            continue
        seen = game.observe(game.player)
        imagined = determinize(seen, rng)
        again = observe(imagined, game.player)
        assert bot_named(name, 5).choose(seen) == bot_named(name, 5).choose(again)


@pytest.mark.parametrize("name", QUICK)
def test_a_bot_leaves_the_observation_as_it_was(name):
    game = Game(2)
    for _ in steps(game, random.Random(6)):
        if game.player is not None:
            seen = game.observe(game.player)
            before = seen.tobytes()
            bot_named(name).choose(seen)
            assert before == seen.tobytes()


def test_random_takes_every_legal_action_about_as_often():
    game = Game(2)
    for card in ["C", "T", "W", "S", "C", "T", "W", "S", "J", "J"]:
        game.deal(card)
    bot = bot_named("random", 1)
    seen = game.observe(0)
    counts = [0] * 23
    for _ in range(1800):
        counts[bot.choose(seen)] += 1
    legal = list(map(int, game.legal_actions))
    assert 9 == len(legal)
    assert sum((counts[action] - 200) ** 2 / 200 for action in legal) < 26.1  # 8 df, 0.1 %


@pytest.mark.parametrize("edition", ["adlung", "rody"])
def test_greedy_beats_random_in_80_of_100_games(edition):
    assert winner_shares(["greedy", "random"], games=200, edition=edition)[0] >= 160


def test_greedy_wins_more_than_its_share_against_more_than_one():
    assert winner_shares(["greedy", "random", "random"], games=60)[0] > 30
    assert winner_shares(["greedy", "random", "random", "random"], games=60)[0] > 25


def test_an_unknown_bot():
    with pytest.raises(
        BotError, match=r"^'grandmaster' is no bot: expected apprentice, .*greedy or random$"
    ):
        bot_named("grandmaster")
