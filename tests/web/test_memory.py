"""What stays in memory, and what goes on without it: idle tables, restarts, readers who don't."""

from __future__ import annotations

import re
import socket
from urllib.parse import urlsplit

import pytest
from running import PATIENCE, Client, Here, make, mover, wait_for

from fugger.web import memory
from fugger.web.making import Wish
from fugger.web.making import make as make_table


def forget(here: Here) -> None:
    """Lets all tables leave the memory that may."""

    async def now() -> None:
        here.site.tables.forget_idle()

    here.call(now())


@pytest.fixture
def short(monkeypatch):
    """Tables are idle at once."""
    monkeypatch.setattr(memory, "IDLE", -1.0)


@pytest.mark.parametrize("seconds", [None, 86_400])
def test_an_idle_table_leaves_and_comes_back_the_same(here, short, seconds):
    client = make(here.client, seconds=seconds, first=0, pause=10)[0]
    client.post("/leave")
    client.post("/return")  # before the bot acted
    before = client.get().content
    forget(here)

    assert client.table not in [table.id for table in here.site.tables.all_in_memory()]
    assert before == client.get().content


def test_a_clock_goes_on_for_a_table_that_left(here, short):
    wish = Wish(seats=[("me", ""), ("human", "")], seconds=1, first=0)
    table = here.call(make_table(here.site, wish, "anna", "Anna", tokens=["bea's"]))
    forget(here)
    assert table.id not in here.site.tables._tables

    client = Client(here.client, table.id, "bea's")
    wait_for(lambda: table.id in here.site.tables._tables)
    wait_for(lambda: client.look()["seats"][0]["away"])


def test_a_table_where_a_bot_thinks_stays(here, short):
    client = make(here.client, "hb", first=1, pause=5)[0]
    forget(here)

    assert client.table in here.site.tables._tables


def test_a_watched_table_stays(here, short):
    client = make(here.client)[0]
    with client.stream() as boards:
        next(boards)
        forget(here)

        assert client.table in here.site.tables._tables


def test_after_a_restart_a_table_in_any_phase_goes_on(tmp_path):
    with Here(tmp_path) as server:
        tables = {
            "waiting": make(server.client, "ho"),
            "a human's turn": make(server.client),
            "a bot's turn": make(server.client, "hb", first=1, pause=2),
            "bots alone": make(server.client, "bb", pause=0.02),
            "over": make(server.client, "bb", target=20),
        }
        over = tables["over"][0]
        wait_for(lambda: over.look()["phase"] == "over")
        ended, told = over.get().content, over.get("/record").content
        evaluation = _page(server, f"/tables/{over.table}/rounds/1")
        plies = {name: clients[0].look()["ply"] for name, clients in tables.items()}
    with Here(tmp_path) as server:
        again = {
            name: [Client(server.client, one.table, one.token) for one in clients]
            for name, clients in tables.items()
        }
        assert "waiting" == again["waiting"][0].look()["phase"]
        assert 201 == again["waiting"][0].post("/seats", {"name": "Bea"}).status_code
        assert "playing" == again["waiting"][0].look()["phase"]
        assert plies["a human's turn"] == again["a human's turn"][0].look()["ply"]
        assert 200 == mover(again["a human's turn"]).first_legal().status_code
        for name in ("a bot's turn", "bots alone"):
            wait_for(lambda n=name: again[n][0].look()["ply"] > plies[n])
        assert (ended, told) == (
            again["over"][0].get().content,
            again["over"][0].get("/record").content,
        )
        assert evaluation == _page(server, f"/tables/{over.table}/rounds/1")


def _page(server: Here, path: str) -> str:
    """A page without what is new each time."""
    answer = server.client.get(path)
    assert 200 == answer.status_code
    return re.sub(r'(nonce|nherited)="[^"]*"', "", answer.text)


def test_a_reader_who_never_reads_costs_little_and_slows_nobody(tmp_path):
    with Here(tmp_path) as server:
        server._listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8192)
        clients = make(server.client, target=500)
        url = urlsplit(server.url)
        with socket.socket() as stalled:
            stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            stalled.settimeout(PATIENCE)
            stalled.connect((url.hostname, url.port))
            path = f"/api/tables/{clients[0].table}/stream"
            stalled.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            wait_for(lambda: server.site.tables.in_memory(clients[0].table).watchers)
            sizes, board = [], clients[0].look()
            with clients[0].stream() as boards:
                for _ in range(150):
                    answer = mover(clients).first_legal().json()
                    assert any(brought["ply"] == answer["ply"] for brought in boards)
                    board = answer
                    sizes.append(_unsent(server))
                    if board["phase"] == "over":
                        break
            heard = b""
            while b'"ply":%d,' % board["ply"] not in heard:
                heard += stalled.recv(100_000)

    assert 0 < max(sizes) < 100_000
    assert heard.count(b"\ndata: ") < len(sizes)


def _unsent(server: Here) -> int:
    """The most bytes that wait for a guest to read."""
    return max(
        one.transport.get_write_buffer_size() for one in server._server.server_state.connections
    )
