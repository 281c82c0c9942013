"""Programs' plain actions go past the framework, and are answered as it would answer them."""

from __future__ import annotations

import pytest
from running import make, mover

ODD = {"Content-Type": "application/json; charset=utf-8"}
"""A header that sends a request the long way."""


def answers(here, wish, headers):
    """Status, kind and body of what the player to move hears, without what names the table."""
    client = mover(make(here.client, first=0))
    board = client.look()
    body = {"ply": board["ply"], "action": board["legal"][0]} | wish
    answer = here.client.post(
        f"/api/tables/{client.table}/actions", json=body, headers=client.headers | headers
    )
    told = answer.json()
    told = {key: told.get(key) for key in ("ply", "player", "seat", "reason", "type", "title")}
    kinds = ("content-type", "cache-control", "content-security-policy", "retry-after")
    return answer.status_code, told, sorted(set(kinds) & set(answer.headers))


@pytest.mark.parametrize(
    ("status", "wish"),
    [
        (200, {}),
        (409, {"ply": 0}),
        (422, {"action": "(M)"}),
        (400, {"action": "far too long"}),
        (400, {"ply": "1"}),
        (400, {"more": 1}),
    ],
)
def test_both_ways_answer_alike(here, status, wish):
    short, long = answers(here, wish, {}), answers(here, wish, ODD)

    assert status == short[0]
    assert long == short


def test_a_token_of_no_seat_is_refused(here):
    client = make(here.client)[0]
    client.headers = {"Authorization": "Bearer invented"}

    assert 401 == client.act(1, "+").status_code


def test_no_token_is_refused(here):
    client = make(here.client)[0]
    client.headers = {}

    assert 401 == client.act(1, "+").status_code


def test_a_table_that_isnt_in_memory_is_found(here):
    client = mover(make(here.client))
    board = client.look()
    del here.site.tables._tables[client.table]

    assert 200 == client.act(board["ply"], board["legal"][0]).status_code
