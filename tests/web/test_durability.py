"""A server that is killed at any moment loses nothing it has acknowledged."""

from __future__ import annotations

import random
import sqlite3
import threading
import time
from dataclasses import dataclass, field

import httpx
from running import PATIENCE, Client, forked, free_port, is_clients, make, wait_for

KILLS = 20
TABLES = ("hhh", "hb", "hh", "hbb", "hhbb", "hb")


@dataclass
class Guests:
    """Who plays at one table, whatever becomes of the server."""

    clients: list[Client]
    acknowledged: dict[int, str] = field(default_factory=dict)
    trouble: list[str] = field(default_factory=list)
    stop: threading.Event = field(default_factory=threading.Event)

    def play(self) -> None:
        """Plays until told to stop; remembers every action that was acknowledged."""
        rng = random.Random(len(self.acknowledged))
        while not self.stop.is_set():
            try:
                self._turn(rng)
            except httpx.TransportError:
                time.sleep(0.01)  # the server is dead; it will be back

    def _turn(self, rng: random.Random) -> None:
        board = self.clients[0].look()
        if not is_clients(board, self.clients):
            time.sleep(0.005)
            return
        actor = self.clients[board["player"]]
        board = actor.look()
        if not board["legal"]:
            return
        action = rng.choice(board["legal"])
        answer = actor.act(board["ply"], action)
        if answer.status_code == 200:
            self.acknowledged[board["ply"]] = action
        elif answer.status_code != 409:
            self.trouble.append(answer.text)


def started(data_dir, port, http):
    """A new server process, once it answers."""
    process = forked(data_dir, port)

    def answers():
        try:
            return http.get("/health").status_code == 200
        except httpx.TransportError:
            assert process.is_alive(), "the server didn't start again"
            return False

    wait_for(answers)
    return process


def test_twenty_kills_lose_nothing_acknowledged(tmp_path):
    port = free_port()
    rng = random.Random(20)
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE) as http:
        server = started(tmp_path, port, http)
        tables = [Guests(make(http, kinds, target=500)) for kinds in TABLES]
        threads = [threading.Thread(target=table.play) for table in tables]
        for thread in threads:
            thread.start()
        try:
            for _ in range(KILLS):
                time.sleep(rng.uniform(0.02, 0.3))
                server.kill()
                server.join()
                server = started(tmp_path, port, http)
            # Every table goes on, the bots' turns too.
            for table in tables:
                ply = table.clients[0].look()["ply"]
                wait_for(lambda t=table, p=ply: t.clients[0].look()["ply"] > p + 3)
        finally:
            for table in tables:
                table.stop.set()
            for thread in threads:
                thread.join(PATIENCE)
            server.kill()
            server.join()
    kept = {}
    with sqlite3.connect(tmp_path / "fugger.sqlite") as database:
        for game, ply, action in database.execute("SELECT game, ply, action FROM events"):
            kept.setdefault(game, {})[ply] = action
    database.close()
    for table in tables:
        assert [] == table.trouble
        events = kept[table.clients[0].table]
        assert sorted(events) == list(range(len(events)))
        assert table.acknowledged.items() <= events.items()
    assert sum(len(table.acknowledged) for table in tables) > KILLS
