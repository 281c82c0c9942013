"""Guests who send too much, or nothing, before the server knows what they want."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from urllib.parse import urlsplit

import pytest
from running import PATIENCE, Here

from fugger.web.connections import Connection, Together


def connected(here: Here) -> socket.socket:
    url = urlsplit(here.url)
    return socket.create_connection((url.hostname, url.port), timeout=PATIENCE)


def answer_to_endless(here: Here, beginning: bytes, more: bytes, most: int) -> bytes:
    """What a guest hears who sends the same again and again, at most so many bytes."""
    with connected(here) as guest:
        try:
            guest.sendall(beginning)
            for _ in range(most // len(more)):
                guest.sendall(more)
            guest.shutdown(socket.SHUT_WR)
        except OSError:
            return b"closed"
        try:
            return guest.recv(1000) or b"closed"
        except OSError:
            return b"closed"


@pytest.mark.parametrize(
    ("beginning", "more"),
    [
        (b"GET / HTTP/1.1\r\nHost: x\r\nX: ", b"x" * 10_000),
        (b"GET / HTTP/1.1\r\nHost: x\r\n", b"X: x\r\n" * 1000),
        (b"GET /", b"x" * 10_000),
    ],
)
def test_an_endless_head_is_given_up(here, beginning, more):
    said = answer_to_endless(here, beginning, more, 50_000_000)

    assert said == b"closed" or said.startswith(b"HTTP/1.1 431 ")
    assert 200 == here.client.get("/health").status_code


def test_endless_trailers_are_given_up(here):
    head = b"POST /play HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: "

    assert b"closed" == answer_to_endless(here, head, b"x" * 10_000, 50_000_000)


@pytest.mark.parametrize(
    "beginning",
    [b"", b"\r\n", b"GET / HTTP/1.1\r\nHost:", b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n"],
)
def test_a_guest_who_asks_nothing_more_is_let_go(tmp_path, monkeypatch, beginning):
    monkeypatch.setattr(Connection, "head_seconds", 0.1)
    with Here(tmp_path) as here, connected(here) as guest:
        guest.sendall(beginning)
        if beginning.endswith(b"x\r\n\r\n"):
            assert guest.recv(10_000)
            guest.sendall(b"\r\n")  # no request, but no silence either
        heard = guest.recv(10_000)
        while heard:
            heard = guest.recv(10_000)


def test_a_stream_is_not_let_go(tmp_path, monkeypatch):
    monkeypatch.setattr(Connection, "head_seconds", 0.1)
    with Here(tmp_path) as here:
        seats = [{"kind": "human"}, {"kind": "human"}]
        table = here.client.post("/api/tables", json={"seats": seats}).json()["id"]
        with connected(here) as guest:
            guest.sendall(b"GET /api/tables/%s/stream HTTP/1.1\r\nHost: x\r\n\r\n" % table.encode())
            assert guest.recv(10)
            guest.settimeout(0.5)
            heard = b""
            with contextlib.suppress(TimeoutError):
                while more := guest.recv(10_000):
                    heard += more
                raise AssertionError("the stream has ended")

    assert b"data: " in heard


def test_what_is_written_at_once_leaves_in_one_piece_unless_the_guest_is_gone():
    async def heard(*, gone: bool) -> list[bytes]:
        ours, theirs = socket.socketpair(type=socket.SOCK_STREAM)
        loop, pieces = asyncio.get_running_loop(), []
        transport, _ = await loop.create_connection(asyncio.Protocol, sock=ours)
        together = Together(transport, loop)
        together.write(b"head")
        together.write(b"body")
        if gone:
            transport.abort()
        else:
            await asyncio.sleep(0)
            together.write(b"more")
            together.close()
        theirs.setblocking(False)
        with theirs:
            while piece := await loop.sock_recv(theirs, 100):
                pieces.append(piece)
        return pieces

    assert b"headbodymore" == b"".join(asyncio.run(heard(gone=False)))
    assert [] == asyncio.run(heard(gone=True))
