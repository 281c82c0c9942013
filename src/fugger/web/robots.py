"""Bots at tables: one more viewer each, who thinks in a thread and acts through the same door."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from typing import TYPE_CHECKING, Final

from fugger import bots
from fugger.web import play
from fugger.web.play import Refused

if TYPE_CHECKING:
    from fugger.rules.state import State
    from fugger.web.site import Site
    from fugger.web.tables import Actor, Table

log = logging.getLogger("fugger.web")

PATIENCE: Final = 5.0
"""Seconds after which a bot that hasn't answered is replaced for this turn by the simplest one."""


async def take_turn(site: Site, table: Table, seat: int, ply: int) -> None:
    """A bot takes one turn, after a pause that lets people see what happened before."""
    if table.pause:
        await asyncio.sleep(table.pause)
    level = table.seats[seat].level
    observation = table.game.observe(seat)
    try:
        action = await asyncio.wait_for(
            asyncio.to_thread(_choose, level, _seed(table, ply), observation), PATIENCE
        )
    except Exception:
        log.exception("bot %s failed at table %s; the random one acts", level, table.id)
        action = _choose("random", _seed(table, ply), observation)
    actor: Actor = "stand-in" if table.seats[seat].kind == "human" else "bot"
    try:
        await play.act(site, table, seat, ply, action, actor)
    except Refused as refused:
        if refused.reason not in {"stale", "turn", "phase"}:
            raise


def _choose(level: str, seed: int, observation: State) -> int:
    return int(bots.bot_named(level, seed).choose(observation))


def _seed(table: Table, ply: int) -> int:
    """A bot's randomness at a ply: the same after a restart, and unknown to the players."""
    digest = hashlib.sha256(b"fugger bot\n" + table.seed + ply.to_bytes(4, "big")).digest()
    return int.from_bytes(digest[:6], "big")
