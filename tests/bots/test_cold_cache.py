"""A level that thinks isn't felt while its code is compiled: it plays on, and thinks later."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

FIRST_MOVES = """
import json, random
from fugger import Game
from fugger.bots import bot_named, readiness
from fugger.bots.search import search

game = Game(2)
game.deal_all(random.Random(1))
seen, bot = game.observe(0), bot_named("banker", seed=1)
told = {"cached at first": search.is_cached}
prospect = bot.advise(seen)
told["legal"] = prospect.action in game.legal_actions
told["like greedy"] = prospect.action == bot_named("greedy", seed=1).choose(seen)
told["simulations at first"] = prospect.simulations
told["ready later"] = readiness.wait(300)
told["cached later"] = search.is_cached
told["thinks later"] = bot.advise(seen).simulations > 0
told["compiled here"] = sum(search.compiled.stats.cache_misses.values())
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """What happened in a process that began with an empty cache of compiled code."""
    environment = dict(os.environ, XDG_CACHE_HOME=str(tmp_path_factory.mktemp("cache")))
    environment["NUMBA_OPT"] = "0"  # compiles faster
    finished = subprocess.run(
        [sys.executable, "-c", FIRST_MOVES],
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    return json.loads(finished.stdout)


def test_the_first_move_is_a_simple_policy_s(told):
    assert {"cached at first": False, "legal": True, "like greedy": True}.items() <= told.items()
    assert 0 == told["simulations at first"]


def test_afterwards_it_thinks(told):
    assert {"ready later": True, "cached later": True, "thinks later": True}.items() <= told.items()


def test_another_process_compiled(told):
    assert 0 == told["compiled here"]
