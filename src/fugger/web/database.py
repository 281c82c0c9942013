"""Reaching the database: work on a plain SQLAlchemy connection, done beside the event loop.

SQLite's driver has no asynchronous form. What passes for one hands every single call to a thread
and back; here a whole transaction goes to a thread at once. PostgreSQL's (asyncpg) is asynchronous.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from sqlalchemy import Connection, create_engine, event
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy import Insert

Result = TypeVar("Result")

_READERS: Final = 4
_ROWS: Final = 100
"""Rows that one statement inserts at most."""
PATIENCE: Final = 5000
"""Milliseconds to wait for another program that has locked an SQLite file."""


class Unreachable(Exception):  # noqa: N818 (it says what is)
    """A database that can't be used now: gone, locked, full. Nothing of what was asked is kept."""


def as_unreachable(error: Exception) -> Exception:
    """An error of the driver, or of SQLAlchemy, as `Unreachable` if it is one of those."""
    gone = isinstance(error, DBAPIError) and error.connection_invalidated
    if gone or isinstance(error, OperationalError | InterfaceError | PoolTimeout | OSError):
        # Its first line, which never holds the password.
        return Unreachable(str(getattr(error, "orig", None) or error).partition("\n")[0])
    return error


def insert_rows(connection: Connection, statement: Insert, rows: Sequence[dict[str, Any]]) -> None:
    """Inserts rows, each with the same columns.

    SQLite gets them in one statement: its driver hands the interpreter over to other threads, and
    waits to have it back, at each one.
    """
    if connection.dialect.name != "sqlite":
        connection.execute(statement, rows)
        return
    columns = tuple(rows[0])
    for begin in range(0, len(rows), _ROWS):
        some = rows[begin : begin + _ROWS]
        values = tuple(row[column] for row in some for column in columns)
        connection.exec_driver_sql(_inserting(statement.table.name, columns, len(some)), values)


@lru_cache(maxsize=4 * _ROWS)
def _inserting(table: str, columns: tuple[str, ...], rows: int) -> str:
    row = f"({', '.join('?' * len(columns))})"
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES {', '.join([row] * rows)}"  # noqa: S608 (our own names)


class Database(Protocol):
    """A database that is open."""

    async def write(self, work: Callable[[Connection], Result]) -> Result:
        """Does work in a transaction, which is on the disk when this returns.

        One call at a time. If the work raises, nothing of it is kept.
        """

    async def read(self, work: Callable[[Connection], Result]) -> Result:
        """Does work that only reads."""

    async def close(self) -> None:
        """Disconnects."""


class Sqlite:
    """An SQLite file.

    Args:
        url: its URL.
    """

    def __init__(self, url: str) -> None:
        self._engine = create_engine(url)
        event.listen(self._engine, "connect", _prepare)
        self._writer = ThreadPoolExecutor(1, "database writer")
        self._readers = ThreadPoolExecutor(_READERS, "database reader")

    async def write(self, work: Callable[[Connection], Result]) -> Result:
        """Does work in a transaction; see `Database`."""

        def transact() -> Result:
            with self._engine.begin() as connection:
                return work(connection)

        return await asyncio.get_running_loop().run_in_executor(self._writer, transact)

    async def read(self, work: Callable[[Connection], Result]) -> Result:
        """Does work that only reads."""

        def look() -> Result:
            with self._engine.connect() as connection:
                return work(connection)

        return await asyncio.get_running_loop().run_in_executor(self._readers, look)

    async def close(self) -> None:
        """Disconnects."""
        for executor in (self._writer, self._readers):
            executor.shutdown()
        self._engine.dispose()


class Postgresql:
    """A PostgreSQL database.

    Args:
        url: its URL.
    """

    def __init__(self, url: str) -> None:
        from sqlalchemy.ext.asyncio import create_async_engine  # noqa: PLC0415 (imports much)

        # Connections that the database has hung up are noticed before they are used.
        self._engine = create_async_engine(url, pool_pre_ping=True)

    async def write(self, work: Callable[[Connection], Result]) -> Result:
        """Does work in a transaction; see `Database`."""
        async with self._engine.begin() as connection:
            return await connection.run_sync(work)

    async def read(self, work: Callable[[Connection], Result]) -> Result:
        """Does work that only reads."""
        async with self._engine.connect() as connection:
            return await connection.run_sync(work)

    async def close(self) -> None:
        """Disconnects."""
        await self._engine.dispose()


def _prepare(connection: Any, _record: Any) -> None:
    """Every SQLite connection: readers beside the writer, and commits that reach the disk."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.execute(f"PRAGMA busy_timeout={PATIENCE}")
    cursor.close()
