"""One running server: its database, its tables, and who is told when a table changes."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from typing import TYPE_CHECKING, Final, TypeVar

from fugger import bots
from fugger.web import clocks, robots, seating, store
from fugger.web.database import Unreachable
from fugger.web.limits import KnownTokens
from fugger.web.memory import Tables
from fugger.web.store import Store, select
from fugger.web.tickets import Tickets

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine, Iterator

    from litestar.channels import ChannelsPlugin

    from fugger.web.settings import Settings
    from fugger.web.tables import Table

Result = TypeVar("Result")

log = logging.getLogger("fugger.web")

RETRY: Final = 1.0
"""Seconds until the database is asked again when it didn't answer."""
TIDY: Final = 60.0
"""Seconds between two looks for tables that may leave the memory."""
CHANNEL: Final = "fugger_tables"
"""Where the servers of one database tell each other which tables they changed."""


class Site:
    """What the handlers of one server share.

    Args:
        settings: what it was told.
        secret: its secret key.

    Attributes:
        stopping: whether the server is about to stop; streams end then.
        channels: to the other servers of the same database, if there may be any.
    """

    def __init__(self, settings: Settings, secret: bytes) -> None:
        self.settings = settings
        self.secret = secret
        self.tickets = Tickets(secret)
        self.store = Store(settings)
        self.tables = Tables(self.store, self._in_use, self._take_up)
        self.tokens = KnownTokens()
        self.stopping = False
        self.channels: ChannelsPlugin | None = None
        self._name = secrets.token_hex(8)  # among the servers of one database
        self._streams: set[asyncio.Event] = set()
        self._changed: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._turns: dict[str, asyncio.Task[None]] = {}

    async def open(self) -> None:
        """Opens the database and lets every unfinished game go on.

        Raises:
            ServerError: the database can't be opened.
        """
        await self.store.open()
        bots.compile_aside()
        if not self.settings.is_sqlite:
            self.channels = self._channels()
            await self.channels.__aenter__()
            self.background(self._listen(self.channels))
        self.background(self._resume())
        self.background(self._tidy())

    async def close(self) -> None:
        """Stops bots and clocks, and writes what waits."""
        for task in [*self._tasks, *self._turns.values()]:
            task.cancel()
        await asyncio.gather(*self._tasks, *self._turns.values(), return_exceptions=True)
        if self.channels is not None:
            await self.channels.__aexit__(None, None, None)
        await self.store.close()

    def publish(self, table: Table) -> None:
        """Wakes everybody who watches a table, here and at other servers."""
        for watcher in table.watchers:
            watcher.set()
        if self.channels is not None:
            self.channels.publish(f"{self._name} {table.id}", CHANNEL)

    @contextlib.contextmanager
    def watching(self, table: Table, viewer: int, woken: asyncio.Event) -> Iterator[None]:
        """Sets an event whenever a table changes, and when the server is about to stop."""
        table.watchers[woken] = viewer
        self._streams.add(woken)
        try:
            yield
        finally:
            table.watchers.pop(woken, None)
            self._streams.discard(woken)

    def end_streams(self) -> None:
        """Ends all streams, now and from now on."""
        self.stopping = True
        for woken in self._streams:
            woken.set()

    def next_turn(self, table: Table) -> None:
        """Sets the bot or the clock of whoever is to act going; the one before is stopped."""
        running = self._turns.pop(table.id, None)
        if running is not None and running is not asyncio.current_task():
            running.cancel()
        seat = table.game.player
        if table.phase != "playing" or seat is None:
            return
        if any(one.kind == "bot" for one in table.seats):
            bots.prepare_aside()  # somebody may think, or be asked for a hint
        if table.seats[seat].played_by_bot:
            work = robots.take_turn(self, table, seat, table.ply)
        elif table.deadline is not None:
            work = clocks.wait(self, table.id, seat, table.ply, table.deadline)
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

    def check_bot(self, level: str) -> None:
        """Makes sure that there is a bot.

        Raises:
            BotError: there isn't.
        """
        bots.bot_named(level)

    def _forget_turn(self, table: str, done: asyncio.Task[None]) -> None:
        if self._turns.get(table) is done:
            del self._turns[table]

    def _in_use(self, table: Table) -> bool:
        if table.watchers:
            return True
        player = table.game.player
        return table.id in self._turns and player is not None and table.seats[player].played_by_bot

    async def _tidy(self) -> None:
        """Lets tables leave the memory that nobody needs there."""
        while True:
            await asyncio.sleep(TIDY)
            self.tables.forget_idle()

    def _channels(self) -> ChannelsPlugin:
        from litestar.channels import ChannelsPlugin  # noqa: PLC0415 (for PostgreSQL alone)

        from fugger.web import workers  # noqa: PLC0415

        return ChannelsPlugin(
            workers.Channels(self.settings.database_url, self._refresh_all),
            channels=[CHANNEL],
        )

    async def _listen(self, channels: ChannelsPlugin) -> None:
        """Takes in what other servers change."""
        async with channels.start_subscription(CHANNEL) as subscriber:
            async for message in subscriber.iter_events():
                server, _, name = message.decode().partition(" ")
                if server != self._name:
                    self._refresh(name)

    def _refresh_all(self) -> None:
        for table in self.tables.all_in_memory():
            self._refresh(table.id)

    def _refresh(self, name: str) -> None:
        """Takes in what another server changed of a table, if it is in memory here."""
        if name not in self._changed:
            self._changed.add(name)
            self.background(self._catch_up(name))

    async def _catch_up(self, name: str) -> None:
        while (table := self.tables.in_memory(name)) is not None:
            try:
                async with table.lock:
                    self._changed.discard(name)
                    await self.tables.catch_up(table)
            except Exception:
                log.exception("the news of table %s can't be read; trying again", name)
                await asyncio.sleep(RETRY)
            else:
                for watcher in table.watchers:
                    watcher.set()
                return
        self._changed.discard(name)

    def _take_up(self, table: Table) -> None:
        """Lets a table go on that came from the database, if nothing here does so already."""
        if table.id in self._turns:
            return
        if table.phase == "playing":
            self.next_turn(table)
        elif table.phase == "waiting" and not table.has_open_seats:
            # Full, but the server died before the first deal.
            self.background(seating.start_if_full(self, table))

    async def _resume(self) -> None:
        """Lets unfinished games go on after a start. Time didn't run while the server was down."""
        unfinished = (
            select(store.games.c.id)
            .where(store.games.c.phase != "over")
            .order_by(store.games.c.made.desc())
        )
        for row in await self._reached(lambda: self.store.rows(unfinished)):
            try:
                await self._reached(lambda name=row.id: self.tables.get(name))  # type: ignore[misc]  # mypy can't infer a default's type
            except Exception:
                log.exception("table %s can't be taken up again", row.id)

    async def _reached(self, ask: Callable[[], Awaitable[Result]]) -> Result:
        """What the database answers, in the end."""
        while True:
            try:
                return await ask()
            except Unreachable:
                await asyncio.sleep(RETRY)


async def _logged(work: Coroutine[None, None, None], where: str) -> None:
    """A task whose failure is written down instead of lost."""
    with contextlib.suppress(asyncio.CancelledError):
        try:
            await work
        except Exception:
            log.exception("a task failed: %s", where)
