"""A database that is locked, full or gone: a clear answer, nothing lost or shown too early."""

from __future__ import annotations

import contextlib
import sqlite3
from typing import TYPE_CHECKING

import pytest
from running import Here, make, mover, wait_for

from fugger.web import database, seating

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def trouble(tmp_path, monkeypatch) -> Iterator[Here]:
    """A server that doesn't wait long for others who have locked its file."""
    monkeypatch.setattr(database, "PATIENCE", 20)
    monkeypatch.setattr(seating, "RETRY", 0.01)
    with Here(tmp_path) as server:
        yield server


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Another program writes to the database, and takes its time."""
    other = sqlite3.connect(folder / "fugger.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()


def test_a_locked_database_is_told_to_programs(trouble, tmp_path):
    client = mover(make(trouble.client))
    before = client.look()
    with client.stream() as boards:
        next(boards)
        with locked(tmp_path):
            answer = client.act(before["ply"], before["legal"][0])
            during = client.look()
        after = client.act(before["ply"], before["legal"][0])
        shown = next(boards)

    assert 503 == answer.status_code
    assert "database" == answer.json()["reason"]
    assert "1" == answer.headers["retry-after"]
    assert before == during
    assert 200 == after.status_code
    assert before["ply"] + 1 == shown["ply"]


def test_a_locked_database_is_told_to_people_in_their_language(trouble, tmp_path):
    german = {"Accept-Language": "de"}
    with locked(tmp_path):
        answer = trouble.client.post("/play", data={"name": "Anna"}, headers=german)

    assert 503 == answer.status_code
    assert "1" == answer.headers["retry-after"]
    assert '<html lang="de"' in answer.text
    assert "set-cookie" not in answer.headers


def test_the_last_to_sit_down_keeps_the_seat_if_the_start_fails(trouble, tmp_path, monkeypatch):
    client = make(trouble.client, "ho")[0]
    sitting, store = trouble.client.post, trouble.site.store
    commit, failures = store.commit, iter([False, True, True])

    async def failing(*statements):  # the seat is kept, the start twice isn't
        if next(failures, False):
            with locked(tmp_path):
                return await commit(*statements)
        return await commit(*statements)

    monkeypatch.setattr(store, "commit", failing)
    answer = sitting(f"/api/tables/{client.table}/seats", json={"name": "Bea"})

    assert 201 == answer.status_code
    assert 1 == trouble.site.tables.in_memory(client.table).seat_with(answer.json()["token"])
    wait_for(lambda: client.look()["phase"] == "playing")


def test_a_full_disk_is_told_and_nothing_is_lost(tmp_path, monkeypatch):
    prepare, full = database._prepare, []

    def preparing(connection, record):
        prepare(connection, record)
        if full:
            connection.execute("PRAGMA max_page_count = 1")  # as many as it has

    monkeypatch.setattr(database, "_prepare", preparing)
    with Here(tmp_path) as server:
        clients = make(server.client, target=500)
        full.append(True)
        server.site.store._opened._engine.dispose()  # the next connections are prepared anew
        acknowledged = 1
        while (answer := mover(clients).first_legal()).status_code == 200:
            acknowledged += 1
        board = clients[0].look()
        full.clear()
        server.site.store._opened._engine.dispose()
        again = mover(clients).first_legal()

    assert 503 == answer.status_code
    assert acknowledged == board["ply"]
    assert 200 == again.status_code


def test_health_says_so(trouble, monkeypatch):
    async def gone(*_):
        raise ConnectionRefusedError("nobody is there")

    monkeypatch.setattr(trouble.site.store._opened, "read", gone)
    answer = trouble.client.get("/health")

    assert 503 == answer.status_code
