"""A search ends in time, by whatever clock, and has an answer however little time it has."""

from __future__ import annotations

import random

import pytest
from playing import at_first_decision
from random_play import steps, trading

from fugger import Game
from fugger.bots import Budget, think


class Clock:
    """A clock on which a little time passes whenever it is looked at.

    Args:
        ticks: the seconds that pass before each look; the last one ever after.
    """

    def __init__(self, *ticks):
        self.ticks = list(ticks)
        self.now = 1000.0

    def __call__(self):
        self.now += self.ticks.pop(0) if len(self.ticks) > 1 else self.ticks[0]
        return self.now


@pytest.fixture(scope="module")
def game():
    return at_first_decision(3)


def simulations(game, budget, clock):
    prospects = think(game.observe(0), budget=budget, clock=clock)
    assert game.legal_actions == sorted(one.action for one in prospects)
    return sum(one.simulations for one in prospects)


def test_a_search_is_over_at_its_limit(game):
    clock = Clock(1 / 256)
    # One look to begin with, two for every batch: here each is of one simulation, since it takes
    # almost all of the 5 ms that pass at most between two looks, and the next must fit in.
    assert 127 == simulations(game, Budget(seconds=1.0), clock)
    assert 1000 + 257 / 256 >= clock.now


@pytest.mark.parametrize("seconds", [0.001, 0.01, 0.1, 0.3])
def test_however_short_a_limit_quick_simulations_are_made_many_at_a_time(game, seconds):
    clock = Clock(seconds / 64)
    assert 20 < simulations(game, Budget(5000, seconds=seconds), clock)
    assert 1000 + seconds * 65 / 64 >= clock.now


def test_a_limit_that_is_over_at_once_leaves_time_for_one_simulation(game):
    assert 1 == simulations(game, Budget(seconds=1e-9), Clock(1.0))


@pytest.mark.parametrize("threads", [2, 5])
def test_and_for_one_in_each_thread(game, threads):
    assert threads == simulations(game, Budget(seconds=1e-9, threads=threads), Clock(1.0))


def test_after_a_long_delay_few_simulations_are_made_before_the_next_look(game):
    # 1, 4, 16 and 64 simulations, and these took a second: no more than one fits in 5 ms, it seems.
    quick, slow = [2**-20] * 8, [1.0, 2**-20]
    clock = Clock(*quick, *slow, 10.0)
    assert 1 + 4 + 16 + 64 + 1 == simulations(game, Budget(seconds=5.0), clock)


def test_after_a_delay_time_is_left_for_another(game):
    # After 5 simulations, of which the last 4 took a tenth of a second, there is less left.
    before = [0.0, 0.0, 2**-20, 0.0, 0.1]
    assert 5 + 1 == simulations(game, Budget(seconds=1.0), Clock(*before, 0.78, 0.0, 0.05, 0.0))
    assert 5 == simulations(game, Budget(seconds=1.0), Clock(*before, 0.82, 0.0, 0.05, 0.0))


def test_a_clock_that_stands_still_leaves_the_number_of_simulations(game):
    assert 5000 == simulations(game, Budget(5000, seconds=1.0), Clock(0.0))


def test_without_a_limit_no_clock_is_looked_at(game):
    clock = Clock(1.0)
    assert 70 == simulations(game, Budget(70), clock)
    assert 1000.0 == clock.now


def test_a_single_action_needs_no_thinking():
    game = Game(4)
    for _ in steps(game, random.Random(1), trading):
        if len(game.legal_actions) == 1:
            break
    (only,) = game.legal_actions
    clock = Clock(1.0)
    (prospect,) = think(game.observe(game.player), budget=Budget(seconds=3600), clock=clock)
    assert (only, 0) == (prospect.action, prospect.simulations)
