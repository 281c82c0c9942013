"""One running server: its database, its tables, and who is told when a table changes."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING

from fugger import bots
from fugger.web import clocks, robots, store
from fugger.web.guard import KnownTokens
from fugger.web.store import Store, select
from fugger.web.tables import Table, Tables

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from litestar.channels import ChannelsPlugin

    from fugger.web.settings import Settings

log = logging.getLogger("fugger.web")


class Site:
    """What the handlers of one server share.

    Args:
        settings: what it was told.
        secret: its secret key.
        channels: who watches which table; only the table's name and ply go through them.
    """

    def __init__(self, settings: Settings, secret: bytes, channels: ChannelsPlugin) -> None:
        self.settings = settings
        self.secret = secret
        self.channels = channels
        self.store = Store(settings)
        self.tables = Tables(self.store)
        self.tokens = KnownTokens()
        self._tasks: set[asyncio.Task[None]] = set()
        self._turns: dict[str, asyncio.Task[None]] = {}

    async def open(self) -> None:
        """Opens the database and lets every unfinished game go on.

        Raises:
            ServerError: the database can't be opened.
        """
        await self.store.open()
        self.background(self._resume())

    async def close(self) -> None:
        """Stops bots and clocks, and writes what waits."""
        for task in [*self._tasks, *self._turns.values()]:
            task.cancel()
        await asyncio.gather(*self._tasks, *self._turns.values(), return_exceptions=True)
        await self.store.close()

    def publish(self, table: Table) -> None:
        """Wakes everybody who watches a table. Nothing of its state goes through the channel."""
        self.channels.publish(str(table.ply), table.id)

    def next_turn(self, table: Table) -> None:
        """Sets the bot or the clock of whoever is to act going; the one before is stopped."""
        running = self._turns.pop(table.id, None)
        if running is not None and running is not asyncio.current_task():
            running.cancel()
        seat = table.game.player
        if table.phase != "playing" or seat is None:
            return
        if table.seats[seat].played_by_bot:
            work = robots.take_turn(self, table, seat, table.ply)
        elif table.deadline is not None:
            work = clocks.wait(self, table, seat, table.ply, table.deadline)
        else:
            return
        task = asyncio.create_task(_logged(work, table.id), name=f"turn at {table.id}")
        self._turns[table.id] = task
        task.add_done_callback(lambda done: self._forget_turn(table.id, done))

    def background(self, work: Coroutine[None, None, None]) -> None:
        """Runs something beside the requests, until it is done or the server stops."""
        task = asyncio.create_task(_logged(work, "background"))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def bot_name(self, level: str) -> str:
        """What a bot is called at a table.

        Raises:
            BotError: there is no such bot.
        """
        return bots.bot_named(level).name

    def _forget_turn(self, table: str, done: asyncio.Task[None]) -> None:
        if self._turns.get(table) is done:
            del self._turns[table]

    async def _resume(self) -> None:
        """Lets unfinished games go on after a start. Time didn't run while the server was down."""
        rows = await self.store.rows(
            select(store.games.c.id)
            .where(store.games.c.phase == "playing")
            .order_by(store.games.c.made.desc())
        )
        for row in rows:
            try:
                table = await self.tables.get(row.id)
            except Exception:
                log.exception("table %s can't be taken up again", row.id)
                continue
            if table is not None and table.id not in self._turns:
                table.at = max(table.at, store.now())
                self.next_turn(table)


async def _logged(work: Coroutine[None, None, None], where: str) -> None:
    """A task whose failure is written down instead of lost."""
    with contextlib.suppress(asyncio.CancelledError):
        try:
            await work
        except Exception:
            log.exception("a task failed: %s", where)
