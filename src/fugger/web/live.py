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

    Args:
        fragment: what this viewer gets of the table as it is.
        event: the events' name; none for plain messages.
    """
    woken = asyncio.Event()

    async def wake(_: bytes) -> None:
        woken.set()

    table.watchers += 1
    try:
        async with (
            site.channels.start_subscription(table.id) as subscriber,
            subscriber.run_in_background(wake),
        ):
            shown = -1
            yield f"retry: {RETRY}\n\n".encode()
            while True:
                if table.changes != shown:
                    shown = table.changes
                    yield _message(table.ply, event, fragment())
                try:
                    await asyncio.wait_for(woken.wait(), HEARTBEAT)
                except TimeoutError:
                    yield b": still here\n\n"
                    continue
                woken.clear()
    finally:
        table.watchers -= 1


def check_room(table: Table) -> None:
    """Refuses a stream when a table has as many as it serves.

    Raises:
        Refused: it has.
    """
    if table.watchers >= MAX_WATCHERS:
        raise Refused("seats", f"{MAX_WATCHERS} people watch this table: no more can")


def _message(ply: int, event: str, data: bytes) -> bytes:
    name = f"event: {event}\n".encode() if event else b""
    lines = b"".join(b"data: " + line + b"\n" for line in data.split(b"\n"))
    return b"id: " + str(ply).encode() + b"\n" + name + lines + b"\n"
