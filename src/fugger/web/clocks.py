"""Time per action: who runs out of it is played for by a bot, and may come back at any moment."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from fugger.web import play
from fugger.web.store import now

if TYPE_CHECKING:
    from fugger.web.site import Site
    from fugger.web.tables import Table


async def wait(site: Site, table: Table, seat: int, ply: int, deadline: float) -> None:
    """Waits for a seat's time to run out; stopped when the seat acts before."""
    await asyncio.sleep(max(0.0, deadline - now()))
    if table.ply == ply and table.game.player == seat:
        await play.step_away(site, table, seat, "late")
