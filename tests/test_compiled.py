"""The rules and the bots run compiled as they run interpreted, and their compiled code is kept."""

import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from random_play import HABITS, SETUPS, finished_game

import fugger
from fugger.bots.simple import greedy, uniform
from fugger.chance import generator
from fugger.compiled import _usable, entry
from fugger.editions import EDITIONS
from fugger.playouts import new_deck, play_out, random_playouts
from fugger.prefetch import prefetch
from fugger.record.form import ACTIONS, DEALS
from fugger.rules.actions import legal_actions
from fugger.rules.fields import fields_of
from fugger.rules.information import fill, hide
from fugger.rules.play import apply, deal
from fugger.rules.state import NOBODY, OVER, SPECTATOR, STATE, empty_states, new_states

PACKAGE = Path(fugger.__file__).parent


@entry
def follow(start, moves, states, seen, imagined, numbers, rng):
    """Plays `moves`, cards and actions, and writes down all that the engine says after each."""
    states[0] = start[0]
    for at in range(len(moves)):
        states[at + 1] = states[at]
        state = states[at + 1]
        if state.recipient == NOBODY:
            apply(state, moves[at])
        else:
            deal(state, moves[at])
        viewer = SPECTATOR if at % 5 == 4 else at % state.players
        if state.recipient == NOBODY and state.stage != OVER:
            viewer = state.player
            numbers[at, 0] = legal_actions(state)
        seen[at] = states[at + 1]
        hide(seen[at], viewer)
        imagined[at] = seen[at]
        fill(imagined[at], rng)
        if state.recipient == NOBODY and state.stage != OVER:
            numbers[at, 1] = uniform(seen[at], rng)
            numbers[at, 2] = greedy(seen[at], rng)
        numbers[at, 3] = rng[0]


def followed(run, edition, players, seed):
    game = finished_game(seed, HABITS[seed], players=players, edition=edition)
    moves = [DEALS[token][1] if token in DEALS else ACTIONS[token] for token in game.tokens]
    states = empty_states(len(moves) + 1)
    seen, imagined = empty_states(len(moves)), empty_states(len(moves))
    numbers = np.zeros((len(moves), 4), np.int64)
    start = new_states(EDITIONS[edition], players)
    run(start, np.array(moves), states, seen, imagined, numbers, generator(seed))
    assert states[-1].tobytes() == game.state.tobytes()
    return {
        "states": states.tobytes(),
        "observations": seen.tobytes(),
        "imagined states": imagined.tobytes(),
        "legal actions, decisions, generator": numbers.tolist(),
    }


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("edition", "players"), SETUPS)
def test_everything_is_the_same_compiled_and_interpreted(edition, players, seed):
    interpreted = followed(follow.interpreted, edition, players, seed)
    assert interpreted == followed(follow, edition, players, seed)


@pytest.mark.parametrize(("edition", "players"), SETUPS)
def test_playouts_are_the_same_compiled_and_interpreted(edition, players):
    results = []
    for run in (random_playouts.interpreted, random_playouts):
        start, state = new_states(EDITIONS[edition], players), empty_states(1)
        rng, totals = generator(3), np.zeros(3, np.int64)
        run(start, state, new_deck(start[0]), 3, rng, totals)
        results.append((totals.tolist(), rng.tolist(), state.tobytes()))
    assert results[0] == results[1]


def test_a_field_of_plain_numbers_is_the_record_s():
    states = np.frombuffer(random.Random(1).randbytes(STATE.itemsize), STATE).copy()
    fields, state = fields_of(states), states[0]
    for name in STATE.names:
        value = getattr(fields, name)
        assert (value if isinstance(value, int) else value.tolist()) == getattr(
            state, name
        ).tolist()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_playouts_leave_no_card_and_no_gulden_out(players):
    totals = play_out(new_states(EDITIONS["adlung"], players), 200, generator(1))
    assert totals.games == 200
    assert totals.money > 200 * 100
    assert totals.steps > 10 * totals.rounds > 0


# The cache. Another process is needed each time: within one, compiled code is kept in memory.


@entry
def touch(numbers):
    """Asks for what is 8 bytes on, and writes."""
    prefetch(numbers, 8)
    numbers[0] = 1


def test_compiled_code_asks_for_memory(monkeypatch, tmp_path):
    monkeypatch.setenv("FUGGER_CACHE_DIR", str(tmp_path))  # of cached code nothing can be seen
    for run in (touch.interpreted, touch):
        numbers = np.zeros(2, np.int64)
        run(numbers)
        assert numbers.tolist() == [1, 0]
    (code,) = touch.compiled.inspect_llvm().values()
    assert "call void @llvm.prefetch" in code


USES = {
    "playouts": """
from fugger.chance import generator
from fugger.editions import ADLUNG
from fugger.playouts import play_out, random_playouts as entry
from fugger.rules.state import new_states
play_out(new_states(ADLUNG, 2), 1, generator(1))
""",
    "games between bots": """
from fugger.arena.match import compile_loop, play_games as entry
compile_loop()
""",
}
PRINT_STATISTICS = """
statistics = entry.compiled.stats
print(sum(statistics.cache_hits.values()), sum(statistics.cache_misses.values()))
"""


def run_python(code, cache, package=PACKAGE):
    environment = dict(os.environ, XDG_CACHE_HOME=str(cache), PYTHONPATH=str(package.parent))
    environment["NUMBA_OPT"] = "0"  # compiles faster
    finished = subprocess.run(
        [sys.executable, "-c", code], env=environment, check=True, capture_output=True, text=True
    )
    return finished.stdout.strip()


@pytest.mark.parametrize("use", USES)
def test_a_second_process_compiles_nothing(use, tmp_path):
    code = USES[use] + PRINT_STATISTICS
    assert run_python(code, tmp_path) == "0 1"
    assert run_python(code, tmp_path) == "1 0"


FOLDER = "from fugger.playouts import random_playouts; print(random_playouts.cache_folder)"


@pytest.fixture
def copied(tmp_path):
    return shutil.copytree(PACKAGE, tmp_path / "copy" / "fugger")


@pytest.mark.parametrize("file", ["rules/evaluation.py", "rules/state.py", "cards.py", "chance.py"])
def test_compiled_code_of_a_changed_source_is_kept_elsewhere(file, copied, tmp_path):
    before = run_python(FOLDER, tmp_path, copied)
    with (copied / file).open("a") as source:
        source.write("\n# changed\n")
    assert before != run_python(FOLDER, tmp_path, copied)


def test_compiled_code_is_kept_when_what_it_does_not_depend_on_changes(copied, tmp_path):
    before = run_python(FOLDER, tmp_path, copied)
    with (copied / "commands" / "bench.py").open("a") as source:
        source.write("\n# changed\n")
    assert before == run_python(FOLDER, tmp_path, copied)


def test_where_compiled_code_is_kept_depends_on_no_other_import(tmp_path):
    imports_more = "import fugger.bots, fugger.arena.match; " + FOLDER
    assert run_python(FOLDER, tmp_path) == run_python(imports_more, tmp_path)


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path):
    (tmp_path / "fugger").write_text("a file where a folder should be")
    (tmp_path / "own.py").write_text(
        "from fugger.compiled import entry\n@entry\ndef double(x):\n    return 2 * x\n"
    )
    code = f"import sys; sys.path.append({str(tmp_path)!r}); import own; print(own.double(21))"
    assert run_python(code, tmp_path) == "42"


def made(folder, days):
    """A folder of compiled code that was used last so many days ago."""
    folder.mkdir(parents=True)
    (folder / "code.nbc").touch()
    then = time.time() - days * 24 * 3600
    os.utime(folder, (then, then))
    return folder


def test_a_new_folder_of_compiled_code_has_long_unused_ones_removed(tmp_path):
    old, recent = made(tmp_path / f"{1:016x}", 31), made(tmp_path / f"{2:016x}", 29)
    left, other = made(tmp_path / f"{3:016x}.77", 31), made(tmp_path / "notes", 31)

    assert _usable(tmp_path / f"{4:016x}") == tmp_path / f"{4:016x}"
    assert [False, True, False, True] == [one.exists() for one in (old, recent, left, other)]


def test_a_folder_of_compiled_code_that_is_used_stays(tmp_path):
    used = made(tmp_path / f"{1:016x}", 31)
    _usable(used)
    _usable(tmp_path / f"{2:016x}")

    assert (used / "code.nbc").exists()
