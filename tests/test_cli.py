"""What holds for every command: one line for every mistake, whatever the streams are."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from fugger import cli

RECORD = Path(__file__).parent / "golden" / "adlung-3-95.fgr"


def fugger(*arguments, environment=(), **streams):
    """Runs the command in a process of its own: its exit code and what it wrote."""
    done = subprocess.run(
        [sys.executable, "-m", "fugger", *arguments],
        env=os.environ | {"LC_ALL": "C.UTF-8"} | dict(environment),
        check=False,
        **{"stdin": subprocess.DEVNULL, "capture_output": True, **streams},
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("message", "command", "arguments"),
    [
        ("No such option '--bad'", "", ["--bad"]),
        ("No such command 'solve'", "", ["solve"]),
        ("Missing argument 'FILE'", "replay ", []),
        (
            "Invalid value for '--players': 'two' is no whole number: expected one from 2 to 4",
            "play ",
            ["--players", "two"],
        ),
        (
            "Invalid value for '--games': '1e3' is no whole number: expected one from 1",
            "simulate ",
            ["--games", "1e3"],
        ),
        (
            "Invalid value for '--target': 19 is not in the range 20<=x<=500",
            "play ",
            ["--target", "19"],
        ),
        (
            r"Invalid value for 'FILE': 'a\nb': No such file or directory",
            "verify ",
            ["a\nb"],
        ),
    ],
)
def test_a_mistake_on_the_command_line_gets_one_line(capsys, message, command, arguments):
    assert 2 == cli.run([*command.split(), *arguments])
    line = f"Error: {message} (see fugger {command}--help)\n"
    assert ("", line) == tuple(capsys.readouterr())


@pytest.mark.parametrize("command", [["rules"], ["replay", str(RECORD)], ["replay", "--json", "-"]])
def test_a_process_without_streams_does_its_work_unseen(command, tmp_path):
    line = '"$0" -m fugger "$@" <&- >&- 2>error'
    done = subprocess.run(
        ["/bin/sh", "-c", line, sys.executable, *command], cwd=tmp_path, check=False
    )

    nothing_read = "Error: line 1, column 1: there is no game in this file\n"
    expected = (2, nothing_read) if "-" in command else (0, "")
    assert expected == (done.returncode, (tmp_path / "error").read_text())


def test_nobody_to_ask_is_the_end_of_the_input(tmp_path):
    line = '"$0" -m fugger play --new <&-'
    environment = os.environ | {"FUGGER_DATA_DIR": str(tmp_path)}
    done = subprocess.run(
        ["/bin/sh", "-c", line, sys.executable], env=environment, capture_output=True, check=False
    )

    assert (0, b"") == (done.returncode, done.stderr)
    assert b"The game is saved." in done.stdout


def test_a_seed_that_is_no_unicode_is_a_seed(tmp_path):
    games = []
    for folder in (tmp_path / "one", tmp_path / "two"):
        code, _, errors = fugger(
            "play", "--new", "--seed", b"\xff\xfe", environment={"FUGGER_DATA_DIR": str(folder)}
        )
        assert (0, b"") == (code, errors)
        (file,) = folder.glob("unfinished/*.fgr")
        games.append(file.read_text().split("\n\n")[1])
    assert games[0] == games[1]


@pytest.mark.parametrize("columns", ["1", "5", "20"])
def test_the_narrowest_terminal_stops_nothing(columns):
    for command in (["rules"], ["replay", "--step", str(RECORD)]):
        code, shown, errors = fugger(*command, environment={"COLUMNS": columns})
        assert (0, b"") == (code, errors)
        assert shown
