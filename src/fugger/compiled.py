"""Running interpreted and compiled: one decorator for functions, one for entry points.

The rules, the fast generator and the bots' policies are plain Python functions over NumPy records.
`jitable` marks them; `entry` marks the few loops that are worth compiling. Numba is imported, and
everything marked is handed to its `register_jitable`, when the first entry point is called: whoever
only plays, or reads records, never pays for it.

Compiled code is kept in the user's cache folder, or `$FUGGER_CACHE_DIR`, under a hash of the entry
point's source file and of every file of this package that it imports, directly or not: whatever it
may call, and whatever constants it may hold. Numba by itself would look only at the entry point's
own file, so that a rule changed in another one would go on running as it was; and an installed
package's folder may be read-only.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import re
import shutil
import sys
import tempfile
import threading
import time
from contextlib import suppress
from functools import update_wrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Generic, ParamSpec, TypeVar

import platformdirs

from fugger import prefetch

if TYPE_CHECKING:
    from collections.abc import Callable

Function = TypeVar("Function", bound="Callable[..., Any]")
Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

_marked: Final[list[Callable[..., Any]]] = []
_called: Final[set[Callable[..., Any]]] = set()
_registered: Final[set[Callable[..., Any]]] = set()
_lock: Final = threading.RLock()
_CACHE: Final = "FUGGER_CACHE_DIR"
"""What the folder of the cache is called in the environment, if it isn't the user's own."""
_PACKAGE: Final = __name__.partition(".")[0]
# Read as text, not parsed: parsers of several threads disturb each other in some Pythons.
_IMPORT: Final = re.compile(
    rf"^[ \t]*from ({_PACKAGE}[\w.]*) import (\([^)]*\)|[^\n(]*)", re.MULTILINE
)
_WORD: Final = re.compile(r"\w+")
_UNUSED: Final = 30 * 24 * 3600.0
"""Seconds after which compiled code that wasn't used is removed."""
_FOLDER: Final = re.compile(r"[0-9a-f]{16}(\.\d+)?")
"""A folder of compiled code; with a process's number, one that it was about to remove."""


def jitable(function: Function) -> Function:
    """Marks a function that runs interpreted when called from Python, compiled from an `entry`."""
    _marked.append(function)
    return function


def called(function: Function) -> Function:
    """As `jitable`, for a longer function: compiled code calls it, and holds it once."""
    _called.add(function)
    return jitable(function)


class Entry(Generic[Arguments, Result]):
    """A function that is compiled at its first call; `interpreted` is the function itself."""

    def __init__(self, function: Callable[Arguments, Result]) -> None:
        self.interpreted = function
        self._dispatcher: Callable[Arguments, Result] | None = None
        update_wrapper(self, function)

    def __call__(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        """Runs the function compiled."""
        return self.compiled(*args, **kwargs)

    @property
    def compiled(self) -> Callable[Arguments, Result]:
        """Numba's dispatcher of the function."""
        if self._dispatcher is None:
            with _lock:
                self._dispatcher = _dispatcher(self.interpreted, _usable(self.cache_folder))
        return self._dispatcher

    @property
    def cache_folder(self) -> Path:
        """Where the compiled code of the present sources is kept."""
        folder = os.environ.get(_CACHE) or platformdirs.user_cache_dir("fugger", appauthor=False)
        return Path(folder) / "compiled" / _hash_of_sources(self.interpreted.__module__)

    @property
    def is_cached(self) -> bool:
        """Whether there is such code: else the first call takes a while, to compile it."""
        module = self.interpreted.__module__.rpartition(".")[2]
        return any(self.cache_folder.glob(f"*/{module}.{self.interpreted.__name__}-*.nbc"))


def entry(function: Callable[Arguments, Result]) -> Entry[Arguments, Result]:
    """Marks an entry point of compiled code: it holds no GIL while it runs."""
    _marked.append(function)
    return Entry(function)


def keep_for_now() -> bool:
    """Where the cache can't be written: compiled code is kept until this process ends.

    It is kept in a folder of its own, also for the processes that this one starts.

    Returns:
        Whether such a folder could be made.
    """
    try:
        folder = tempfile.mkdtemp(prefix=f"{_PACKAGE}-")
    except OSError:
        return False
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ[_CACHE] = folder
    return True


def _hash_of_sources(module: str) -> str:
    """A hash of a module's file, and of those of this package that it imports, directly or not."""
    files = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        imported = sys.modules.get(name)  # what is imported for type checkers only may be missing
        if name in files or imported is None or imported.__file__ is None:
            continue
        files[name] = Path(imported.__file__).read_bytes()
        for found, names in _IMPORT.findall(files[name].decode()):
            waiting.append(found)
            waiting.extend(f"{found}.{one}" for one in _WORD.findall(names))
    digest = hashlib.sha256()
    for name in sorted(files):
        digest.update(name.encode() + b"\0" + files[name] + b"\0")
    return digest.hexdigest()[:16]


def _dispatcher(
    function: Callable[Arguments, Result], folder: Path | None
) -> Callable[Arguments, Result]:
    # Imported here: half a second that only compiled code is worth.
    from numba import config, njit  # noqa: PLC0415
    from numba.extending import register_jitable  # noqa: PLC0415

    # Neighbouring fields of a state are then read and written together: a tenth faster, and less
    # to compile. Numba leaves it off for its own reasons; ours is tested against interpreted code.
    config.SLP_VECTORIZE = 1  # type: ignore[attr-defined]  # set when Numba is imported
    if not _registered:
        prefetch.register()
    for marked in _marked:
        if marked not in _registered and marked is not function:
            # Inlined everywhere: calls of such small functions cost more than what they do.
            register_jitable(forceinline=marked not in _called)(marked)
            _registered.add(marked)
    if folder is None:
        return njit(nogil=True)(function)
    # Numba takes the folder from its configuration at the moment of decoration.
    others = config.CACHE_DIR  # type: ignore[attr-defined]  # set when Numba is imported
    config.CACHE_DIR = str(folder)  # type: ignore[attr-defined]  # as above
    try:
        return njit(cache=True, nogil=True)(function)
    finally:
        config.CACHE_DIR = others  # type: ignore[attr-defined]  # as above


def _usable(folder: Path) -> Path | None:
    """A folder, made if need be; None if it can't be written."""
    try:
        new = not folder.exists()
        folder.mkdir(parents=True, exist_ok=True)
        if new:
            _remove_unused(folder.parent)
        probe = folder / f".writable-{threading.get_ident()}"
        probe.touch()  # which also says when the folder was last used
        probe.unlink()
    except OSError:
        return None
    return folder


def _remove_unused(folders: Path) -> None:
    """Removes the folders of sources that nobody has run for a long time.

    Each is taken out of the way first, in one step, and put back if another process began to use
    it just then. What can't be removed stays.
    """
    before = time.time() - _UNUSED
    for folder in folders.iterdir():
        with suppress(OSError):
            if _FOLDER.fullmatch(folder.name) and folder.stat().st_mtime < before:
                away = folder.with_name(f"{folder.name.partition('.')[0]}.{os.getpid()}")
                folder.rename(away)
                if away.stat().st_mtime < before:
                    shutil.rmtree(away)
                else:
                    away.rename(folder)
