"""Servers for tests: one inside the test's process, or one as a process of its own; and clients."""

from __future__ import annotations

import asyncio
import contextlib
import json
import multiprocessing
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from typing import TYPE_CHECKING, Any, TypeVar

import httpx

from fugger.web import serving
from fugger.web.app import create_app
from fugger.web.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator
    from pathlib import Path

T = TypeVar("T")
PATIENCE = 60.0
"""Seconds after which something that should happen is given up; far more than it takes."""


class Here:
    """A server in a thread of this process: its tables can be looked into.

    Args:
        data_dir: its data folder.
        settings: what else it is told.
    """

    def __init__(self, data_dir: Path, **settings: Any) -> None:
        unlimited = {"rate": 1e6, "burst": 10**6, "table_burst": 10**6, "streams": 10**6}
        told = {"bot_pause": 0.0, **unlimited, **settings}
        self.app = create_app(Settings(data_dir=data_dir, **told))
        self.site = self.app.site
        self._listener = serving.listen("127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{serving.port_of(self._listener)}"

    def __enter__(self) -> Here:
        ready = threading.Event()
        self._server = serving.Server(self.app, ready.set)
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        assert ready.wait(PATIENCE)
        self.client = httpx.Client(base_url=self.url, timeout=PATIENCE)
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()
        self._server.should_exit = True
        self._thread.join(PATIENCE)

    def _run(self) -> None:
        async def run() -> None:
            self._loop = asyncio.get_running_loop()
            await self._server.run_until_stopped(self._listener)

        asyncio.run(run())

    def call(self, work: Coroutine[Any, Any, T]) -> T:
        """Runs something in the server's loop."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE)


class Process:
    """`fugger serve` as a process of its own.

    Args:
        data_dir: its data folder.
        options: further options of the command.
    """

    def __init__(self, data_dir: Path, *options: str) -> None:
        command = [sys.executable, "-m", "fugger", "serve", "--data-dir", str(data_dir), *options]
        if "--port" not in options:
            command += ["--port", "0"]
        # A file, not a pipe: a server with much to say must not wait until it is read.
        self._errors = tempfile.TemporaryFile("w+", encoding="utf-8")  # noqa: SIM115 (closed below)
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=self._errors, text=True
        )

    def __enter__(self) -> Process:
        line = self.process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, line + self.complaints()
        self.url = found[0]
        self.client = httpx.Client(base_url=self.url, timeout=PATIENCE)
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self._errors.close()

    def complaints(self) -> str:
        """What the server has written down as wrong."""
        self._errors.seek(0)
        return self._errors.read()


class Client:
    """A seat's program, or a spectator's without a token."""

    def __init__(self, http: httpx.Client, table: str, token: str | None = None) -> None:
        self.http, self.table, self.token = http, table, token
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}

    def get(self, what: str = "") -> httpx.Response:
        return self.http.get(f"/api/tables/{self.table}{what}", headers=self.headers)

    def post(self, what: str, body: object = None) -> httpx.Response:
        return self.http.post(f"/api/tables/{self.table}{what}", json=body, headers=self.headers)

    def look(self) -> dict[str, Any]:
        answer = self.get()
        assert answer.status_code == 200, answer.text
        return answer.json()

    def act(self, ply: int, action: str) -> httpx.Response:
        return self.post("/actions", {"ply": ply, "action": action})

    def first_legal(self) -> httpx.Response:
        """Takes the first legal action."""
        board = self.look()
        return self.act(board["ply"], board["legal"][0])

    @contextlib.contextmanager
    def stream(self) -> Iterator[Iterator[dict[str, Any]]]:
        """The boards that the stream brings."""
        with self.http.stream(
            "GET", f"/api/tables/{self.table}/stream", headers=self.headers
        ) as answer:
            assert answer.status_code == 200
            yield _boards(answer.iter_lines())


def _boards(lines: Iterator[str]) -> Iterator[dict[str, Any]]:
    """A stream's boards; a stream that only beats its heart is given up in the end."""
    until = time.monotonic() + PATIENCE
    for line in lines:
        if line.startswith("data: "):
            yield json.loads(line.removeprefix("data: "))
            until = time.monotonic() + PATIENCE
        elif time.monotonic() > until:
            raise AssertionError("the stream brought nothing new")


def make(http: httpx.Client, kinds: str = "hh", **wish: Any) -> list[Client]:
    """A new table's clients, by seat: `h` a human, `b` a bot, `o` open."""
    names = {"h": "human", "b": "bot", "o": "open"}
    seats = [{"kind": names[kind]} for kind in kinds]
    answer = http.post("/api/tables", json={"seats": seats, **wish})
    assert answer.status_code == 201, answer.text
    made = answer.json()
    return [Client(http, made["id"], token) for token in made["tokens"]]


def mover(clients: list[Client]) -> Client:
    """Whose turn it is, once it is a client's."""
    board = wait_for(lambda: next((b for b in [clients[0].look()] if is_clients(b, clients)), None))
    return clients[board["player"]]


def is_clients(board: dict[str, Any], clients: list[Client]) -> bool:
    return board["player"] is not None and clients[board["player"]].token is not None


def wait_for(look: Callable[[], T | None]) -> T:
    """What `look` finds in the end."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        found = look()
        if found:
            return found
        time.sleep(0.01)
    raise AssertionError("it never happened")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


# Servers that are killed again and again: forked off a process that has imported everything.

_forks = multiprocessing.get_context("forkserver") if os.name == "posix" else None


def forked(data_dir: Path, port: int) -> multiprocessing.process.BaseProcess:
    """A server process of its own, soon to be killed."""
    _forks.set_forkserver_preload(["running"])
    process = _forks.Process(target=_serve, args=(data_dir, port))
    process.start()
    return process


def _serve(data_dir: Path, port: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the tests
    serving.serve(Settings(data_dir=data_dir, bot_pause=0.02), serving.listen("127.0.0.1", port))
