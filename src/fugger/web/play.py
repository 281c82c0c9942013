"""How a move travels: checked under the table's lock, committed, then shown.

Every change to a table is a function here, and pages, the API, bots and clocks all come through
these. Each holds the table's lock, checks, commits in one transaction, and only then changes what
is in memory and tells whoever watches.
"""

from __future__ import annotations

import re
import secrets
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from fugger.dealer import new_seed
from fugger.errors import FuggerError, IllegalAction
from fugger.game import Game
from fugger.rules.state import SPECTATOR
from fugger.web import store
from fugger.web.store import Conflict, insert, now, update
from fugger.web.tables import (
    OPENING,
    UNDO,
    Actor,
    Line,
    Remark,
    Seat,
    Table,
    hashed,
    new_id,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fugger.web.site import Site

MAX_NAME: Final = 24
MAX_CHAT: Final = 200
MAX_LINES: Final = 1000
"""Lines of chat that a table keeps; it takes no more then."""
TALK_LINES: Final = 6
TALK_SECONDS: Final = 15.0
"""A seat may say so many lines in so many seconds."""
STAND_IN: Final = "greedy"
"""The bot that plays for a human who left or ran out of time."""

Reason = Literal[
    "stale",
    "turn",
    "illegal",
    "seat",
    "phase",
    "taken",
    "undo",
    "name",
    "words",
    "chat",
    "flood",
    "seats",
    "target",
]


class Refused(FuggerError):  # noqa: N818 (it says what happened)
    """A change that a table doesn't take now.

    Attributes:
        reason: a word for programs and for choosing a text.
    """

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What somebody wants a new table to be.

    Attributes:
        seats: each (kind, level); the kinds are ``me``, ``human`` (open to a friend) and ``bot``.
    """

    edition: str = "adlung"
    target: int = 100
    seats: Sequence[tuple[str, str]] = (("me", ""), ("bot", STAND_IN), ("bot", STAND_IN))
    seconds: int | None = None
    listed: bool = False
    pause: float | None = None
    first: int | None = None


async def make(
    site: Site,
    wish: Wish,
    maker: str,
    name: str,
    words: str | None = None,
    tokens: Sequence[str] = (),
    names: Sequence[str | None] = (),
) -> Table:
    """Makes a table; it starts at once if no seat is open.

    Args:
        wish: what it is to be.
        maker: the player's id.
        name: the player's name.
        words: the player's own random text for the shuffle.
        tokens: API tokens for the seats of kind ``human``, in their order; without any these
            seats are open.
        names: what to call who sits where; None for whom it will be known later.

    Raises:
        FuggerError: the edition, the target or the seats make no game.
    """
    first = secrets.randbelow(len(wish.seats)) if wish.first is None and wish.seats else wish.first
    game = Game(len(wish.seats), wish.edition, first or 0, wish.target)
    spare = list(tokens)
    seats = []
    for number, (kind, level) in enumerate(wish.seats):
        called = names[number] if number < len(names) else None
        if kind == "bot":
            seats.append(Seat("bot", level, called or site.bot_name(level)))
        elif kind == "me":
            seats.append(Seat("human", STAND_IN, checked_name(name), maker, words=words))
        elif kind == "human" and spare:
            called = checked_name(called or f"Player {number + 1}")
            seats.append(Seat("human", STAND_IN, called, token=hashed(spare.pop(0))))
        else:
            seats.append(Seat("open"))
    table = Table(
        id=new_id(),
        made=now(),
        maker=maker,
        seconds=wish.seconds,
        listed=wish.listed,
        seed=new_seed(),
        phase="waiting",
        pause=site.settings.bot_pause if wish.pause is None else wish.pause,
        rematch=None,
        seats=seats,
        game=game,
    )
    _ = table.stream  # refuses words of the wrong form before anything is kept
    row = {
