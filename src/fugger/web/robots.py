"""Bots at tables: one more viewer each, who thinks in a thread and acts through the same door."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import time
from concurrent.futures import ThreadPoolExecutor
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
SIMPLEST: Final = "greedy"
_LEAST: Final = 0.05
"""Seconds that a bot may think however long it had to wait."""
_thinkers: Final = ThreadPoolExecutor(max(2, os.cpu_count() or 2), "fugger-thinking")
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
    observation, past = table.game.observe(seat), bots.Past.of(table.game, seat)
    while table.ply == ply and table.phase == "playing":
        action = await _answer(level, _seed(table, ply), observation, past, table.id)
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


async def _answer(level: str, seed: int, observation: State, past: bots.Past, where: str) -> int:
    begun = time.perf_counter()

    def choose() -> int:
        # Where many bots think at once, who had to wait thinks less.
        left = max(_LEAST, PATIENCE / 2 - (time.perf_counter() - begun))
        return bots.act(bots.bot_named(level, seed, most_seconds=left), observation, past)

    try:
        async with asyncio.timeout(PATIENCE):
            return await asyncio.get_running_loop().run_in_executor(_thinkers, choose)
    except Exception:
        log.exception("bot %s failed at table %s; the simplest acts", level, where)
        return bots.act(bots.bot_named(SIMPLEST, seed), observation, past)


async def advice(table: Table, seat: int) -> bots.Prospect:
    """What the strongest bot would do in a seat's place, and what it expects of it."""
    seed, past = _seed(table, table.ply), bots.Past.of(table.game, seat)
    observation = table.game.observe(seat)
    bot = bots.strongest(seed)
    return await asyncio.get_running_loop().run_in_executor(
        _thinkers, bot.advise, observation, past
    )


def _seed(table: Table, ply: int) -> int:
    """A bot's randomness at a ply: the same after a restart, and unknown to the players."""
    digest = hashlib.sha256(b"fugger bot\n" + table.seed + ply.to_bytes(4, "big")).digest()
    return int.from_bytes(digest[:6], "big")
