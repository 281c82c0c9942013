"""A match on a real Ray cluster, of which a machine dies in the middle of it."""

from __future__ import annotations

import pytest
from ray.cluster_utils import Cluster

from fugger.arena.contest import Contest
from fugger.arena.matches import play_match
from fugger.errors import ArenaError

CONTEST = Contest(("search:simulations=30", "greedy"), 2, seed=11)
DEALS = 12


@pytest.fixture
def cluster():
    """A head that plays nothing, which workers can join."""
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    yield cluster
    cluster.shutdown()


def test_a_worker_is_killed_and_the_result_is_the_same_and_complete(cluster):
    workers = [cluster.add_node(num_cpus=1), cluster.add_node(num_cpus=1)]
    cluster.wait_for_nodes()
    killed_after = []

    def kill_one(standing):
        if standing.deals == 2:
            cluster.remove_node(workers.pop(), allow_graceful=False)
            killed_after.append(standing.deals)

    alone = play_match(CONTEST, DEALS, jobs=1)
    standing = play_match(CONTEST, DEALS, cluster=cluster.address, on_progress=kill_one)

    assert [2] == killed_after
    assert 1 == len(workers)
    assert DEALS == standing.deals
    assert alone.bots == standing.bots


def test_no_cluster_at_that_address():
    with pytest.raises(ArenaError, match=r"^the Ray cluster 127\.0\.0\.1:1 can't be used: "):
        play_match(CONTEST, 1, cluster="127.0.0.1:1")
