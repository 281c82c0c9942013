"""Changing a table: why a change may be refused, and what is written of it.

Statements are made here; `play`, `seating` and `talk` commit them, each change in one transaction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal

from fugger.errors import FuggerError
from fugger.web import store
from fugger.web.store import Conflict, insert, update
from fugger.web.tables import Remark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fugger.web.site import Site
    from fugger.web.tables import Actor, Seat, Table

_EVENTS: Final = insert(store.events)  # made once: making it takes longer than the rules do

Reason = Literal[
    "stale",
    "turn",
    "illegal",
    "seat",
    "phase",
    "taken",
    "undo",
    "hint",
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


async def commit(site: Site, table: Table, *statements: Any) -> None:
    """Commits a change to a table whose lock is held.

    Raises:
        Refused: another server was faster; what it did has been taken in.
    """
    try:
        await site.store.commit(*statements)
    except Conflict:
        await site.tables.catch_up(table)
        raise Refused("stale", "somebody else was faster: the board has moved on") from None


def show(site: Site, table: Table) -> None:
    """Lets everybody who watches see a table's change."""
    table.changes += 1
    site.publish(table)


def seat_update(table: Table, number: int, before: Seat) -> Any:
    """Changes a seat, if nobody else has since."""
    kept = store.seats.c
    return (
        update(store.seats)
        .where(
            kept.game == table.id,
            kept.seat == number,
            kept.kind == before.kind,
            kept.player.is_not_distinct_from(before.player),
        )
        .values(**seat_row(table, number))
    )


def seat_row(table: Table, number: int) -> dict[str, Any]:
    """What is kept of a seat."""
    seat = table.seats[number]
    return {
        "game": table.id,
        "seat": number,
        "kind": seat.kind,
        "level": seat.level,
        "name": seat.name,
        "player": seat.player,
        "token": seat.token,
        "words": seat.words,
        "away": seat.away,
    }


def phase_update(table: Table, phase: str) -> Any:
    """Changes a table's phase."""
    return update(store.games).where(store.games.c.id == table.id).values(phase=phase)


def event_of(
    table: Table, ply: int, action: str, deals: Sequence[str], actor: Actor, at: float
) -> tuple[Any, dict[str, Any]]:
    """One more event of a table's game."""
    return _EVENTS, {
        "game": table.id,
        "ply": ply,
        "action": action,
        "deals": " ".join(deals),
        "actor": actor,
        "at": at,
    }


def away_statements(table: Table, number: int, away: bool, why: str, at: float) -> list[Any]:
    """Lets a bot stand in for a human, or no longer."""
    return [
        update(store.seats)
        .where(store.seats.c.game == table.id, store.seats.c.seat == number)
        .values(away=away),
        remark_of(table, why, number, at),
    ]


def note_away(table: Table, number: int, away: bool, why: str) -> None:
    """The same in memory, once it is committed."""
    table.seats[number].away = away
    table.remarks.append(Remark(table.ply, why, number))


def remark_of(table: Table, kind: str, seat: int, at: float) -> tuple[Any, dict[str, Any]]:
    """One more remark on what happened beside the game."""
    return insert(store.remarks), {
        "game": table.id,
        "number": len(table.remarks),
        "ply": table.ply,
        "kind": kind,
        "seat": seat,
        "at": at,
    }
