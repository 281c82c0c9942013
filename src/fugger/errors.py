"""What can be wrong, one type per kind of mistake.

Every error is a `FuggerError`, and a `ValueError`, and its text is one line: what was wrong,
where, and what would be right.
"""

from __future__ import annotations

import copyreg
from enum import Enum
from numbers import Integral
from typing import TypeGuard


def quoted(value: object, limit: int = 40) -> str:
    """A value as an error message may show it: on one line and never longer than `limit`."""
    try:
        text = repr(value)
    except ValueError:  # a number of thousands of digits
        text = f"<a huge {type(value).__name__}>"
    if not text.isprintable():  # an array is shown on several lines
        text = " ".join(text.split())
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def is_whole(value: object, low: int | None = None, high: int | None = None) -> TypeGuard[int]:
    """Whether a value is a whole number, Python's or NumPy's, between two that are allowed too.

    True and False are none, and no member of an enumeration is: a good is no seat and no card.
    """
    if isinstance(value, bool | Enum) or not isinstance(value, Integral):
        return False
    number = int(value)
    return (low is None or low <= number) and (high is None or number <= high)


class FuggerError(ValueError):
    """Anything this package refuses."""

    def __reduce__(self) -> tuple[object, ...]:
        # As it is: the usual way would call a subclass with the finished text alone.
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]  # no stub


class NotationError(FuggerError):
    """A text or number that is no good, card, action or recipient."""

    def __init__(self, what: str, value: object, expected: str) -> None:
        super().__init__(f"{quoted(value)} is no {what}: expected {expected}")
        self.what, self.value, self.expected = what, value, expected


class EditionError(FuggerError):
    """An edition that doesn't exist, or whose numbers make no game."""


class SetupError(FuggerError):
    """A number of players, starting seat or target that no game can have."""


class IllegalAction(FuggerError):  # noqa: N818 (the public name)
    """An action that the rules don't allow now; `legal` holds those they do."""

    def __init__(self, message: str, legal: tuple[object, ...] = ()) -> None:
        super().__init__(message)
        self.legal = legal


class IllegalDeal(FuggerError):  # noqa: N818 (named like IllegalAction)
    """A deal of a card that isn't owed or can't be the next one."""


class RecordError(FuggerError):
    """A record that can't be read, or a game that can't be written as one.

    Attributes:
        line, column: where, counted from 1; 0 for a game that can't be written.
        token: the text that was wrong there, or "".
        breaks_rule: True if the text is well formed but the rules don't allow it.
    """

    def __init__(
        self,
        message: str,
        *,
        line: int = 1,
        column: int = 1,
        token: str = "",
        breaks_rule: bool = False,
    ) -> None:
        super().__init__(f"line {line}, column {column}: {message}" if line else message)
        self.line, self.column, self.token = line, column, token
        self.breaks_rule = breaks_rule


class SeedError(FuggerError):
    """A seed, commitment or contribution that isn't of the right form."""


class BotError(FuggerError):
    """A bot that doesn't exist."""


class ArenaError(FuggerError):
    """An arena that can't go on: its folder is another's, a worker died, a cluster is gone."""
