"""Whether the compiled code of thinking bots is ready, and how it gets ready without being felt.

Compiling takes tens of seconds, and would slow down whatever else the process does. So it is done
by a process of its own, which leaves the code in the cache, from where this one then loads it.
"""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
import time
from typing import Final

import numpy as np

from fugger.bots.memory import no_memories, recall
from fugger.bots.networks import networks
from fugger.bots.search import new_room, search
from fugger.bots.thinking import Style
from fugger.chance import generator
from fugger.editions import ADLUNG
from fugger.playouts import new_deck
from fugger.rules.state import empty_states, new_states

log = logging.getLogger("fugger.bots")

_LONGEST: Final = 180.0
"""Seconds that compiling takes at most, even on a busy machine."""
_LOOK_AGAIN: Final = 0.2

_ready: Final = threading.Event()
_preparing: Final = threading.Lock()
_started: Final = threading.Lock()


def is_ready() -> bool:
    """Whether compiled code answers at once."""
    return _ready.is_set()


def prepare() -> None:
    """Makes the compiled code ready; it may take half a minute when it isn't in the cache."""
    with _preparing:
        if not _ready.is_set():
            if not _is_cached():
                _compile_elsewhere()
            _run_once()
            _ready.set()


def prepare_aside() -> None:
    """Begins to make the compiled code ready, if that hasn't begun, and returns at once."""
    if _started.acquire(blocking=False):
        threading.Thread(target=_prepare_aside, name="fugger-compiling", daemon=True).start()


def wait(seconds: float) -> bool:
    """Waits until the compiled code is ready, at most so long; whether it is."""
    return _ready.wait(seconds)


def _prepare_aside() -> None:
    try:
        prepare()
    except Exception:
        log.exception("the search can't be compiled; bots that think act by a simpler policy")


def _is_cached() -> bool:
    return search.is_cached and recall.is_cached


def _compile_elsewhere() -> None:
    """Leaves the compiled code in the cache; of several processes that need it one does so."""
    mark = search.cache_folder / "compiling"
    until = time.monotonic() + _LONGEST
    while not _is_cached() and time.monotonic() < until:
        try:
            mark.parent.mkdir(parents=True, exist_ok=True)
            if mark.exists() and time.time() - mark.stat().st_mtime > _LONGEST:
                mark.unlink(missing_ok=True)  # its maker was killed
            mark.open("x").close()
        except FileExistsError:
            time.sleep(_LOOK_AGAIN)
            continue
        except OSError:
            return  # no cache can be written: this process compiles for itself
        try:
            subprocess.run(
                [sys.executable, "-m", __name__],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                check=False,
            )
        finally:
            mark.unlink(missing_ok=True)
        return


def _run_once() -> None:
    """Calls every entry point without giving it anything to do."""
    states = new_states(ADLUNG, 2)
    room = new_room(new_deck(states[0]), 1)
    search(states, no_memories(2), 0, Style().settings, networks(), generator(0), room)
    recall(states, empty_states(4), np.zeros(0, np.int64), 0, no_memories())


if __name__ == "__main__":
    _run_once()
