"""Where tables live on: the database, and one transaction after the other.

Whatever must not be lost is handed to `Store.commit`, which returns once it is on the disk. What
several tables hand over while a transaction is being written goes together into the next one: so
a server that makes every action durable still takes many hundreds a second.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Insert,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    Update,
    insert,
    literal,
    select,
    text,
    update,
)
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from fugger.web.database import Database, Postgresql, Sqlite, as_unreachable, insert_rows
from fugger.web.settings import ServerError, Settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection, Executable, Row

_UPGRADE: Final = 0x46756767  # PostgreSQL's number for the lock while a server brings it up to date

metadata: Final = MetaData()

games: Final = Table(
    "games",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("made", Float, nullable=False),  # seconds since 1970, like all times here
    Column("maker", String(32), nullable=False),
    Column("players", Integer, nullable=False),
    Column("edition", String(16), nullable=False),
    Column("first", Integer, nullable=False),
    Column("target", Integer, nullable=False),
    Column("seconds", Integer),  # per action; NULL: none
    Column("listed", Boolean, nullable=False),
    Column("seed", LargeBinary(32), nullable=False),
    Column("phase", String(8), nullable=False),  # waiting, playing, over
    Column("pause", Float, nullable=False),  # seconds before a bot acts
    Column("rematch", String(16)),  # the table that follows this one
    Index("games_by_phase", "phase", "made"),
)

seats: Final = Table(
    "seats",
    metadata,
    Column("game", String(16), ForeignKey("games.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("kind", String(8), nullable=False),  # open, human, bot
    Column("level", String(32)),  # the bot's, or of the bot that stands in
    Column("name", String(64)),
    Column("player", String(32)),  # who owns the seat, by cookie
    Column("token", String(64)),  # hash of the API's token
    Column("words", String(64)),  # the own random text, mixed into the shuffle
    Column("away", Boolean, nullable=False),  # a bot stands in
    Index("seats_by_player", "player"),
)

events: Final = Table(
    "events",
    metadata,
    Column("game", String(16), ForeignKey("games.id"), primary_key=True),
    Column("ply", Integer, primary_key=True),
    Column("action", String(8), nullable=False),  # notation; "" for the opening, "undo"
    Column("deals", Text, nullable=False),  # the cards dealt then, notation
    Column("actor", String(8), nullable=False),  # player, bot, stand-in, dealer
    Column("at", Float, nullable=False),
)

remarks: Final = Table(
    "remarks",
    metadata,
    Column("game", String(16), ForeignKey("games.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("ply", Integer, nullable=False),
    Column("kind", String(12), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("at", Float, nullable=False),
)

chat: Final = Table(
    "chat",
    metadata,
    Column("game", String(16), ForeignKey("games.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("seat", Integer, nullable=False),
    Column("name", String(64), nullable=False),
    Column("text", String(400), nullable=False),
    Column("at", Float, nullable=False),
)


class Conflict(Exception):  # noqa: N818 (it says what happened)
    """Something else was committed first: under the same key, or to the rows to be changed."""


@dataclass(slots=True)
class _Batch:
    """Statements that are committed together or not at all."""

    statements: Sequence[tuple[Executable, dict[str, Any] | None]]
    done: asyncio.Future[None]

    def written(self) -> None:
        """Tells who waits, if it still does, that it is on the disk."""
        if not self.done.done():
            self.done.set_result(None)

    def failed(self, error: Exception) -> None:
        """Tells who waits, if it still does, that nothing of it is kept."""
        if not self.done.done():
            self.done.set_exception(as_unreachable(error))


class Store:
    """The database of one server.

    Args:
        settings: where it is.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._opened: Database | None = None
        self._waiting: list[_Batch] = []
        self._wake = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None
        self._closing = False

    async def open(self) -> None:
        """Connects, and brings the database's tables up to date.

        Raises:
            ServerError: the database can't be opened.
        """
        settings = self._settings
        try:
            kind = Sqlite if settings.is_sqlite else Postgresql
            self._opened = kind(settings.database_url)
            await self._opened.write(_bring_up_to_date)
        except ModuleNotFoundError:
            raise ServerError(
                "PostgreSQL needs asyncpg, which isn't installed: install fugger[postgresql]"
            ) from None
        except (SQLAlchemyError, OSError, ValueError) as error:
            if self._opened is not None:
                await self._opened.close()
            # Whatever says no: its first line, which never holds the password.
            cause = str(getattr(error, "orig", None) or error).partition("\n")[0]
            raise ServerError(
                f"the database {settings.database_shown} can't be opened: {cause}"
            ) from None
        self._writer = asyncio.create_task(self._write(), name="store writer")

    async def close(self) -> None:
        """Writes what waits, and disconnects."""
        self._closing = True
        self._wake.set()
        if self._writer is not None:
            await self._writer
        if self._opened is not None:
            await self._opened.close()

    @property
    def _database(self) -> Database:
        if self._opened is None:
            raise ServerError("the database isn't open")
        return self._opened

    async def commit(self, *statements: Executable | tuple[Executable, dict[str, Any]]) -> None:
        """Commits statements in one transaction; returns when they are on the disk.

        Args:
            statements: each a statement, or an insert and its values.

        Raises:
            Conflict: a key was taken, or an update found no row; nothing of this is committed.
            Unreachable: the database can't be used now; nothing of this is committed.
        """
        pairs = [one if isinstance(one, tuple) else (one, None) for one in statements]
        batch = _Batch(pairs, asyncio.get_running_loop().create_future())
        self._waiting.append(batch)
        self._wake.set()
        await batch.done

    async def _write(self) -> None:
        """Writes everything that waits, again and again."""
        while self._waiting or not self._closing:
            await self._wake.wait()
            self._wake.clear()
            batches, self._waiting = self._waiting, []
            if not batches:
                continue
            try:
                await self._database.write(partial(_execute, batches))
            except (IntegrityError, Conflict):
                await self._one_by_one(batches)
            except Exception as error:
                if isinstance(error, DBAPIError) and error.connection_invalidated:
                    # The database hung up; the next use connects again. What was written all the
                    # same won't be written twice: its keys are taken.
                    await self._one_by_one(batches)
                    continue
                for batch in batches:
                    batch.failed(error)
            else:
                for batch in batches:
                    batch.written()

    async def _one_by_one(self, batches: Sequence[_Batch]) -> None:
        for batch in batches:
            try:
                await self._database.write(partial(_execute, [batch]))
            except (IntegrityError, Conflict):
                batch.failed(Conflict())
            except Exception as error:
                batch.failed(error)
            else:
                batch.written()

    @property
    def anything(self) -> Executable:
        """A query that any working database answers."""
        return select(literal(1))

    async def rows(self, statement: Executable) -> Sequence[Row[Any]]:
        """The rows a query finds.

        Raises:
            Unreachable: the database can't be used now.
        """
        try:
            return await self._database.read(lambda connection: connection.execute(statement).all())
        except Exception as error:
            raise as_unreachable(error) from error

    async def row(self, statement: Executable) -> Row[Any] | None:
        """The first row a query finds."""
        found = await self.rows(statement)
        return found[0] if found else None


def now() -> float:
    """Seconds since 1970."""
    return time.time()


def _execute(batches: Sequence[_Batch], connection: Connection) -> None:
    """Executes the batches' statements in a transaction.

    Raises:
        Conflict: an update found no row.
    """
    rows: dict[str, tuple[Insert, list[dict[str, Any]]]] = {}
    for batch in batches:
        for statement, values in batch.statements:
            if values is not None and isinstance(statement, Insert):
                # Inserts into one table go in one call.
                rows.setdefault(statement.table.name, (statement, []))[1].append(values)
            else:
                result = connection.execute(statement, values)
                if isinstance(statement, Update) and not result.rowcount:
                    raise Conflict
    for statement, many in rows.values():
        insert_rows(connection, statement, many)


def _bring_up_to_date(connection: Connection) -> None:
    from fugger.web.migrations import upgrade  # noqa: PLC0415 (it knows the tables above)

    if connection.dialect.name == "postgresql":
        # One server after the other, if several start at once.
        connection.execute(text(f"SELECT pg_advisory_xact_lock({_UPGRADE})"))
    upgrade(connection)


__all__ = [
    "Conflict",
    "Store",
    "chat",
    "events",
    "games",
    "insert",
    "metadata",
    "now",
    "remarks",
    "seats",
    "select",
    "update",
]
