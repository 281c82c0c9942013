"""How many guests a server bears: tables of three seats played through the JSON API and streams.

Starts `fugger serve` on an SQLite database of its own and plays in two ways, each for a while:

paced      every table acts about once a second, all seats follow their streams; measured are the
           times from an action to its answer, and to the other seats' streams
throttle   every table acts again as soon as its last action is answered; measured is how many
           actions a second are acknowledged

Clients are plain sockets that read no more of an answer than they need, so that on two cores the
server is what is measured. Every action is on the disk before it is answered. Where other programs
run beside it, the server's processor time per action tells more than the rate.

    uv run python benchmarks/server_load.py [--tables 50] [--seconds 20] [--json]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import uvloop

SEATS = 3
HOST = "127.0.0.1"
_PLY = re.compile(rb'"ply":(\d+)')
_PLAYER = re.compile(rb'"player":(\d+|null)')
_LEGAL = re.compile(rb'"legal":\[([^\]]*)\]')
_LENGTH = re.compile(rb"content-length: (\d+)")


@dataclass(slots=True)
class Board:
    """What a client needs of a table as its seat sees it, found in an answer's or event's JSON."""

    body: bytes
    ply: int

    @classmethod
    def read(cls, body: bytes) -> Board:
        """The board of some JSON."""
        return cls(body, int(_PLY.search(body)[1]))

    @property
    def player(self) -> int | None:
        """Who is to act."""
        player = _PLAYER.search(self.body)[1]
        return None if player == b"null" else int(player)

    @property
    def legal(self) -> list[str]:
        """What the seat may do."""
        return [text.strip('"') for text in _LEGAL.search(self.body)[1].decode().split(",")]


class Requests(asyncio.Protocol):
    """A connection for requests, one after the other."""

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Begins."""
        self.transport = transport
        self._heard, self._answer = b"", None

    def data_received(self, data: bytes) -> None:
        """Takes in a part of an answer."""
        heard = self._heard = self._heard + data
        end = heard.find(b"\r\n\r\n") + 4
        if end > 3 and len(heard) >= end + int(_LENGTH.search(heard, 0, end)[1]):
            self._heard = b""
            self._answer.set_result((int(heard[9:12]), heard[end:]))

    def connection_lost(self, error: Exception | None) -> None:
        """Whoever waits for an answer waits in vain."""
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(error or EOFError("the server hung up"))

    def post(self, path: str, body: str, header: str = "") -> asyncio.Future[tuple[int, bytes]]:
        """Posts JSON; its answer's status and body."""
        self._answer = asyncio.get_running_loop().create_future()
        self.transport.write(
            f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            f"{header}\r\nContent-Length: {len(body)}\r\n\r\n"
            f"{body}".encode()
        )
        return self._answer


class Stream(asyncio.Protocol):
    """A seat's stream.

    Attributes:
        newest: the board it brought last.
        came: when it brought each ply's.
    """

    def __init__(self, table: str, token: str, address: str) -> None:
        self.newest: Board | None = None
        self.came: dict[int, float] = {}
        self._heard = b""
        self._awaited: tuple[int, asyncio.Future[Board]] | None = None
        self._request = (
            f"GET /api/tables/{table}/stream HTTP/1.1\r\nHost: x\r\n"
            f"X-Forwarded-For: {address}\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
        )

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Asks for the stream."""
        self.transport = transport
        transport.write(self._request)

    def connection_lost(self, error: Exception | None) -> None:
        """Whoever waits for a board waits in vain."""
        if self._awaited is not None:
            self._awaited[1].set_exception(error or EOFError("the server hung up"))

    def data_received(self, data: bytes) -> None:
        """Takes in a part of the stream."""
        self._heard += data
        end = self._heard.rfind(b"\n\n")
        begin = self._heard.rfind(b"\ndata: ", 0, max(end, 0))
        if begin < 0:
            return
        self.newest = Board.read(self._heard[begin:end])
        self._heard = self._heard[end:]
        self.came[self.newest.ply] = time.perf_counter()
        if self._awaited is not None and self.newest.ply >= self._awaited[0]:
            self._awaited[1].set_result(self.newest)
            self._awaited = None

    def at(self, ply: int) -> asyncio.Future[Board]:
        """A board of this ply or a later one."""
        found = asyncio.get_running_loop().create_future()
        if self.newest is not None and self.newest.ply >= ply:
            found.set_result(self.newest)
        else:
            self._awaited = (ply, found)
        return found


@dataclass(slots=True)
class Seat:
    """A seat: its connection for requests, and its stream."""

    table: str
    token: str
    requests: Requests
    stream: Stream

    @classmethod
    async def taken(cls, port: int, table: str, token: str, address: str) -> Seat:
        """A seat with its connections open."""
        loop = asyncio.get_running_loop()
        _, stream = await loop.create_connection(lambda: Stream(table, token, address), HOST, port)
        _, requests = await loop.create_connection(Requests, HOST, port)
        return cls(table, token, requests, stream)

    def act(self, ply: int, action: str) -> asyncio.Future[tuple[int, bytes]]:
        """Takes an action."""
        body = f'{{"ply":{ply},"action":"{action}"}}'
        path = f"/api/tables/{self.table}/actions"
        return self.requests.post(path, body, f"Authorization: Bearer {self.token}")

    def leave(self) -> None:
        """Hangs up."""
        self.requests.transport.close()
        self.stream.transport.close()


@dataclass
class Measured:
    """Times in seconds, and what was counted."""

    answers: list[float] = field(default_factory=list)
    streams: list[float] = field(default_factory=list)
    actions: int = 0
    games: int = 0


async def make_table(port: int) -> list[Seat]:
    """A new table's seats: guests from an address of their own, as a proxy tells it."""
    address = f"198.18.{random.randrange(256)}.{random.randrange(256)}"
    loop = asyncio.get_running_loop()
    _, maker = await loop.create_connection(Requests, HOST, port)
    wish = json.dumps({"seats": [{"kind": "human"}] * SEATS})
    status, body = await maker.post("/api/tables", wish, f"X-Forwarded-For: {address}")
    maker.transport.close()
    if status != 201:
        raise RuntimeError(f"no table could be made: {status} {body!r}")
    made = json.loads(body)
    return [await Seat.taken(port, made["id"], token, address) for token in made["tokens"]]


async def play_game(
    seats: list[Seat], pace: float | None, until: float, measured: Measured
) -> None:
    """Plays a table's game, as far as it gets; pace is seconds between actions, or None."""
    choose = random.Random(0)
    if pace is not None:
        await asyncio.sleep(random.uniform(0, pace))
    board = await seats[0].stream.at(1)
    while (player := board.player) is not None and time.perf_counter() < until:
        seat = seats[player]
        own = await seat.stream.at(board.ply)
        begun = time.perf_counter()
        status, body = await seat.act(board.ply, choose.choice(own.legal))
        answered = time.perf_counter()
        if status != 200:
            raise RuntimeError(f"an action was refused: {status} {body!r}")
        board = Board.read(body)
        measured.actions += 1
        measured.answers.append(answered - begun)
        if pace is not None:
            await asyncio.sleep(max(0.0, begun + pace - time.perf_counter()))
            measured.streams += [
                other.stream.came[board.ply] - begun
                for other in seats
                if other is not seat and board.ply in other.stream.came
            ]
    measured.games += player is None


async def play_table(port: int, pace: float | None, until: float, measured: Measured) -> None:
    """Plays one table after another until a moment."""
    while time.perf_counter() < until:
        seats = await make_table(port)
        await play_game(seats, pace, until, measured)
        for seat in seats:
            seat.leave()


async def run(port: int, tables: int, pace: float | None, seconds: float) -> Measured:
    """All tables together."""
    measured = Measured()
    until = time.perf_counter() + seconds
    await asyncio.gather(*(play_table(port, pace, until, measured) for _ in range(tables)))
    return measured


def percentiles(values: list[float]) -> dict[str, float]:
    """The middle and the 99th percentile, in milliseconds."""
    ordered = sorted(values)
    return {
        f"p{part}": round(1000 * ordered[part * (len(ordered) - 1) // 100], 1) for part in (50, 99)
    }


def peak_memory_of(pid: int) -> float:
    """The most memory a process has had resident, in MB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return round(int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024, 1)


def cpu_of(pid: int) -> float:
    """A process's processor time in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(server: int, port: int, tables: int, pace: float | None, seconds: float) -> dict:
    """Plays in one way; what came of it."""
    cpu, own, begun = cpu_of(server), time.process_time(), time.perf_counter()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        measured = runner.run(run(port, tables, pace, seconds))
    took, cpu, own = time.perf_counter() - begun, cpu_of(server) - cpu, time.process_time() - own
    result = {
        "actions": measured.actions,
        "games": measured.games,
        "actions_per_s": round(measured.actions / took, 1),
        "answer_ms": percentiles(measured.answers),
    }
    if measured.streams:
        result["stream_ms"] = percentiles(measured.streams)
    result["server_cores"] = round(cpu / took, 2)
    result["guests_cores"] = round(own / took, 2)
    result["server_cpu_ms_per_action"] = round(1000 * cpu / measured.actions, 3)
    result["server_peak_mb"] = peak_memory_of(server)
    return result


def main() -> None:
    """Runs both ways and prints what was measured."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=20.0, help="for each of the two ways")
    parser.add_argument("--folder", help="where the database goes (default: a temporary folder)")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        command = [sys.executable, "-m", "fugger", "serve", "--port", "0", "--data-dir", folder]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            port = int(re.search(r":(\d+) ", server.stdout.readline())[1])
            results = {
                name: measure(server.pid, port, options.tables, pace, options.seconds)
                for name, pace in (("paced", 1.0), ("throttle", None))
            }
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait()
    if options.json:
        about = {"cores": os.cpu_count(), "python": platform.python_version()}
        print(json.dumps({"tables": options.tables, **about, **results}))
        return
    print(f"{options.tables} tables of {SEATS} seats, {SEATS * options.tables} streams, SQLite")
    print(f"{'':24}{'paced':>12}{'throttle':>12}")
    for key in results["paced"]:
        pairs = [results[name].get(key, {}) for name in ("paced", "throttle")]
        for part in pairs[0] if isinstance(pairs[0], dict) else [""]:
            values = [one.get(part, "") if isinstance(one, dict) else one for one in pairs]
            print(f"{(key + ' ' + part).strip():24}{values[0]:>12}{values[1]:>12}")


if __name__ == "__main__":
    main()
