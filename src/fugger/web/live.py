"""Live updates: one stream for each open page or program, always of the newest board.

A stream is woken when its table changes, looks for its own viewer, and sends a whole fragment with
the ply as the event's id. What happened in between is skipped: a slow reader never piles up work.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from fugger.rules.state import SPECTATOR
from fugger.web.changes import Refused

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from fugger.web.site import Site
    from fugger.web.tables import Table

HEARTBEAT: Final = 20.0
"""Seconds after which a stream that brought nothing shows that it still lives."""
MAX_WATCHERS: Final = 64
"""Streams of spectators that a table serves at once."""
MAX_OWN: Final = 16
"""Streams a table serves to one seat at once; spectators take none of them."""
RETRY: Final = 1000
"""Milliseconds after which a browser opens a broken stream again."""


async def stream(
    site: Site, table: Table, viewer: int, fragment: Callable[[], bytes], event: str = ""
) -> AsyncIterator[bytes]:
    """Server-sent events of a table: the board now, and again whenever it changes.

    Ends when the server stops; browsers and programs then open it again.

    Args:
        viewer: the seat it is for, or `SPECTATOR`.
        fragment: what this viewer gets of the table as it is.
        event: the events' name; none for plain messages.
    """
    woken = asyncio.Event()
    with site.watching(table, viewer, woken), _Heart(woken):
        shown = table.changes
        yield f"retry: {RETRY}\n\n".encode() + message(table.ply, event, fragment())
        while not site.stopping:
            await woken.wait()
            woken.clear()
            if table.changes != shown:
                shown = table.changes
                yield message(table.ply, event, fragment())
            elif not site.stopping:
                yield b": still here\n\n"


class _Heart:
    """Sets an event now and then: one timer for a stream, and not one for each of its waits."""

    def __init__(self, woken: asyncio.Event) -> None:
        self._woken = woken
        self._loop = asyncio.get_running_loop()

    def __enter__(self) -> None:
        self._timer = self._loop.call_later(HEARTBEAT, self._beat)

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()

    def _beat(self) -> None:
        self._woken.set()
        self._timer = self._loop.call_later(HEARTBEAT, self._beat)


def check_room(table: Table, viewer: int) -> None:
    """Refuses a viewer's stream when a table has as many as it serves.

    Raises:
        Refused: it has.
    """
    most = MAX_WATCHERS if viewer == SPECTATOR else MAX_OWN
    if sum(other == viewer for other in table.watchers.values()) >= most:
        who = "people watch this table" if viewer == SPECTATOR else "streams of this seat are open"
        raise Refused("seats", f"{most} {who}: no more can")


def message(ply: int, event: str, data: bytes) -> bytes:
    """A server-sent event with the ply as its id."""
    name = f"event: {event}\n".encode() if event else b""
    return b"id: %d\n%sdata: %s\n\n" % (ply, name, data.replace(b"\n", b"\ndata: "))
