"""Matches on a real Ray cluster of this machine, of which a worker dies in the middle."""

from __future__ import annotations

import os
import signal
import time

import pytest

from fugger.arena.clusters import import_ray
from fugger.arena.contest import Contest
from fugger.arena.matches import play_match
from fugger.errors import ArenaError

CONTEST = Contest(("search:simulations=30", "greedy"), 2, seed=11)
DEALS = 8


@pytest.fixture
def ray():
    """Ray with two workers."""
    ray = import_ray()
    ray.init(
        address="local",
        num_cpus=2,
        include_dashboard=False,
        object_store_memory=100 * 2**20,
        log_to_driver=False,
        logging_level="ERROR",
    )
    yield ray
    ray.shutdown()


def workers(ray):
    """The processes of the two workers."""

    def who():
        time.sleep(0.1)  # so that one of them can't take both
        return os.getpid()

    ask = ray.remote(num_cpus=1)(who)
    found = set()
    while len(found) < 2:
        found = set(ray.get([ask.remote(), ask.remote()]))
    return found


def test_a_worker_is_killed_and_the_result_is_the_same_and_complete(ray):
    before = workers(ray)
    killed = max(before)

    def kill_one(standing):
        if standing.deals == 2:
            os.kill(killed, signal.SIGKILL)

    alone = play_match(CONTEST, DEALS, jobs=1)
    standing = play_match(CONTEST, DEALS, cluster="local", on_progress=kill_one)

    assert killed not in workers(ray)
    assert DEALS == standing.deals
    assert alone.bots == standing.bots


def test_no_cluster_at_that_address():
    why = r"^the Ray cluster 127\.0\.0\.1:1 can't be used: .*[Rr]efused"
    with pytest.raises(ArenaError, match=why):
        play_match(CONTEST, 1, cluster="127.0.0.1:1")
