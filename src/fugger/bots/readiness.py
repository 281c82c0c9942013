"""Whether the compiled code of thinking bots is ready, and how it gets ready without being felt.

Compiling takes half a minute, and would slow down whatever else the process does. So it is done by
a process of its own, which leaves the code in the cache, from where this one then loads it. When
nobody waits for it, that process gives way to every other one.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
import time
from contextlib import nullcontext, suppress
from typing import TYPE_CHECKING, Final

import numpy as np

from fugger.bots.memory import no_memories, recall
from fugger.bots.networks import networks
from fugger.bots.search import new_room, search
from fugger.bots.thinking import Style
from fugger.chance import generator
from fugger.compiled import keep_for_now
from fugger.editions import ADLUNG
from fugger.playouts import new_deck
from fugger.rules.state import empty_states, new_states

if TYPE_CHECKING:
    from pathlib import Path

log = logging.getLogger("fugger.bots")

_LOOK_AGAIN: Final = 0.2
_SILENCE: Final = 30.0
"""Seconds after which whoever said that it compiles, and then nothing more, was killed."""
_LOWEST: Final = 19
"""The priority of a process that nobody waits for."""

_ready: Final = threading.Event()
_loading: Final = threading.Lock()
_started: Final = threading.Lock()
_compiling: Final = threading.Lock()


def is_ready() -> bool:
    """Whether compiled code answers at once."""
    return _ready.is_set()


def prepare() -> None:
    """Makes the compiled code ready; it may take half a minute when it isn't in the cache."""
    _prepare(hurry=True)


def prepare_aside() -> None:
    """Begins to make the compiled code ready, if that hasn't begun, and returns at once."""
    if _started.acquire(blocking=False):
        threading.Thread(target=_prepare_aside, name="fugger-compiling", daemon=True).start()


def compile_aside() -> None:
    """Begins to make sure that the compiled code is in the cache, and returns at once.

    Loading it from there, which `prepare_aside` does as well, takes most of a second of this
    process's time and 150 MB: worth it once somebody thinks.
    """
    threading.Thread(target=_compile_aside, name="fugger-compiling", daemon=True).start()


def wait(seconds: float) -> bool:
    """Waits until the compiled code is ready, at most so long; whether it is."""
    return _ready.wait(seconds)


def _prepare_aside() -> None:
    try:
        _prepare(hurry=False)
    except Exception:
        log.exception("the search can't be compiled; bots that think act by a simpler policy")


def _compile_aside() -> None:
    try:
        _leave_in_cache(hurry=False)
    except Exception:
        log.exception("the search can't be compiled; it is tried again when a bot has to think")


def _prepare(*, hurry: bool) -> None:
    if not _ready.is_set():
        _leave_in_cache(hurry=hurry)
    with _loading:
        if not _ready.is_set():
            _run_once()
            _ready.set()


def _leave_in_cache(*, hurry: bool) -> None:
    # A process waits for its own compiling aside, unless it's in a hurry.
    with nullcontext() if hurry else _compiling:
        _compile_elsewhere(hurry=hurry)


def _is_cached() -> bool:
    return search.is_cached and recall.is_cached


def _compile_elsewhere(*, hurry: bool) -> None:
    """Leaves the compiled code in the cache; of several processes that need it one does so.

    Who is in a hurry doesn't wait for one that isn't.

    Raises:
        CalledProcessError: it failed, and nobody is in such a hurry that this process should try.
    """
    name = "compiling" if hurry else "compiling-aside"
    temporary = False
    while not _is_cached():
        mark = search.cache_folder / name
        try:
            mark.parent.mkdir(parents=True, exist_ok=True)
            mark.open("x").close()
        except FileExistsError:
            _wait_for_another(mark)
            continue
        except OSError:
            if temporary or not (temporary := keep_for_now()):
                return  # nothing at all can be written: this process compiles for itself
            continue
        try:
            _run_compiler(mark, hurry=hurry)
        finally:
            mark.unlink(missing_ok=True)
        return


def _wait_for_another(mark: Path) -> None:
    """Waits until a mark is gone; one that a killed process left is removed."""
    time.sleep(_LOOK_AGAIN)
    with suppress(OSError):
        while time.time() - mark.stat().st_mtime < _SILENCE:
            time.sleep(_LOOK_AGAIN)
        mark.unlink()


def _run_compiler(mark: Path, *, hurry: bool) -> None:
    """Runs the process that compiles; meanwhile the mark is kept fresh."""
    command = [sys.executable, "-m", __name__]
    flags = 0
    if sys.platform == "win32" and not hurry:
        flags = subprocess.IDLE_PRIORITY_CLASS
    nowhere = subprocess.DEVNULL
    with subprocess.Popen(
        command, stdin=nowhere, stdout=nowhere, stderr=nowhere, creationflags=flags
    ) as process:
        if not hurry:
            _give_way(process.pid)
        while process.poll() is None:
            time.sleep(_LOOK_AGAIN)
            with suppress(OSError):
                os.utime(mark)
    if process.returncode and not hurry:
        raise subprocess.CalledProcessError(process.returncode, command)


def _give_way(process: int) -> None:
    """Lets a process, and what it will start, run when no other one wants to, as far as it goes."""
    if sys.platform != "win32":
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, process, _LOWEST)
    if sys.platform == "linux":
        # Whoever wakes up then takes its place at once, which the lowest priority alone isn't.
        with suppress(OSError):
            os.sched_setscheduler(process, os.SCHED_IDLE, os.sched_param(0))


def _run_once() -> None:
    """Calls every entry point without giving it anything to do."""
    states = new_states(ADLUNG, 2)
    room = new_room(new_deck(states[0]), 1)
    search(states, no_memories(2), 0, Style().settings, networks(), generator(0), room)
    recall(states, empty_states(4), np.zeros(0, np.int64), 0, no_memories())


if __name__ == "__main__":
    _run_once()
