"""Time per action: who runs out of it is played for by a bot, and may come back at any moment."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

from fugger.web import changes, play
from fugger.web.store import now

if TYPE_CHECKING:
    from fugger.web.site import Site

log = logging.getLogger("fugger.web")

RETRY: Final = 1.0
"""Seconds until what couldn't be kept is tried again."""


async def wait(site: Site, name: str, seat: int, ply: int, deadline: float) -> None:
    """Waits for a seat's time to run out; stopped when the seat acts before.

    It holds no table meanwhile, so that one with a long time to act may leave the memory.
    """
    await asyncio.sleep(max(0.0, deadline - now()))
    while True:
        try:
            table = await site.tables.get(name)
            if table is None or table.ply != ply or table.game.player != seat:
                return
            await play.step_away(site, table, seat, "late")
        except changes.Refused:
            return  # another server has seen something else happen
        except Exception:
            log.exception("a clock at table %s can't be kept; it tries again", name)
            await asyncio.sleep(RETRY)
        else:
            return
