"""What bots are asked for by: names, budgets, styles and options; and what is refused."""

import random

import numpy as np
import pytest
from random_play import steps

from fugger import BotError, Game
from fugger.bots import LEVELS, NAMES, Budget, Style, bot_named, strongest, think
from fugger.bots.thinking import MAX_SIMULATIONS


@pytest.fixture(scope="module")
def game():
    game = Game(3)
    game.deal_all(random.Random(1))
    return game


@pytest.mark.parametrize("name", [*NAMES, "search:simulations=3", "search:rounds=1,threads=2"])
def test_a_bot_has_the_name_it_was_asked_for_by(name):
    assert name == bot_named(name).name


def test_the_strongest_is_the_last_level():
    assert LEVELS[-1] == strongest().name


@pytest.mark.parametrize(
    ("options", "budget", "style"),
    [
        ("simulations=70", Budget(70), Style()),
        ("simulations=70,threads=2", Budget(70, threads=2), Style()),
        ("threads=2,rounds=0", Budget(1000, threads=2), Style(rounds=0)),
        ("playouts=random", Budget(1000), Style(playouts="random")),
        ("memory=no,playouts=greedy", Budget(1000), Style("greedy", remembers=False)),
        ("guesses=no", Budget(1000), Style(guesses=False)),
        ("guesses=yes", Budget(1000), Style(guesses=True)),
    ],
)
def test_options_are_a_budget_and_a_style(options, budget, style, game):
    seen = game.observe(0)
    prospects = bot_named(f"search:{options}", seed=4).prospects(seen)
    assert think(seen, budget=budget, style=style, seed=4) == prospects


@pytest.mark.parametrize(
    "option",
    [
        "",
        "simulations",
        "simulations=",
        "simulations=many",
        "simulations=1.5",
        "Simulations=5",
        "seconds=soon",
        "threads=0x2",
        "rounds=two",
        "rounds=" + "9" * 5000,
        "playouts=yes",
        "playouts=",
        "memory=greedy",
        "memory",
        "depth=3",
        "=3",
    ],
)
def test_an_option_that_is_none(option):
    with pytest.raises(BotError) as error:
        bot_named(
            f"search:simulations=5,{option}" if option[:11] != "simulations" else f"search:{option}"
        )
    assert "is no option of a search: expected simulations=NUMBER, seconds=NUMBER," in str(
        error.value
    )
    assert len(str(error.value)) < 300


def test_an_option_given_twice():
    with pytest.raises(BotError, match=r"^'rounds=2': rounds has been given already"):
        bot_named("search:rounds=1,rounds=2")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("simulations=0", f"simulations is 0: expected a whole number from 1 to {MAX_SIMULATIONS}"),
        (
            "simulations=-1",
            f"simulations is -1: expected a whole number from 1 to {MAX_SIMULATIONS}",
        ),
        ("simulations=500001", "simulations is 500001: expected a whole number from 1 to 500000"),
        ("threads=0", "threads is 0: expected a whole number from 1 to 64"),
        ("threads=65", "threads is 65: expected a whole number from 1 to 64"),
        ("seconds=0", "seconds is 0.0: expected a number above 0, up to 3600"),
        ("seconds=-1", "seconds is -1.0: expected a number above 0, up to 3600"),
        ("seconds=nan", "seconds is nan: expected a number above 0, up to 3600"),
        ("seconds=inf", "seconds is inf: expected a number above 0, up to 3600"),
        ("rounds=-1", "rounds is -1: expected a whole number from 0 to 1000"),
        ("rounds=1001", "rounds is 1001: expected a whole number from 0 to 1000"),
    ],
)
def test_a_number_out_of_its_range(options, message):
    with pytest.raises(BotError) as error:
        bot_named(f"search:{options}")
    assert message == str(error.value)


@pytest.mark.parametrize("seconds", ["1", True, 1j, [1]])
def test_seconds_that_are_no_number(seconds):
    with pytest.raises(BotError, match=r"^seconds is .*: expected a number above 0"):
        Budget(seconds=seconds)


def test_numpy_s_numbers_are_as_good_as_python_s(game):
    seen = game.observe(0)
    budget = Budget(np.int64(20), seconds=np.float64(3600), threads=np.int8(1))
    assert 20 == sum(one.simulations for one in think(seen, budget=budget))


@pytest.mark.parametrize("name", ["grandmaster", "", "search", "Search:", "banker ", "factor:"])
def test_a_name_of_no_bot(name):
    with pytest.raises(
        BotError, match="is no bot: expected apprentice, journeyman, trader, factor"
    ):
        bot_named(name)


@pytest.mark.parametrize("name", [None, 3, ["greedy"], b"greedy"])
def test_a_name_that_is_no_text(name):
    with pytest.raises(BotError, match="is no bot: expected a name such as apprentice"):
        bot_named(name)


def test_it_thinks_for_the_seat_whose_turn_it_is_alone(game):
    waiting = game.observe(1)
    with pytest.raises(BotError, match="expected an observation of whose turn it is"):
        think(waiting, budget=Budget(5))


def test_it_does_not_think_while_a_card_is_owed_or_when_the_game_is_over():
    game = Game(2)
    seen = [game.observe(0)]
    for _ in steps(game, random.Random(1)):
        pass
    seen.append(game.observe(game.state.player))
    for one in seen:
        with pytest.raises(BotError, match="there is nothing to think about"):
            think(one, budget=Budget(5))
