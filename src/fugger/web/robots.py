"""Bots at tables: one more viewer each, who thinks in a thread and acts through the same door."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from typing import TYPE_CHECKING, Final

from fugger import bots
from fugger.web import play
from fugger.web.changes import Refused

if TYPE_CHECKING:
    from fugger.rules.state import State
    from fugger.web.site import Site
    from fugger.web.tables import Actor, Table

log = logging.getLogger("fugger.web")

PATIENCE: Final = 5.0
"""Seconds after which a bot that hasn't answered is replaced for this turn by the simplest one."""
SIMPLEST: Final = "random"
RETRY: Final = 1.0
"""Seconds until a turn that couldn't be kept is tried again."""


async def take_turn(site: Site, table: Table, seat: int, ply: int) -> None:
    """A bot takes one turn, after a pause that lets people see what happened before.

    Whatever fails, the turn is taken in the end: a table never waits for a bot in vain.
    """
    if table.pause:
        await asyncio.sleep(table.pause)
    level = table.seats[seat].level
    actor: Actor = "stand-in" if table.seats[seat].kind == "human" else "bot"
    observation = table.game.observe(seat)
    while table.ply == ply and table.phase == "playing":
        action = await _answer(level, _seed(table, ply), observation, table.id)
        try:
            await play.act(site, table, seat, ply, action, actor)
        except Refused as refused:
            if refused.reason != "illegal":
                return  # somebody else acted: the table's next turn is on its way
            log.exception("bot %s failed at table %s; the simplest acts", level, table.id)
            level = SIMPLEST
        except Exception:
            log.exception("a bot's action at table %s can't be kept; it tries again", table.id)
            await asyncio.sleep(RETRY)


async def _answer(level: str, seed: int, observation: State, where: str) -> int:
    try:
        async with asyncio.timeout(PATIENCE):
            return await asyncio.to_thread(_choose, level, seed, observation)
    except Exception:
        log.exception("bot %s failed at table %s; the simplest acts", level, where)
        return _choose(SIMPLEST, seed, observation)


def _choose(level: str, seed: int, observation: State) -> int:
    return int(bots.bot_named(level, seed).choose(observation))


def _seed(table: Table, ply: int) -> int:
    """A bot's randomness at a ply: the same after a restart, and unknown to the players."""
    digest = hashlib.sha256(b"fugger bot\n" + table.seed + ply.to_bytes(4, "big")).digest()
    return int.from_bytes(digest[:6], "big")
