"""Programs as players: they speak the line protocol of `docs/protocol.md` on stdin and stdout."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from fugger.bots import protocol
from fugger.bots.players import one_line
from fugger.bots.processes import Process
from fugger.errors import SetupError, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fugger.bots import Past
    from fugger.bots.players import Place
    from fugger.rules.state import State

MOST_HEARD: Final = 1_048_576
"""Characters of lines that are passed by, at most, where one line is wanted."""

_SHOWN: Final = 80
"""Characters shown of what a program said, at most."""
_LONGEST_TIME: Final = 86_400


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a program may take.

    Attributes:
        move_time: seconds for each decision.
        start_time: seconds from its start until it is ready.

    Raises:
        SetupError: one of them isn't above 0, or is longer than a day.
    """

    move_time: float = 5.0
    start_time: float = 10.0

    def __post_init__(self) -> None:
        for name in ("move_time", "start_time"):
            seconds = getattr(self, name)
            fits = isinstance(seconds, int | float) and not isinstance(seconds, bool)
            if not (fits and math.isfinite(seconds) and 0 < seconds <= _LONGEST_TIME):
                raise SetupError(
                    f"{name} is {quoted(seconds)}: expected seconds above 0, at most 86400"
                )


class Program:
    """A program, started for its first game, and again for the next one after it has failed.

    Args:
        command: the program and its words.
        limits: how long it may take.
    """

    def __init__(self, command: Sequence[str], limits: Limits | None = None) -> None:
        self._command = tuple(command)
        self._limits = limits or Limits()
        self._process: Process | None = None
        self.name = ""
        """What it calls itself, once it has been started."""

    def start(self) -> None:
        """Starts it, unless it runs.

        Raises:
            Forfeit: it can't be started, or isn't ready in time.
        """
        if self._running is not None:
            return
        begun = time.monotonic()
        self._process = process = Process(self._command)
        process.say(protocol.GREETING)
        line = _answer(process, self._limits.start_time, begun)
        word, _, name = line.partition(" ")
        if word != protocol.READY or not name.strip():
            raise process.forfeit(
                f"it answered {_shown(line)} to {protocol.GREETING}, not: ready NAME"
            )
        self.name = one_line(name, _SHOWN)

    def begin(self, place: Place) -> None:
        """Tells it of a game.

        Raises:
            Forfeit: as `start`.
        """
        self.start()
        if self._running is not None:
            self._running.say(protocol.game_line(place))

    def choose(self, observation: State, past: Past) -> int:  # noqa: ARG002 (see `Player`)
        """The number of the legal action it answers; it isn't told the past.

        Raises:
            Forfeit: it answered anything else, or not in time, or has ended.
        """
        process = self._running
        if process is None:
            raise AssertionError("a program is asked that was never told of a game, or forfeited")
        _refuse_unasked(process)
        question, legal = protocol.choose_line(observation)
        begun = time.monotonic()
        process.say(protocol.observe_line(observation), question)
        line = _answer(process, self._limits.move_time, begun)
        word, _, text = line.partition(" ")
        could = question.removeprefix(f"{protocol.CHOOSE} ")
        if word != protocol.ACTION:
            raise process.forfeit(f"it answered {_shown(line)}, not: action, and one of {could}")
        action = protocol.ACTION_NUMBERS.get(text.strip())
        if action is None:
            raise process.forfeit(
                f"it answered {_shown(line)}, which is no action; it could {could}"
            )
        if not legal >> action & 1:
            raise process.forfeit(
                f"it answered {_shown(text)}, which isn't legal; it could {could}"
            )
        return action

    def end(self, money: Sequence[int], winners: Sequence[int]) -> None:
        """Tells it how the game ended.

        Raises:
            Forfeit: it reads nothing at all.
        """
        if self._running is not None:
            self._running.say(protocol.over_line(money, winners))

    def close(self) -> None:
        """Has it quit, and kills it if it doesn't within a second."""
        process, self._process = self._running, None
        if process is not None:
            process.stop(polite=True, farewell=protocol.QUIT)

    @property
    def _running(self) -> Process | None:
        return None if self._process is None or self._process.has_stopped else self._process


def _answer(process: Process, seconds: float, begun: float) -> str:
    """The next line that isn't passed by."""
    heard = 0
    while heard <= MOST_HEARD:
        line = process.hear(seconds, begun)
        if not _is_passed_by(line):
            word, _, text = line.partition(" ")
            if word == protocol.ERROR:
                raise process.forfeit(f"it reports an error: {text}")
            return line
        heard += len(line) + 1
    raise process.forfeit(f"it wrote more than {MOST_HEARD} bytes and no answer")


def _refuse_unasked(process: Process) -> None:
    """Nothing but what is passed by may have been said before a question."""
    heard = 0
    while heard <= MOST_HEARD:
        line = process.said()
        if line is None:
            return
        if not _is_passed_by(line):
            raise process.forfeit(f"it said {_shown(line)} without being asked")
        heard += len(line) + 1


def _is_passed_by(line: str) -> bool:
    return line.partition(" ")[0] in {"", protocol.INFO}


def _shown(text: str) -> str:
    return quoted(one_line(text, _SHOWN), _SHOWN)
