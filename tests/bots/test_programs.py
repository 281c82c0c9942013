"""Programs as players: they play whole games, and whatever they do wrong is a clear forfeit."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import deque
from pathlib import Path

import pytest
from playing import PATIENT, at_first_decision, place_of, play

from fugger import SetupError
from fugger.bots.players import Forfeit
from fugger.bots.programs import Limits, Program

EXAMPLE = Path(__file__).parents[2] / "examples" / "line_bot.py"
HASTY = Limits(move_time=0.3, start_time=PATIENT.start_time)

WELL_BEHAVED = """
import os, signal, sys, time

def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()

for line in sys.stdin:
    word, *words = line.split()
    if word == "fugger":
        say("ready tester\\n")
    elif word == "choose":
        ANSWER
"""


@pytest.fixture
def program(tmp_path):
    """Makes programs, and has them quit when the test is over."""
    made = []

    def make(text: str, limits: Limits = PATIENT) -> Program:
        path = tmp_path / "program.py"
        path.write_text(text)
        made.append(Program([sys.executable, "-I", str(path)], limits))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def answering(program):
    """Makes programs that answer as a line of code says, the words of the question in `words`."""
    return lambda code, limits=PATIENT: program(WELL_BEHAVED.replace("ANSWER", code), limits)


def report(player: Program) -> Forfeit:
    """How a program forfeits before its first action is taken, or when it is asked again."""
    game = at_first_decision()
    try:
        player.begin(place_of(game, 0))
        for _ in range(2):
            player.choose(game.observe(0), None)
    except Forfeit as forfeit:
        return forfeit
    raise AssertionError("it played on")


def test_the_example_plays_whole_games():
    players = [Program([sys.executable, str(EXAMPLE)], PATIENT) for _ in range(3)]
    for number in range(2):
        assert play(players, seed=number).is_over
    for player in players:
        player.close()


def test_the_example_is_small():
    assert len(EXAMPLE.read_text().splitlines()) < 40


def test_the_example_refuses_a_version_it_does_not_speak():
    done = subprocess.run(
        [sys.executable, str(EXAMPLE)],
        check=True,
        input="fugger 2\n",
        capture_output=True,
        text=True,
    )
    assert "error this bot speaks version 1\n" == done.stdout


def test_a_name_is_known_once_it_runs(answering):
    player = answering("say(f'action {words[0]}\\n')")
    player.start()
    assert "tester" == player.name


def test_it_is_told_everything_in_order(program, tmp_path):
    heard = tmp_path / "heard"
    player = program(
        WELL_BEHAVED.replace("ANSWER", "say(f'action {words[-1]}\\n')").replace(
            "    word, *words", f"    open({str(heard)!r}, 'a').write(line)\n    word, *words"
        )
    )
    game = at_first_decision()
    player.begin(place_of(game, 0, seed=7))
    player.choose(game.observe(0), None)
    player.end([101, 20], [0])
    player.close()
    lines = heard.read_text().splitlines()
    assert ["fugger 1", "game players=2 edition=adlung target=100 seat=0 seed=7"] == lines[:2]
    assert lines[2].startswith('observe {"seat":0,"round":1,')
    assert "choose " + " ".join(map(str, game.legal_actions)) == lines[3]
    assert ["over money=101,20 winners=0", "quit"] == lines[4:]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "it ended with exit code 0"),
        ("raise SystemExit(3)", "it ended with exit code 3"),
        (
            "1 / 0",
            "it ended with exit code 1; its stderr ends: ZeroDivisionError: division by zero",
        ),
        ("import os; os.abort()", "it was ended by SIGABRT"),
        ("print('hello')", "it answered 'hello' to fugger 1, not: ready NAME"),
        ("print('ready')", "it answered 'ready' to fugger 1, not: ready NAME"),
        ("print('error only version 2')", "it reports an error: only version 2"),
        (
            "import os, time; os.close(1); time.sleep(600)",
            "it closed its stdout",
        ),
    ],
)
def test_a_wrong_start(program, text, expected):
    assert expected == str(report(program(text)))


def test_a_program_that_is_not_there():
    with pytest.raises(Forfeit, match="it can't be started: /no/such/program: No such file"):
        Program(["/no/such/program"]).start()


def test_a_program_that_cannot_be_executed(tmp_path):
    (tmp_path / "text").write_text("no program")
    with pytest.raises(Forfeit, match=r"it can't be started: .*: Permission denied"):
        Program([str(tmp_path / "text")]).start()


def test_a_program_that_never_gets_ready(program):
    player = program("import time; time.sleep(600)", Limits(start_time=0.3))
    assert "it gave no answer within 0.3 s" == str(report(player))


COULD = " ".join(map(str, at_first_decision().legal_actions))


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("raise SystemExit(5)", "it ended with exit code 5"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "it was ended by SIGKILL"),
        ("say('what?\\n')", f"it answered 'what?', not: action, and one of {COULD}"),
        ("say('action X\\n')", f"it answered 'action X', which is no action; it could {COULD}"),
        ("say('action\\n')", f"it answered 'action', which is no action; it could {COULD}"),
        ("say('action --\\n')", f"it answered '--', which isn't legal; it could {COULD}"),
        ("say('error I give up\\n')", "it reports an error: I give up"),
        ("say('action +\\naction +\\n')", "it said 'action +' without being asked"),
        (
            "sys.stdout.buffer.write(bytes([255, 10])); say('')",
            f"it answered '\N{REPLACEMENT CHARACTER}', not: action, and one of {COULD}",
        ),
        ("while True: say('x' * 4096)", f"it wrote a line longer than 16384 bytes: {'x' * 79}…"),
        (
            "while True: say('info ' + 'x' * 4096 + '\\n')",
            "it wrote more than 1048576 bytes and no answer",
        ),
        ("while True: say('\\n' * 4096)", "it wrote more than 1048576 bytes and no answer"),
    ],
)
def test_a_wrong_answer(answering, answer, expected):
    assert expected == str(report(answering(answer)))[: len(expected)]


def test_a_flood_of_answers(answering):
    assert "it said 'action +' without being asked" == str(
        report(answering("while True: say('action +\\n' * 4096)"))
    )


def test_a_program_that_hangs(answering):
    assert "it gave no answer within 0.3 s" == str(report(answering("time.sleep(600)", HASTY)))


def test_a_program_that_writes_no_whole_line(answering):
    player = answering("while True: say('act'); time.sleep(600)", HASTY)
    assert "it gave only part of a line within 0.3 s: act" == str(report(player))


def test_a_line_may_come_in_pieces(answering):
    player = answering("[(say(part), time.sleep(0.01)) for part in f'action {words[0]}\\r\\n']")
    game = at_first_decision()
    player.begin(place_of(game, 0))
    assert game.legal_actions[0] == player.choose(game.observe(0), None)


def test_info_is_passed_by(answering):
    player = answering("say(f'info depth 3\\n\\ninfo\\naction {words[0]}\\ninfo done\\n')")
    game = at_first_decision()
    player.begin(place_of(game, 0))
    for _ in range(3):
        assert game.legal_actions[0] == player.choose(game.observe(0), None)


def test_a_program_that_writes_much_to_stderr_plays_on(answering):
    player = answering("sys.stderr.write('x' * 3_000_000); say(f'action {words[0]}\\n')")
    game = at_first_decision()
    player.begin(place_of(game, 0))
    assert game.legal_actions[0] == player.choose(game.observe(0), None)


def test_the_end_of_stderr_is_kept(answering):
    forfeit = report(answering("sys.stderr.write('x' * 100_000 + '\\nthe end\\n'); sys.exit(2)"))
    assert "it ended with exit code 2; its stderr ends: the end" == str(forfeit)
    assert ("x" * 2_039 + "\nthe end") == forfeit.stderr


def test_a_program_that_reads_nothing(program):
    player = program("print('ready deaf', flush=True)\nimport time; time.sleep(600)")
    game = at_first_decision()
    place = place_of(game, 0)
    with pytest.raises(Forfeit, match="it doesn't read what it is told"):
        deque((player.begin(place) for _ in range(10_000)), maxlen=0)


def test_it_is_started_afresh_for_the_next_game(answering):
    player = answering("say('nonsense\\n')")
    assert "nonsense" in str(report(player))
    assert "nonsense" in str(report(player))


def is_gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    stat = Path(f"/proc/{pid}/stat")  # killed, and whoever adopted it hasn't waited for it yet
    return stat.exists() and ") Z " in stat.read_text()


def wait_until_gone(pid: int) -> None:
    for _ in range(600):
        if is_gone(pid):
            return
        time.sleep(0.05)
    raise AssertionError(f"{pid} is still there")


@pytest.mark.skipif(os.name == "nt", reason="processes have no groups there")
def test_whoever_ignores_quit_is_killed_with_its_children(answering, tmp_path):
    pids = tmp_path / "pids"
    player = answering(
        "import subprocess; child = subprocess.Popen([sys.executable, '-c', "
        "'import time; time.sleep(600)']); "
        f"open({str(pids)!r}, 'w').write(f'{{os.getpid()}} {{child.pid}}'); "
        "say(f'action {words[0]}\\n'); time.sleep(600)"
    )
    game = at_first_decision()
    player.begin(place_of(game, 0))
    player.choose(game.observe(0), None)
    own, child = map(int, pids.read_text().split())
    player.close()
    with pytest.raises(ProcessLookupError):  # no zombie either
        os.kill(own, signal.SIGTERM)
    wait_until_gone(child)


def test_whoever_forfeits_leaves_no_zombie(answering, tmp_path):
    pid = tmp_path / "pid"
    player = answering(f"open({str(pid)!r}, 'w').write(str(os.getpid())); say('nonsense\\n')")
    report(player)
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), signal.SIGTERM)


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf"), True, "5", 90_000])
def test_limits_are_checked(seconds):
    with pytest.raises(SetupError, match=r"move_time is .*: expected seconds above 0"):
        Limits(move_time=seconds)


def test_the_same_seed_gives_the_same_game():
    games = []
    for _ in range(2):
        players = [Program([sys.executable, str(EXAMPLE)], PATIENT) for _ in range(2)]
        games.append(play(players, seed=random.Random(1).randrange(100)).tokens)
        for player in players:
            player.close()
    assert games[0] == games[1]
