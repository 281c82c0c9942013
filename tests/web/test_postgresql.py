"""Two servers on one PostgreSQL database: they agree on every table, whatever happens."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from running import Client, Process, free_port, is_clients, make, wait_for

if TYPE_CHECKING:
    from collections.abc import Iterator


def programs() -> Path:
    """The folder of PostgreSQL's programs: the newest of Debian's, or wherever initdb is."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    found = str(debian[-1]) if debian else shutil.which("initdb")
    assert found, "PostgreSQL isn't installed: these tests need its server (initdb, postgres)"
    return Path(found).parent


class Database:
    """A PostgreSQL server in a folder of its own. It doesn't run as root, so nor do we, for it."""

    def __init__(self) -> None:
        # Not below pytest's folders, which another user may not enter.
        self.folder, self.port = Path(tempfile.mkdtemp(prefix="fugger-")), free_port()
        self._as = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        if self._as:
            shutil.chown(self.folder, "postgres", "postgres")
        self._run("initdb", "-D", ".", "-U", "fugger", "--auth=trust", "--no-sync")
        self.start()
        self.url = f"postgresql://fugger@127.0.0.1:{self.port}/postgres"

    def sql(self, statement: str) -> str:
        """What a statement answers."""
        return self._run(
            "psql", "-h", "127.0.0.1", "-p", str(self.port), "-U", "fugger", "-d", "postgres",
            "-At", "-c", statement,
        )  # fmt: skip

    def start(self) -> None:
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c fsync=off -k {self.folder}"
        self._run("pg_ctl", "-D", ".", "-w", "-o", options, "-l", "log", "start")

    def stop(self, mode: str = "immediate") -> None:
        self._run("pg_ctl", "-D", ".", "-w", "-m", mode, "stop")

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.folder)

    def _run(self, name: str, *words: str) -> str:
        done = subprocess.run(
            [*self._as, str(programs() / name), *words],
            cwd=self.folder,
            capture_output=name == "psql",
            stdout=None if name == "psql" else subprocess.DEVNULL,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == 0, (name, done.stderr)
        return (done.stdout or "").strip()


@pytest.fixture(scope="module")
def database() -> Iterator[Database]:
    started = Database()
    yield started
    started.remove()


@pytest.fixture(scope="module")
def servers(database, tmp_path_factory) -> Iterator[tuple[Process, Process]]:
    """Two servers that are started at once on an empty database, with one data folder."""
    folder = tmp_path_factory.mktemp("data")
    options = ("--database", database.url, "--bot-pause", "0")
    one, other = Process(folder, *options), Process(folder, *options)
    with one, other:
        yield one, other


def at(server: Process, client: Client) -> Client:
    """The same seat at another server."""
    return Client(server.client, client.table, client.token)


def test_both_are_well(servers):
    assert [{"status": "ok"}] * 2 == [server.client.get("/health").json() for server in servers]


def test_a_move_at_one_appears_at_the_others_stream(servers):
    one, other = servers
    clients = make(one.client, "hh", first=0)

    with at(other, clients[1]).stream() as boards:
        assert 1 == next(boards)["ply"]
        after = clients[0].first_legal().json()
        board = next(boards)
        assert (2, 1) == (board["ply"], board["seat"])
        assert after["prices"] == board["prices"]
        at(other, clients[1]).first_legal()
        assert 3 == next(boards)["ply"]
    assert (
        3 == wait_for(lambda: next((b for b in [clients[0].look()] if b["ply"] == 3), None))["ply"]
    )


def test_the_same_ply_at_both_is_taken_once(servers, database):
    one, other = servers
    for _ in range(10):
        clients = make(one.client, "hh", first=0)
        action = at(other, clients[0]).look()["legal"][0]
        answers = []

        def post(server, client=clients[0], action=action, answers=answers):
            answers.append(at(server, client).act(1, action).status_code)

        posts = [threading.Thread(target=post, args=(server,)) for server in servers]
        for one_post in posts:
            one_post.start()
        for one_post in posts:
            one_post.join()
        assert [200, 409] == sorted(answers)
        kept = f"SELECT count(*) FROM events WHERE game = '{clients[0].table}' AND ply = 1"
        assert "1" == database.sql(kept)


def test_a_seat_is_given_once(servers):
    one, _ = servers
    for _ in range(5):
        (table, *_) = make(one.client, "oo")
        answers = []

        def sit(server, table=table.table, answers=answers):
            answers.append(
                server.client.post(
                    f"/api/tables/{table}/seats", json={"name": "Anna", "seat": 0}
                ).status_code
            )

        rivals = [threading.Thread(target=sit, args=(server,)) for server in servers]
        for rival in rivals:
            rival.start()
        for rival in rivals:
            rival.join()
        assert [201, 409] == sorted(answers)


def test_a_whole_game_at_both_with_a_bot(servers):
    one, other = servers
    clients = make(one.client, "hbh", target=20)
    turns = 0
    while True:
        server = servers[turns % 2]
        here = [at(server, client) for client in clients]
        board = here[0].look()
        if board["phase"] == "over":
            break
        # What the other server did may not have been heard of yet: then the board is old.
        if is_clients(board, here) and (legal := here[board["player"]].look()["legal"]):
            answer = here[board["player"]].act(board["ply"], legal[-1])
            assert answer.status_code in {200, 409}
            turns += answer.status_code == 200
    ends = [
        wait_for(lambda s=s: next((b for b in [at(s, clients[0]).look()] if b["seed"]), None))
        for s in (one, other)
    ]
    assert ends[0] == ends[1]


def test_both_go_on_when_the_database_has_hung_up(servers, database):
    one, other = servers
    clients = make(one.client, "hh", first=0)
    with at(other, clients[1]).stream() as boards:
        next(boards)
        database.sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
        # What was under way then may fail, and says so; afterwards all is as before.
        board = wait_for(
            lambda: next(
                (a.json() for a in [clients[0].first_legal()] if a.status_code == 200), None
            )
        )
        assert any(brought["ply"] == board["ply"] for brought in boards)
        at(other, clients[1]).first_legal()
        assert any(brought["ply"] == board["ply"] + 1 for brought in boards)


def test_a_database_that_is_gone_is_told_and_nothing_is_lost(servers, database):
    clients = make(servers[0].client, "hh", first=0)
    before = clients[0].look()
    database.stop("fast")
    try:
        answer = clients[0].first_legal()
        page = servers[0].client.post(
            "/play", data={"name": "A"}, headers={"Accept-Language": "hu"}
        )
        health = servers[0].client.get("/health")
        during = clients[0].look()
    finally:
        database.start()

    assert [503, 503, 503] == [answer.status_code, page.status_code, health.status_code]
    assert "database" == answer.json()["reason"]
    assert '<html lang="hu"' in page.text
    assert before == during
    wait_for(lambda: clients[0].first_legal().status_code == 200)
