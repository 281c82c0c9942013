"""The tables in memory, and how each is brought back from the database."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Final

from fugger.game import Game
from fugger.web import store
from fugger.web.store import Store, now, select
from fugger.web.tables import ALPHABET, ID_LENGTH, Line, Remark, Seat, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from sqlalchemy import Row
    from sqlalchemy import Table as Kept

_KEPT: Final = 2000
"""Tables kept in memory; those that nobody watches and no bot thinks for leave first."""
IDLE: Final = 600.0
"""Seconds after which a table that nobody watches and nobody asked for leaves the memory."""


class Tables:
    """The tables in memory, and the way to them all.

    Args:
        database: where they live on.
        in_use: whether somebody watches a table, or a bot thinks for it.
        loaded: called with a table that came from the database.
    """

    def __init__(
        self,
        database: Store,
        in_use: Callable[[Table], bool],
        loaded: Callable[[Table], None],
    ) -> None:
        self._store = database
        self._in_use = in_use
        self._loaded = loaded
        self._since = now()
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Table | None]] = {}

    async def get(self, name: str) -> Table | None:
        """The table of this id, from memory or from the database; None if there is none."""
        if table := self.in_memory(name):
            return table
        if not 1 <= len(name) <= ID_LENGTH or set(name) - set(ALPHABET):
            return None
        task = self._loading.get(name)
        if task is None:
            task = self._loading[name] = asyncio.create_task(self._load(name))
            task.add_done_callback(lambda _: self._loading.pop(name, None))
        return await asyncio.shield(task)

    def in_memory(self, name: str) -> Table | None:
        """The table of this id if it is in memory."""
        table = self._tables.get(name)
        if table is not None:
            table.used = time.monotonic()
            self._tables.move_to_end(name)
        return table

    def all_in_memory(self) -> list[Table]:
        """All tables in memory."""
        return list(self._tables.values())

    def add(self, table: Table) -> None:
        """Keeps a table in memory; if there are too many, those idle for longest leave it."""
        self._tables[table.id] = table
        excess = len(self._tables) - _KEPT
        for old in self.all_in_memory()[:-1] if excess > 0 else ():
            if excess and self._forget(old):
                excess -= 1

    def forget_idle(self) -> None:
        """Lets the tables leave that nobody asked for in a while; the database has them."""
        before = time.monotonic() - IDLE
        for table in self.all_in_memory():
            if table.used < before:
                self._forget(table)

    def _forget(self, table: Table) -> bool:
        if table.lock.locked() or self._in_use(table):
            return False
        del self._tables[table.id]
        return True

    async def catch_up(self, table: Table) -> None:
        """Takes in what others have committed of a table; its lock is held."""
        row = await self._store.row(select(store.games).where(store.games.c.id == table.id))
        if row is None:
            return
        seats = await self._of(table.id, store.seats)
        events = await self._of(table.id, store.events, table.ply)
        remarks = await self._of(table.id, store.remarks, len(table.remarks))
        lines = await self._of(table.id, store.chat, len(table.chat))
        if events:
            # Applied to a copy: whoever looks meanwhile sees the old board or the new one.
            table.game = table.game.copy()
            for event in events:
                table.follow(event)
        table.phase, table.rematch = row.phase, row.rematch
        table.seats = [_seat(one) for one in seats]
        table.remarks += [_remark(one) for one in remarks]
        table.chat += [_line(one) for one in lines]
        table.changes += 1

    async def _of(self, name: str, kind: Kept, number: int = 0) -> Sequence[Row[Any]]:
        """The rows of a table's seats, events, remarks or chat, from a number on."""
        key = list(kind.primary_key)[1]
        return await self._store.rows(
            select(kind).where(kind.c.game == name, key >= number).order_by(key)
        )

    async def _load(self, name: str) -> Table | None:
        row = await self._store.row(select(store.games).where(store.games.c.id == name))
        if row is None:
            return None
        seats, events, remarks, lines = [
            await self._of(name, kind)
            for kind in (store.seats, store.events, store.remarks, store.chat)
        ]
        table = await asyncio.to_thread(_rebuilt, row, seats, events)
        table.remarks = [_remark(one) for one in remarks]
        table.chat = [_line(one) for one in lines]
        # The time to act begins anew for who comes back; it doesn't run while no server does, and
        # not from a moment that a clock set back has yet to reach.
        player = table.game.player
        returns = [one.at for one in remarks if one.kind == "back" and one.seat == player]
        table.at = min(max(table.at, self._since, *returns), now())
        self.add(table)
        self._loaded(table)
        return table


def _rebuilt(row: Row[Any], seats: Iterable[Row[Any]], events: Iterable[Row[Any]]) -> Table:
    table = Table(
        id=row.id,
        made=row.made,
        maker=row.maker,
        seconds=row.seconds,
        listed=row.listed,
        seed=row.seed,
        phase=row.phase,
        pause=row.pause,
        rematch=row.rematch,
        seats=[_seat(one) for one in seats],
        game=Game(row.players, row.edition, row.first, row.target),
        at=row.made,
    )
    for event in events:
        table.follow(event)
    return table


def _seat(row: Row[Any]) -> Seat:
    return Seat(
        row.kind, row.level, row.name or "", row.player, row.token, row.words, bool(row.away)
    )


def _remark(row: Row[Any]) -> Remark:
    return Remark(row.ply, row.kind, row.seat)


def _line(row: Row[Any]) -> Line:
    return Line(row.seat, row.name, row.text, row.at)
