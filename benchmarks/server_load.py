"""How many guests a server bears: tables of three seats played through the JSON API and streams.

Starts `fugger serve` on an SQLite database of its own and plays in two ways, each for a while:

paced      every table acts about once a second, all seats follow their streams; measured are the
           times from an action to its answer, and to the other seats' streams
throttle   every table acts again as soon as its last action is answered; measured is how many
           actions a second are acknowledged

Clients are plain sockets that read no more of an answer than they need, so that on two cores the
server is what is measured. Every action is on the disk before it is answered.

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

SEATS = 3
HOST = "127.0.0.1"
_PLY = re.compile(rb'"ply":(\d+)')
_PLAYER = re.compile(rb'"player":(\d+|null)')
_LEGAL = re.compile(rb'"legal":\[([^\]]*)\]')
_PHASE = re.compile(rb'"phase":"(\w+)"')


@dataclass
class Board:
    """What a client needs of a table as its seat sees it."""

    ply: int
    player: int | None
    legal: list[str]
    over: bool

    @classmethod
    def read(cls, body: bytes) -> Board:
        """Finds it in an answer's or an event's JSON."""
        player = _PLAYER.search(body)[1]
        return cls(
            int(_PLY.search(body)[1]),
            None if player == b"null" else int(player),
            [text.strip('"') for text in _LEGAL.search(body)[1].decode().split(",") if text],
            _PHASE.search(body)[1] == b"over",
        )


@dataclass
class Seat:
    """A seat's connection for requests and its stream."""

    port: int
    token: str
    table: str
    boards: dict[int, float] = field(default_factory=dict)  # when the stream brought each ply
    newest: Board | None = None
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    reader: asyncio.StreamReader | None = None
    writer: asyncio.StreamWriter | None = None

    async def post(self, path: str, body: dict[str, object]) -> tuple[int, bytes]:
        """Posts JSON over a connection that is kept."""
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection(HOST, self.port)
        data = json.dumps(body).encode()
        self.writer.write(
            f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            f"Authorization: Bearer {self.token}\r\nContent-Length: {len(data)}\r\n\r\n".encode()
            + data
        )
        head = await self.reader.readuntil(b"\r\n\r\n")
        length = int(re.search(rb"content-length: (\d+)", head)[1])
        return int(head[9:12]), await self.reader.readexactly(length)

    async def follow(self) -> None:
        """Reads the stream for ever."""
        reader, writer = await asyncio.open_connection(HOST, self.port, limit=1 << 20)
        writer.write(
            f"GET /api/tables/{self.table}/stream HTTP/1.1\r\nHost: x\r\n"
            f"Authorization: Bearer {self.token}\r\n\r\n".encode()
        )
        try:
            while True:
                line = await reader.readuntil(b"\n")
                if line.startswith(b"data:"):
                    self.newest = Board.read(line)
                    self.boards[self.newest.ply] = time.perf_counter()
                    self.changed.set()
        finally:
            writer.close()


@dataclass
class Measured:
    """Times in seconds, and what was counted."""

    answers: list[float] = field(default_factory=list)
    streams: list[float] = field(default_factory=list)
    actions: int = 0
    games: int = 0


async def make_table(port: int) -> list[Seat]:
    """A new table's seats, their streams not yet open."""
    maker = Seat(port, "", "")
    seats = [{"kind": "human"} for _ in range(SEATS)]
    status, body = await maker.post("/api/tables", {"seats": seats})
    maker.writer.close()
    if status != 201:
        raise RuntimeError(f"no table could be made: {status} {body!r}")
    made = json.loads(body)
    return [Seat(port, token, made["id"]) for token in made["tokens"]]


async def play_game(
    seats: list[Seat], pace: float | None, until: float, measured: Measured
) -> None:
    """Plays a table's game, as far as it gets; pace is seconds between actions, or None."""
    choose = random.Random(0)
    if pace is not None:
        await asyncio.sleep(random.uniform(0, pace))
    board = seats[0].newest
    while not board.over and time.perf_counter() < until:
        seat = seats[board.player]
        while seat.newest.ply < board.ply:
            seat.changed.clear()
            await seat.changed.wait()
        begun = time.perf_counter()
        status, body = await seat.post(
            f"/api/tables/{seat.table}/actions",
            {"ply": board.ply, "action": choose.choice(seat.newest.legal)},
        )
        answered = time.perf_counter()
        if status != 200:
            raise RuntimeError(f"an action was refused: {status} {body!r}")
        board = Board.read(body)
        measured.actions += 1
        measured.answers.append(answered - begun)
        if pace is not None:
            await asyncio.sleep(max(0.0, begun + pace - time.perf_counter()))
            measured.streams += [
                other.boards[board.ply] - begun
                for other in seats
                if other is not seat and board.ply in other.boards
            ]
    measured.games += board.over


async def play_table(port: int, pace: float | None, until: float, measured: Measured) -> None:
    """Plays one table after another until a moment."""
    while time.perf_counter() < until:
        seats = await make_table(port)
        following = [asyncio.create_task(seat.follow()) for seat in seats]
        while any(seat.newest is None for seat in seats):
            await asyncio.sleep(0.01)
        await play_game(seats, pace, until, measured)
        for task in following:
            task.cancel()
        await asyncio.gather(*following, return_exceptions=True)
        for seat in seats:
            if seat.writer is not None:
                seat.writer.close()


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
    cpu, begun = cpu_of(server), time.perf_counter()
    measured = asyncio.run(run(port, tables, pace, seconds))
    took = time.perf_counter() - begun
    result = {
        "actions": measured.actions,
        "games": measured.games,
        "actions_per_s": round(measured.actions / took, 1),
        "answer_ms": percentiles(measured.answers),
    }
    if measured.streams:
        result["stream_ms"] = percentiles(measured.streams)
    result["server_cores"] = round((cpu_of(server) - cpu) / took, 2)
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
