"""Several servers on one PostgreSQL database: each tells the others which tables it changed.

Nothing of a table's state goes through the channel, only its name; who hears of a change reads it
from the database.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

import asyncpg
from litestar.channels.backends.asyncpg import AsyncPgChannelsBackend
from sqlalchemy import make_url

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

log = logging.getLogger("fugger.web")

_PATIENCE: Final = 1.0
"""Seconds between attempts to reach a database that has gone away."""


class Channels(AsyncPgChannelsBackend):
    """PostgreSQL's notifications, over connections that are kept, and made again when they break.

    Args:
        url: the database's, as SQLAlchemy writes it.
        missed: called when notifications may have been missed.
    """

    def __init__(self, url: str, missed: Callable[[], None]) -> None:
        parsed = make_url(url)
        # The engine's own reading of the URL, so that both connect alike.
        _, options = parsed.get_dialect()().create_connect_args(parsed)
        self._options = dict(options)
        self._missed = missed
        self._sender: asyncpg.Connection | None = None
        self._again: asyncio.Task[None] | None = None
        super().__init__(make_connection=self._new_connection)

    async def _new_connection(self) -> asyncpg.Connection:
        return await asyncpg.connect(**self._options)

    async def on_startup(self) -> None:
        """Connects."""
        await super().on_startup()
        self._listener_conn.add_termination_listener(self._gone)

    async def on_shutdown(self) -> None:
        """Disconnects."""
        self._listener_conn.remove_termination_listener(self._gone)
        if self._again is not None:
            self._again.cancel()
        await super().on_shutdown()
        if self._sender is not None:
            await self._sender.close()

    async def publish(self, data: bytes, channels: Iterable[str]) -> None:
        """Notifies; what can't be sent is written down and given up."""
        for attempt in range(2):
            try:
                if self._sender is None or self._sender.is_closed():
                    self._sender = await self._new_connection()
                for channel in channels:
                    await self._sender.execute("SELECT pg_notify($1, $2)", channel, data.decode())
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
                if attempt:
                    log.exception("other servers can't be told of a change")
                else:
                    self._sender = None
            else:
                return

    def _gone(self, _: object) -> None:
        self._again = asyncio.get_running_loop().create_task(self._listen_again())

    async def _listen_again(self) -> None:
        log.warning("the database hung up: listening again")
        while True:
            try:
                async with self._listener_lock:
                    self._listener_conn = await self._new_connection()
                    for channel in self._subscribed_channels:
                        await self._listener_conn.add_listener(channel, self._listener)
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
                await asyncio.sleep(_PATIENCE)
            else:
                self._listener_conn.add_termination_listener(self._gone)
                self._missed()
                return
