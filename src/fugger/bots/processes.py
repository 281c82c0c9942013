"""Processes that talk in lines, and are trusted with nothing.

Neither writing to one nor reading from it can block or fill the memory: threads do both, and wait
when more has come than anybody has heard. A process has its own group, which is killed with it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from contextlib import suppress
from queue import Full, Queue
from typing import IO, TYPE_CHECKING, Final

from fugger.bots.players import Forfeit, one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

LONGEST_LINE: Final = 16_384
"""Bytes of a line, at most."""
STDERR_KEPT: Final = 2_048
"""Bytes kept of the end of stderr."""

_CHUNK: Final = 65_536
_UNREAD: Final = 256
"""Lines, at most, that wait for a process to read them."""
_FAREWELL: Final = 1.0
"""Seconds a process has to end of itself, and threads to notice that it has."""
_SHOWN: Final = 80
"""Characters shown of what a process said, at most."""


class Process:
    """A process that has been started; its lines are UTF-8.

    Args:
        command: the program and its words.

    Raises:
        Forfeit: it can't be started.
    """

    def __init__(self, command: Sequence[str]) -> None:
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else str(error)
            raise Forfeit(f"it can't be started: {command[0]}: {why or error}") from None
        self._to_say: Queue[bytes | None] = Queue(_UNREAD)
        self._said = bytearray()
        self._stderr = b""
        self._ended = False  # its stdout
        self._stopped = False
        self._changed = threading.Condition()
        streams: list[tuple[Callable[[IO[bytes]], None], IO[bytes] | None]] = [
            (self._write, self._process.stdin),
            (self._read, self._process.stdout),
            (self._read_stderr, self._process.stderr),
        ]
        self._threads = [
            threading.Thread(target=work, args=(stream,), daemon=True) for work, stream in streams
        ]
        for thread in self._threads:
            thread.start()

    def say(self, *lines: str) -> None:
        """Has lines written to it, without waiting until it has read them.

        Raises:
            Forfeit: it reads nothing at all.
        """
        try:
            self._to_say.put_nowait("".join(f"{line}\n" for line in lines).encode())
        except Full:
            raise self.forfeit("it doesn't read what it is told") from None

    def said(self) -> str | None:
        """The next line, if it has said one already."""
        with self._changed:
            return self._next()

    @property
    def has_stopped(self) -> bool:
        """Whether `stop` or `forfeit` has ended it."""
        return self._stopped

    def hear(self, seconds: float, begun: float) -> str:
        """The next line it says.

        Args:
            seconds: how long it may take.
            begun: since when, on the clock of `time.monotonic`.

        Raises:
            Forfeit: it didn't come, is too long, or there will be none.
        """
        with self._changed:
            while (line := self._next()) is None:
                if self._ended or len(self._said) > LONGEST_LINE:
                    break
                if (left := begun + seconds - time.monotonic()) <= 0:
                    break
                self._changed.wait(left)
        if line is not None:
            return line
        if len(self._said) > LONGEST_LINE:
            raise self.forfeit(f"it wrote a line longer than {LONGEST_LINE} bytes: {self._begun()}")
        if self._ended:
            raise self.forfeit(self._how_it_ended())
        if self._said:
            raise self.forfeit(f"it gave only part of a line within {seconds:g} s: {self._begun()}")
        raise self.forfeit(f"it gave no answer within {seconds:g} s")

    def forfeit(self, reason: str) -> Forfeit:
        """Kills it; the reason, and with it what it wrote to stderr, to be raised."""
        self.stop(polite=False)
        stderr = self._stderr.decode(errors="replace").strip()
        last = one_line(stderr.rpartition("\n")[2], 2 * _SHOWN)
        if last not in reason:
            reason = f"{reason}; its stderr ends: {last}"
        return Forfeit(reason, stderr)

    def stop(self, *, polite: bool, farewell: str = "") -> None:
        """Ends it, and whatever it has started in its group.

        Args:
            polite: it has a second to end of itself.
            farewell: what it is told then, before its stdin is closed.
        """
        if polite:
            with suppress(Full):
                self._to_say.put_nowait(f"{farewell}\n".encode())
                self._to_say.put_nowait(None)
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_FAREWELL)
        with suppress(ProcessLookupError, PermissionError):
            if os.name == "nt":
                self._process.kill()
            else:
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        with self._changed:
            self._stopped = True
            self._changed.notify_all()
        with suppress(Full):
            self._to_say.put_nowait(None)
        for thread in self._threads:
            thread.join(_FAREWELL)

    def _next(self) -> str | None:
        end = self._said.find(b"\n")
        if end < 0 or end > LONGEST_LINE:
            return None
        line = self._said[:end].decode(errors="replace").rstrip("\r")
        del self._said[: end + 1]
        self._changed.notify_all()
        return line

    def _begun(self) -> str:
        return one_line(self._said[: 4 * _SHOWN].decode(errors="replace"), _SHOWN)

    def _how_it_ended(self) -> str:
        try:
            code = self._process.wait(_FAREWELL)
        except subprocess.TimeoutExpired:
            return "it closed its stdout"
        if code >= 0:
            return f"it ended with exit code {code}"
        try:
            return f"it was ended by {signal.Signals(-code).name}"
        except ValueError:
            return f"it was ended by signal {-code}"

    def _write(self, stdin: IO[bytes]) -> None:
        with suppress(OSError), stdin:
            while lines := self._to_say.get():
                rest = memoryview(lines)
                while rest:
                    rest = rest[stdin.write(rest) :]

    def _read(self, stdout: IO[bytes]) -> None:
        with suppress(OSError), stdout:
            while chunk := stdout.read(_CHUNK):
                with self._changed:
                    self._said += chunk
                    self._changed.notify_all()
                    while len(self._said) > _CHUNK and not self._stopped:
                        self._changed.wait()
                    if self._stopped:
                        break
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def _read_stderr(self, stderr: IO[bytes]) -> None:
        with suppress(OSError), stderr:
            while chunk := stderr.read(_CHUNK):
                self._stderr = (self._stderr + chunk)[-STDERR_KEPT:]
