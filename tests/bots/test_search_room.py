"""A search needs little memory, however long it goes on."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from fugger.bots.thinking import NODES
from fugger.bots.tree import COLUMNS, WIDTH

MEGABYTE = 1 << 20
TREE = NODES * WIDTH * (COLUMNS + 1) * 4
"""Bytes of a tree that is full, and of its actions' chances."""
SEARCHES = """
import json, random, sys
from pathlib import Path

# OpenSpiel alone brings it; Numba loads it where it is, for functions that no search calls.
sys.modules["scipy"] = None

from fugger import Game
from fugger.bots import Budget, prepare, think

def peak():
    # Not `resource.getrusage`, which counts what the process that started this one had as well.
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(status["VmHWM"].split()[0]) * 1024

prepare()
game = Game(3)
game.deal_all(random.Random(1))
peaks = [peak()]
for budget in (Budget(100_000), Budget(50_000), Budget(100_000, threads=2)):
    think(game.observe(0), budget=budget)
    peaks.append(peak())
print(json.dumps(peaks))
"""


@pytest.fixture(scope="module")
def peaks():
    """The most bytes that a process had: ready to think, after a long search, and after more."""
    prepared = "from fugger.bots import prepare; prepare()"  # compiling takes memory of its own
    subprocess.run([sys.executable, "-c", prepared], check=True)
    ran = subprocess.run(
        [sys.executable, "-c", SEARCHES], check=True, capture_output=True, text=True
    )
    return json.loads(ran.stdout)


# A freshly installed LLVM counts for up to 30 MB more than one whose pages were read one by one:
# the system then maps more of its pages at a time. The limit holds for both.
def test_a_process_that_thinks_for_a_second_stays_below_200_mb(peaks):
    assert peaks[1] < 200 * MEGABYTE


def test_a_search_adds_a_tree_at_most(peaks):
    ready, after, *_ = peaks
    assert after - ready <= TREE + MEGABYTE


def test_the_next_search_uses_the_same_memory(peaks):
    _, after, again, _ = peaks
    assert again - after <= MEGABYTE


def test_each_thread_adds_a_tree_at_most(peaks):
    *_, before, after = peaks
    assert after - before <= 2 * (TREE + MEGABYTE)
