"""The same seed gives the same thoughts: again, elsewhere, and while others think."""

from __future__ import annotations

import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import pytest
from random_play import steps, trading

from fugger import Game
from fugger.bots import Budget, Past, Style, think

OWN = Style()
BUDGETS = [Budget(300), Budget(301, threads=2)]


@cache
def positions():
    """Some of whom nobody remembers anything, and some later."""
    found = []
    for players, edition in ((2, "adlung"), (3, "rody"), (4, "adlung")):
        game = Game(players, edition)
        found += [
            game.copy()
            for _ in steps(game, random.Random(players), trading)
            if game.player is not None and game.actions_taken in {0, 1, 30, 55}
        ]
    return found


def thoughts(budget, seed=5, style=OWN):
    """What a search makes of each position."""
    return [thought(game, budget, seed, style) for game in positions()]


def thought(game, budget, seed=5, style=OWN):
    memories = Past.of(game, game.player).memories()
    return think(game.observe(game.player), memories, budget=budget, seed=seed, style=style)


@pytest.mark.parametrize("budget", BUDGETS, ids=["1 thread", "2 threads"])
def test_a_seed_gives_the_same_thoughts_again(budget):
    before = thoughts(budget)
    thoughts(Budget(1000), seed=6, style=Style(playouts="random", rounds=0))  # uses the same memory
    assert before == thoughts(budget)


def test_a_seed_gives_the_same_thoughts_in_another_process():
    folders = [str(Path(__file__).parent), str(Path(__file__).parents[1])]
    code = (
        f"import sys; sys.path[:0] = {folders}\n"
        "from test_search_seeds import BUDGETS, thoughts\n"
        "print([thoughts(budget) for budget in BUDGETS])"
    )
    ran = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert str([thoughts(budget) for budget in BUDGETS]) == ran.stdout.strip()


def test_a_seed_gives_the_same_thoughts_while_others_think():
    alone = [thoughts(budget) for budget in BUDGETS]
    with ThreadPoolExecutor(4) as pool:
        assert alone * 3 == list(pool.map(thoughts, BUDGETS * 3))


def test_other_seeds_give_other_thoughts():
    budget = Budget(30)
    every = [thoughts(budget, seed) for seed in range(8)]
    assert all(
        len({str(one) for one in of_a_position}) > 4 for of_a_position in zip(*every, strict=True)
    )
    actions = [{thought[0].action for thought in of} for of in zip(*every, strict=True)]
    assert any(len(one) > 1 for one in actions)


@pytest.mark.parametrize("threads", [1, 2, 3, 64])
@pytest.mark.parametrize("simulations", [1, 2, 50, 301])
def test_all_simulations_are_made_in_any_number_of_threads(simulations, threads):
    for game in positions():
        prospects = thought(game, Budget(simulations, threads=threads))
        assert simulations == sum(one.simulations for one in prospects)


def test_threads_grow_different_trees():
    one, two = thoughts(Budget(300)), thoughts(Budget(600, threads=2))
    doubled = [[2 * one.simulations for one in thought] for thought in one]
    assert doubled != [[one.simulations for one in thought] for thought in two]
