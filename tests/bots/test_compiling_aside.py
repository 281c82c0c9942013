"""The process that compiles: nobody feels it unless somebody waits for it; what if it dies."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

# Imported by every interpreter that starts: the one that compiles leaves what it ran as.
AT_START = """
import atexit, json, os, sys

def leave():
    linux = sys.platform == "linux"
    idle = linux and os.sched_getscheduler(0) == os.SCHED_IDLE
    nice = 0 if sys.platform == "win32" else os.getpriority(os.PRIO_PROCESS, 0)
    told = {"nice": nice, "idle": idle, "cache": os.environ.get("FUGGER_CACHE_DIR", "")}
    with open(os.environ["TOLD"], "w") as file:
        json.dump(told, file)

if "fugger.bots.readiness" in sys.orig_argv:
    if os.environ.get("DIES"):
        os._exit(1)
    atexit.register(leave)
"""

ASIDE = """
import threading
from fugger.bots import prepare_aside, readiness
prepare_aside()
for thread in threading.enumerate():
    if thread.name == "fugger-compiling":
        thread.join()
print(readiness.is_ready())
"""

AT_ONCE = """
from fugger.bots import prepare, readiness
prepare()
print(readiness.is_ready())
"""

MARKED = """
import os
from fugger.bots.search import search
mark = search.cache_folder / "compiling-aside"
mark.parent.mkdir(parents=True)
mark.touch()
"""
FORGOTTEN = MARKED + "os.utime(mark, (0, 0))"


@pytest.fixture
def run(tmp_path):
    """Runs a script with an empty cache; nothing is really compiled, to be done sooner."""
    (tmp_path / "sitecustomize.py").write_text(AT_START)

    def run(script, **more):
        environment = os.environ | more
        environment.pop("FUGGER_CACHE_DIR", None)
        environment["XDG_CACHE_HOME"] = str(tmp_path / "cache")
        environment["NUMBA_DISABLE_JIT"] = "1"
        environment["PYTHONPATH"] = str(tmp_path)
        environment["TOLD"] = str(tmp_path / "told")
        ended = subprocess.run(
            [sys.executable, "-c", script],
            env=environment,
            check=True,
            capture_output=True,
            text=True,
        )
        return ended.stdout.strip(), ended.stderr

    return run


@pytest.fixture
def compiler(tmp_path):
    """What the process that compiled ran as."""
    return lambda: json.loads((tmp_path / "told").read_text())


@pytest.mark.skipif(sys.platform == "win32", reason="priorities are other things there")
def test_compiling_aside_gives_way_to_everything(run, compiler):
    assert ("True", "") == run(ASIDE)
    assert {"nice": 19, "idle": sys.platform == "linux", "cache": ""} == compiler()


@pytest.mark.skipif(sys.platform == "win32", reason="priorities are other things there")
@pytest.mark.parametrize("script", [AT_ONCE, MARKED + AT_ONCE], ids=["alone", "another aside"])
def test_who_waits_for_it_has_it_compiled_at_the_own_priority(run, compiler, script):
    assert ("True", "") == run(script)
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert {"nice": own, "idle": False, "cache": ""} == compiler()


def test_what_a_killed_process_left_is_in_nobodys_way(run):
    assert ("True", "") == run(FORGOTTEN + ASIDE)


@pytest.mark.parametrize("script", [ASIDE, AT_ONCE], ids=["aside", "at once"])
def test_where_no_cache_can_be_written_another_process_compiles_too(
    run, compiler, script, tmp_path
):
    (tmp_path / "cache").write_text("a file where a folder should be")
    (tmp_path / "temporary").mkdir()
    assert ("True", "") == run(script, TMPDIR=str(tmp_path / "temporary"))
    assert tmp_path / "temporary" == Path(compiler()["cache"]).parent
    assert [] == list((tmp_path / "temporary").iterdir())


def test_when_the_process_dies_nothing_is_compiled_in_its_place(run):
    ready, complaint = run(ASIDE, DIES="yes")
    assert "False" == ready
    assert "the search can't be compiled" in complaint


def test_when_the_process_dies_who_waits_for_it_compiles(run):
    assert ("True", "") == run(AT_ONCE, DIES="yes")
