"""Live updates: one stream for each open page or program, always of the newest board.

A stream is woken when its table changes, looks for its own viewer, and sends a whole fragment with
the ply as the event's id. What happened in between is skipped: a slow reader never piles up work.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from fugger.web.play import Refused

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from fugger.web.site import Site
    from fugger.web.tables import Table

HEARTBEAT: Final = 20.0
"""Seconds of silence after which a stream shows that it still lives."""
MAX_WATCHERS: Final = 64
"""Streams a table serves at once."""
RETRY: Final = 1000
"""Milliseconds after which a browser opens a broken stream again."""


async def stream(
    site: Site, table: Table, fragment: Callable[[], bytes], event: str = ""
) -> AsyncIterator[bytes]:
    """Server-sent events of a table: the board now, and again whenever it changes.

    Ends when the server stops; browsers and programs then open it again.

    Args:
        fragment: what this viewer gets of the table as it is.
        event: the events' name; none for plain messages.
    """
    woken = asyncio.Event()
    with site.watching(table, woken):
        shown = -1
        yield f"retry: {RETRY}\n\n".encode()
        while not site.stopping:
            if table.changes != shown:
                shown = table.changes
                yield message(table.ply, event, fragment())
            try:
                async with asyncio.timeout(HEARTBEAT):
                    await woken.wait()
            except TimeoutError:
                yield b": still here\n\n"
            woken.clear()


def check_room(table: Table) -> None:
    """Refuses a stream when a table has as many as it serves.

    Raises:
        Refused: it has.
    """
    if len(table.watchers) >= MAX_WATCHERS:
        raise Refused("seats", f"{MAX_WATCHERS} people watch this table: no more can")


def message(ply: int, event: str, data: bytes) -> bytes:
    """A server-sent event with the ply as its id."""
    name = f"event: {event}\n".encode() if event else b""
    return b"id: %d\n%sdata: %s\n\n" % (ply, name, data.replace(b"\n", b"\ndata: "))
