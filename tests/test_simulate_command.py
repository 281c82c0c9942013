"""``fugger simulate``: what it prints and writes, its exit codes, and Ctrl-C."""

import json
import os
import signal
import subprocess
import sys
import time

import pexpect
import pytest

from fugger import record
from fugger.arena import simulate
from fugger.cli import run

COMMAND = [sys.executable, "-m", "fugger", "simulate"]
FEW = ["simulate", "--games", "20", "--players", "2", "--seed", "3"]


def facts_of(capsys, *options):
    """The JSON object that a simulation of few games prints."""
    assert 0 == run([*FEW, "--json", *options])
    return json.loads(capsys.readouterr().out)


def test_json_has_the_documented_keys(capsys):
    facts = facts_of(capsys, "--bots", "greedy,random", "--target", "60")

    assert {
        "games": 20,
        "complete": True,
        "players": 2,
        "edition": "adlung",
        "target": 60,
        "first": None,
        "seed": 3,
    }.items() <= facts.items()
    assert {"seats", "rounds", "decisions", "seconds", "games_per_s"} < facts.keys()
    assert [(1, "greedy"), (2, "random")] == [(s["seat"], s["bot"]) for s in facts["seats"]]
    for seat in facts["seats"]:
        assert {"seat", "bot", "win_share", "money"} == seat.keys()
        for key in ("win_share", "money"):
            assert seat[key]["low"] < seat[key]["mean"] < seat[key]["high"]


def test_the_keys_are_in_the_help(capsys):
    keys = facts_of(capsys).keys()
    assert 0 == run(["simulate", "--help"])
    page = capsys.readouterr().out

    assert [] == [key for key in keys if key not in page]


def test_after_one_game_no_interval_of_the_money_is_known(capsys):
    assert 0 == run(["simulate", "--games", "1", "--players", "2", "--json"])
    money = json.loads(capsys.readouterr().out)["seats"][0]["money"]

    assert [None, None] == [money["low"], money["high"]]


def test_seats_and_the_starting_seat_are_counted_from_1(capsys):
    assert 2 == facts_of(capsys, "--first", "2")["first"]


def test_one_name_is_for_every_seat(capsys):
    assert ["random"] * 2 == [s["bot"] for s in facts_of(capsys, "--bots", "random")["seats"]]


def test_as_many_play_as_are_named(capsys):
    assert 0 == run(["simulate", "--games", "3", "--bots", "random,greedy,random,greedy", "--json"])
    assert 4 == json.loads(capsys.readouterr().out)["players"]


def test_the_table_is_plain_and_fits_into_80_columns(capsys):
    assert 0 == run(["simulate", "--games", "300", "--bots", "greedy,random", "--seed", "3"])
    shown = capsys.readouterr()

    result = simulate(["greedy", "random"], 300, seed=3)
    assert "" == shown.err
    assert shown.out.isascii()
    assert "\x1b" not in shown.out
    assert max(map(len, shown.out.splitlines())) <= 80
    assert f"{100 * result.seats[0].win_share.mean:.1f} %" in shown.out
    assert "300 games, edition adlung, to 100, starting: each seat in turn, seed 3" in shown.out


def test_records_to_a_file(capsys, tmp_path):
    file = tmp_path / "games.fgr"
    facts = facts_of(capsys, "--records", str(file))

    games = record.load(file)
    assert facts["seats"][1]["money"]["mean"] == sum(game.money[1] for game in games) / 20


def test_the_same_seed_writes_the_same_file_whatever_the_number_of_jobs(capsys, tmp_path):
    texts = set()
    for jobs in ("1", "2", "3"):
        file = tmp_path / f"{jobs}.fgr"
        assert 0 == run(
            ["simulate", "--games", "300", "--seed", "9", "--jobs", jobs, "--records", str(file)]
        )
        texts.add(file.read_bytes())

    assert 1 == len(texts)


def test_records_to_the_standard_output(capfdbinary):
    assert 0 == run([*FEW, "--records", "-", "--json"])
    shown = capfdbinary.readouterr()

    assert 20 == len(record.loads(shown.out))
    assert 20 == json.loads(shown.err)["games"]


KNOWN = "apprentice, journeyman, trader, factor, banker, greedy or random"


@pytest.mark.parametrize(
    ("message", "options"),
    [
        (
            f"'deep' is no bot: expected {KNOWN}",
            ["--bots", "deep"],
        ),
        (
            f"'' is no bot: expected {KNOWN}",
            ["--bots", "greedy,"],
        ),
        (
            "--bots names 2: expected 3, one for each of the --players, or one name for all",
            ["--bots", "greedy,random", "--players", "3"],
        ),
        ("players is 5: expected a whole number from 2 to 4", ["--bots", "random" + ",random" * 4]),
        ("'5' is not in the range", ["--players", "5"]),
        ("'french' is not one of 'adlung', 'rody'", ["--edition", "french"]),
        ("19 is not in the range 20<=x<=500", ["--target", "19"]),
        ("--first is 4: expected 1 to 3, as many as play", ["--first", "4"]),
        ("0 is not in the range x>=1", ["--games", "0"]),
        ("'x' is not a valid integer", ["--seed", "x"]),
        ("seed is -1: expected a whole number from 0 to 2**64 - 1", ["--seed", "-1"]),
        ("jobs is 0: expected a whole number from 1 to 256", ["--jobs", "0"]),
    ],
)
def test_bad_options_get_one_line_and_exit_code_2(capsys, message, options):
    assert 2 == run(["simulate", *options])
    *usage, error = capsys.readouterr().err.splitlines()

    assert error.startswith("Error: ")
    assert message.replace("'5'", "5") in error
    assert all(not line or line.startswith(("Usage:", "Try ")) for line in usage)


def test_records_that_can_t_be_written(capsys, tmp_path):
    file = tmp_path / "none" / "games.fgr"
    assert 2 == run(["simulate", "--games", "1000000000", "--records", str(file)])

    why = f"Error: the records can't be written: No such file or directory ({file})\n"
    assert why == capsys.readouterr().err


def test_records_to_a_folder(capsys, tmp_path):
    assert 2 == run([*FEW, "--records", str(tmp_path)])
    assert f"Is a directory ({tmp_path})\n" in capsys.readouterr().err


def test_ctrl_c_keeps_the_complete_games_and_prints_their_results(tmp_path):
    file, part = tmp_path / "games.fgr", tmp_path / "games.fgr.part"
    several_chunks = 200_000
    options = ["--games", "1000000000", "--players", "2", "--bots", "random", "--seed", "1"]
    process = subprocess.Popen(
        [*COMMAND, *options, "--records", str(file), "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        while not part.exists() or part.stat().st_size < several_chunks:
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    finally:
        process.kill()

    assert 130 == process.returncode
    assert b"" == err
    facts = json.loads(out)
    assert not facts["complete"]
    again = tmp_path / "again.fgr"
    simulate(["random"] * 2, facts["games"], seed=1, records=again)
    assert again.read_bytes() == file.read_bytes()
    assert not part.exists()


def test_a_reader_who_has_seen_enough(tmp_path):
    process = subprocess.Popen(
        [*COMMAND, "--games", "1000000000", "--records", "-"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        assert b'[Edition "adlung"]\n' == process.stdout.readline()
        process.stdout.close()
        assert b"" == process.stderr.read()
        assert 0 == process.wait()
    finally:
        process.kill()
        process.stderr.close()


def in_terminal(*options, **variables):
    """The command in a terminal."""
    return pexpect.spawn(
        COMMAND[0],
        [*COMMAND[1:], *options],
        env=os.environ | variables,
        encoding="utf-8",
        timeout=60,
    )


def test_in_a_terminal_the_progress_is_shown():
    terminal = in_terminal("--games", "5000", "--bots", "random", "--seed", "1", TERM="xterm")
    terminal.expect("[0-9]+/5000")
    terminal.expect("5,000 games, edition adlung")
    terminal.expect(pexpect.EOF)
    terminal.close()

    assert 0 == terminal.exitstatus


def test_in_a_terminal_a_cold_cache_is_told_of_and_ctrl_c_still_works(tmp_path):
    terminal = in_terminal("--games", "1", XDG_CACHE_HOME=str(tmp_path), TERM="xterm")
    terminal.expect("Compiling, once: this takes about half a minute.")
    terminal.sendintr()
    terminal.expect(pexpect.EOF)
    terminal.close()

    assert "Traceback" not in terminal.before
    assert 130 == terminal.exitstatus


def peak_memory(games):
    """The most memory, in bytes, that a simulation with records held."""
    options = ["--games", str(games), "--players", "2", "--bots", "random", "--records", os.devnull]
    process = subprocess.Popen([*COMMAND, *options], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert 0 == process.returncode
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def test_memory_does_not_grow_with_the_number_of_games():
    games = 25_000
    text_of_a_game = 700

    assert peak_memory(games) - peak_memory(1_000) < games * text_of_a_game / 2
