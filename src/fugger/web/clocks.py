"""Time per action: who runs out of it is played for by a bot, and may come back at any moment."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

from fugger.web import play
from fugger.web.store import now

if TYPE_CHECKING:
    from fugger.web.site import Site
    from fugger.web.tables import Table

log = logging.getLogger("fugger.web")

RETRY: Final = 1.0
"""Seconds until what couldn't be kept is tried again."""


async def wait(site: Site, table: Table, seat: int, ply: int, deadline: float) -> None:
    """Waits for a seat's time to run out; stopped when the seat acts before."""
    await asyncio.sleep(max(0.0, deadline - now()))
    while table.ply == ply and table.game.player == seat:
        try:
            await play.step_away(site, table, seat, "late")
        except play.Refused:
            return  # another server has seen something else happen
        except Exception:
            log.exception("a clock at table %s can't be kept; it tries again", table.id)
            await asyncio.sleep(RETRY)
        else:
            return
