"""Bots that fail and people who take too long: a table always goes on."""

from __future__ import annotations

import threading
import time

import pytest
from running import Here, make, mover, wait_for

from fugger import bots
from fugger.bots import bot_named
from fugger.web import making, play, robots, seating
from fugger.web.making import Wish
from fugger.web.seating import STAND_IN
from fugger.web.store import events, games, update
from fugger.web.tables import Seat


class Odd:
    """A bot that doesn't do its part."""

    name = "odd"

    def __init__(self, choose):
        self.choose = choose


@pytest.fixture
def odd(monkeypatch):
    """Puts a bot in the place of the usual one."""

    def put(choose):
        def named(level, seed=0, most_seconds=None):
            return Odd(choose) if level == STAND_IN else bot_named(level, seed, most_seconds)

        monkeypatch.setattr(bots, "bot_named", named)

    return put


def crash(_):
    raise RuntimeError("the bot fell off its chair")


@pytest.mark.parametrize("choose", [crash, lambda _: 22, lambda _: 999, lambda _: "no"])
def test_a_bot_that_fails_is_replaced(here, odd, choose):
    odd(choose)
    clients = make(here.client, "hb", first=1)

    board = wait_for(lambda: next((b for b in [clients[0].look()] if b["player"] == 0), None))
    assert 2 == board["ply"]


def test_a_bot_that_hangs_is_replaced_and_blocks_nobody(here, odd, monkeypatch):
    monkeypatch.setattr(robots, "PATIENCE", 0.3)
    ends = threading.Event()
    hangs = threading.Event()

    def hang(_):
        hangs.set()
        ends.wait(30)
        return 0

    odd(hang)
    try:
        clients = make(here.client, "hb", first=1)
        assert hangs.wait(30)
        assert 200 == here.client.get("/health").status_code
        assert 200 == mover(clients).first_legal().status_code
    finally:
        ends.set()


def test_an_action_that_cant_be_kept_is_tried_again(here, monkeypatch):
    monkeypatch.setattr(robots, "RETRY", 0.01)
    commit = here.site.store.commit
    failures = iter([True, True])

    async def failing(*statements):
        if next(failures, False):
            raise OSError("the disk is full")
        await commit(*statements)

    wish = Wish(seats=[("me", ""), ("human", "")], first=1)
    table = here.call(making.make(here.site, wish, "a", "A"))
    here.call(seating.sit(here.site, table, 1, "b", "B"))
    monkeypatch.setattr(here.site.store, "commit", failing)
    with pytest.raises(OSError, match="disk is full"):
        here.call(play.step_away(here.site, table, 1, "left"))
    table.seats[1].away = True
    here.site.store.commit = failing
    here._loop.call_soon_threadsafe(here.site.next_turn, table)

    wait_for(lambda: table.game.player == 0)


def timed(here, seconds=1):
    table = here.call(
        making.make(
            here.site, Wish(seats=[("me", ""), ("human", "")], first=0, seconds=seconds), "a", "A"
        )
    )
    here.call(seating.sit(here.site, table, 1, "b", "B"))
    return table


def test_who_runs_out_of_time_is_played_for_and_may_return(here):
    table = timed(here)
    assert table.deadline == table.at + 1

    wait_for(lambda: table.seats[0].away)
    wait_for(lambda: table.game.player == 1)
    assert "late" == table.remarks[0].kind
    assert ["stand-in"] == table.actors
    here.call(play.come_back(here.site, table, 0))
    assert not table.seats[0].away
    wait_for(lambda: table.seats[1].away)
    wait_for(lambda: table.game.player == 0)
    assert table.deadline is not None
    here.call(play.act(here.site, table, 0, table.ply, table.game.legal_actions[0]))
    assert ["stand-in", "stand-in", "player"] == table.actors[:3]


def test_who_acts_in_time_keeps_the_seat(here):
    table = timed(here, 600)
    here.call(play.act(here.site, table, 0, table.ply, table.game.legal_actions[0]))

    assert not any(seat.away for seat in table.seats)
    assert table.deadline > time.time() + 500


def test_time_stands_still_while_the_server_is_down(tmp_path):
    with Here(tmp_path) as server:
        table = timed(server, 600)
        hour_ago = update(games).where(games.c.id == table.id).values(made=table.made - 3600)
        server.call(
            server.site.store.commit(
                hour_ago, update(events).where(events.c.game == table.id).values(at=table.at - 3600)
            )
        )
    with Here(tmp_path) as server:
        again = wait_for(lambda: server.site.tables.in_memory(table.id))
        wait_for(lambda: table.id in server.site._turns)

        assert again.deadline > time.time() + 500
        assert not again.seats[0].away


def test_bots_go_on_after_a_restart(tmp_path):
    with Here(tmp_path, bot_pause=600.0) as server:
        wish = Wish(seats=[("me", ""), ("bot", "greedy")], first=1)
        table = server.call(making.make(server.site, wish, "a", "A"))
        server.call(server.site.store.commit(update(games).values(pause=0.0)))
    assert 1 == table.ply
    with Here(tmp_path) as server:
        wait_for(
            lambda: (found := server.site.tables.in_memory(table.id)) and found.game.player == 0
        )


def test_a_full_table_whose_server_died_before_the_deal_starts(tmp_path):
    with Here(tmp_path) as server:
        table = server.call(
            making.make(server.site, Wish(seats=[("me", ""), ("human", "")]), "a", "A")
        )
        seat = Seat("human", "greedy", "B", "b")
        server.call(seating._keep_seat(server.site, table, 1, seat))
    with Here(tmp_path) as server:
        wait_for(
            lambda: (found := server.site.tables.in_memory(table.id)) and found.phase == "playing"
        )
