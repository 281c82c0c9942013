"""`fugger serve`, and `fugger` alone, as processes of their own."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import sqlite3
import subprocess
import sys

import pytest
from running import PATIENCE, Process, make, mover

from fugger.cli import run
from fugger.commands.serve import _checked_url
from fugger.web.serving import listen


def refused(capfd, *options: str) -> str:
    """The one line with which a server doesn't start."""
    assert 2 == run(["serve", *options])
    out, err = capfd.readouterr()
    assert "" == out
    assert 1 == err.count("\n"), err
    return err


def test_it_says_where_it_is_and_nothing_else(tmp_path):
    with Process(tmp_path / "new" / "data") as server:
        assert {"status": "ok"} == server.client.get("/health").json()
        server.process.send_signal(signal.SIGTERM)
        assert 0 == server.process.wait(PATIENCE)
        assert ("", "") == (server.process.stdout.read(), server.complaints())


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_it_stops_soon_with_streams_open_and_keeps_every_table(tmp_path, how):
    with Process(tmp_path) as server:
        clients = make(server.client)
        board = mover(clients).first_legal().json()
        with clients[0].stream() as boards:
            next(boards)
            # Well below the time after which open requests are broken off, which is a fault.
            server.process.send_signal(how)
            assert [] == list(boards)
        assert 0 == server.process.wait(PATIENCE)
        assert "" == server.complaints()
    with Process(tmp_path) as server:
        for client in clients:
            client.http = server.client
        assert board["ply"] == clients[0].look()["ply"]
        assert 200 == mover(clients).first_legal().status_code


def test_the_secret_key_is_its_owners_alone(tmp_path):
    with Process(tmp_path):
        assert 0o600 == (tmp_path / "secret.key").stat().st_mode & 0o777


def test_a_port_in_use(tmp_path, capfd):
    with listen("127.0.0.1", 0) as taken:
        port = str(taken.getsockname()[1])
        said = refused(capfd, "--port", port, "--data-dir", str(tmp_path))

    assert f"127.0.0.1 port {port} can't be served: address already in use" in said
    assert "--port" in said


@pytest.mark.parametrize("host", ["no.invalid", "a..b", "x" * 64 + ".example", "é" * 64])
def test_a_host_that_is_none(tmp_path, capfd, host):
    said = refused(capfd, "--host", host, "--data-dir", str(tmp_path))

    assert f"there is no host '{host[:20]}" in said


def test_an_address_of_another_machine(tmp_path, capfd):
    said = refused(capfd, "--host", "192.0.2.1", "--port", "0", "--data-dir", str(tmp_path))

    assert "192.0.2.1 port 0 can't be served" in said


def test_a_data_folder_that_cant_be_written(tmp_path, capfd):
    (tmp_path / "file").touch()
    said = refused(capfd, "--port", "0", "--data-dir", str(tmp_path / "file" / "folder"))

    assert "can't be written: not a directory" in said.lower()
    assert "--data-dir" in said


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("mysql://x/y", "is no database this can use"),
        ("nonsense", "is no database this can use"),
        ("sqlite://", "names no file"),
        ("sqlite:///:memory:", "names no file"),
        ("sqlite:////nowhere/at/all.sqlite", "No such file or directory"),
        ("postgresql://a:secret@127.0.0.1:1/x", "can't be opened"),
        ("postgresql://a:secret@127.0.0.1:many/x", "can't be opened"),
    ],
)
def test_a_database_that_cant_be_opened(tmp_path, capfd, url, why):
    said = refused(capfd, "--port", "0", "--data-dir", str(tmp_path), "--database", url)

    assert why in said
    assert "secret" not in said


def test_a_file_that_is_no_database(tmp_path, capfd):
    (tmp_path / "fugger.sqlite").write_text("This is a letter to Anton.\n" * 100)

    assert "file is not a database" in refused(capfd, "--port", "0", "--data-dir", str(tmp_path))


def test_a_database_of_a_newer_version(tmp_path, capfd):
    with contextlib.closing(sqlite3.connect(tmp_path / "fugger.sqlite")) as database, database:
        database.execute("CREATE TABLE alembic_version (version_num VARCHAR(32))")
        database.execute("INSERT INTO alembic_version VALUES ('9999')")

    said = refused(capfd, "--port", "0", "--data-dir", str(tmp_path))

    assert "its revision 9999 is none of this fugger's" in said


def test_a_full_disk(tmp_path):
    # No file of this process may grow: as on a full disk, but for the error's name.
    limited = "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)); "
    started = "from fugger.cli import run; sys.exit(run(sys.argv[1:]))"
    done = subprocess.run(
        [sys.executable, "-c", limited + started, "serve", "--port", "0", "--data-dir", tmp_path],
        stderr=subprocess.PIPE,
        text=True,
        timeout=PATIENCE,
        check=False,
    )

    assert 2 == done.returncode
    assert f"the secret key {tmp_path / 'secret.key'} can't be made: File too large" in done.stderr
    assert 1 == done.stderr.count("\n")
    assert [tmp_path / "fugger.sqlite.server"] == list(tmp_path.iterdir())


def test_a_pause_that_is_no_number(capfd):
    assert "nan is not in the range" in refused(capfd, "--bot-pause", "nan")


def test_a_secret_key_that_is_none(tmp_path, capfd):
    (tmp_path / "secret.key").write_text("short")

    assert "secret.key can't be read" in refused(capfd, "--port", "0", "--data-dir", str(tmp_path))


@pytest.mark.parametrize(
    "url",
    [
        "play.example",
        "ftp://x",
        "https://",
        "https://x/path",
        "https://x:port",
        "https://a@x",
        "http://a b",
        "http://a<b",
        "http://x:0",
    ],
)
def test_a_public_url_that_is_none(tmp_path, capfd, url):
    said = refused(capfd, "--port", "0", "--data-dir", str(tmp_path), "--public-url", url)

    assert "expected http(s)://HOST" in said


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://Play.Example/", "https://play.example"),
        ("https://play.example:443", "https://play.example"),
        ("http://play.example:80", "http://play.example"),
        ("http://[::1]:8484", "http://[::1]:8484"),
    ],
)
def test_a_public_url_is_written_as_browsers_write_origins(url, origin):
    assert origin == _checked_url(url)


def test_one_server_to_a_database_file(tmp_path, capfd):
    with Process(tmp_path) as server:
        said = refused(capfd, "--port", "0", "--data-dir", str(tmp_path))
        assert f"is served already at {server.url}" in said
        server.process.kill()
        server.process.wait()
    with Process(tmp_path) as server:  # a server that was killed leaves no lock
        assert 200 == server.client.get("/health").status_code


def test_the_network_gets_an_address_and_a_qr_code(tmp_path):
    with Process(tmp_path, "--lan") as server:
        code = "".join(server.process.stdout.readline() for _ in range(10))
        port = int(server.url.rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port), PATIENCE):
            pass

    assert not server.url.startswith("http://0.0.0.0")
    assert "\u2588" in code


def test_lan_with_a_host_is_a_contradiction(capfd):
    assert "leave --host out" in _usage(capfd, "serve", "--lan", "--host", "127.0.0.1")


def _usage(capfd, *words: str) -> str:
    assert 2 == run(list(words))
    return capfd.readouterr().err


def alone(data_dir, **more: str) -> subprocess.Popen[str]:
    """`fugger` without a word, on a computer without a window."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in {"DISPLAY", "WAYLAND_DISPLAY", "BROWSER"}
    }
    return subprocess.Popen(
        [sys.executable, "-m", "fugger"],
        env=environment | {"FUGGER_DATA_DIR": str(data_dir)} | more,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_fugger_alone_serves_this_computer_and_finds_itself_again(tmp_path):
    first = alone(tmp_path)
    line = first.stdout.readline()
    assert line.startswith("fugger is at http://127.0.0.1:8"), line + first.stderr.read()
    second = alone(tmp_path)
    out, err = second.communicate(timeout=PATIENCE)
    first.terminate()
    first.communicate(timeout=PATIENCE)

    address = line.split()[3]
    assert (0, f"fugger is at {address} already\n", "") == (second.returncode, out, err)
    assert 0 == first.returncode


def test_fugger_alone_takes_the_next_port_and_opens_the_browser(tmp_path):
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > "{tmp_path}/opened"\n')
    browser.chmod(0o700)
    first = alone(tmp_path / "a", BROWSER=f"{browser} %s")
    address = first.stdout.readline().split()[3]
    second = alone(tmp_path / "b")
    other = second.stdout.readline().split()[3]
    first.terminate()
    second.terminate()
    for one in (first, second):
        one.communicate(timeout=PATIENCE)

    assert address != other
    assert address == (tmp_path / "opened").read_text().strip()


def test_nothing_heavy_is_imported_to_serve():
    code = "import fugger.web.serving, sys; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "False\n" == done.stdout


def test_help_imports_nothing_of_the_server():
    code = (
        "import sys; from fugger.cli import run; run(['serve', '--help']);"
        "print([name for name in ('litestar', 'sqlalchemy', 'uvicorn') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.endswith("[]\n")
    assert "--bot-pause" in done.stdout
