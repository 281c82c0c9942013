"""A table in memory: its seats, its game, and how it is brought back from the database."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

from fugger.dealer import KeyedStream
from fugger.game import Game
from fugger.rules.state import SPECTATOR
from fugger.web import store
from fugger.web.store import Store, select

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import Row

UNDO: Final = "undo"
"""As an event's action: so many actions, written in its deals, were taken back."""
OPENING: Final = ""
"""As an event's action: the opening's deals."""

_ALPHABET: Final = "23456789abcdefghjkmnpqrstuvwxyz"
"""For ids that people read to each other: nothing that looks like something else."""
_ID_LENGTH: Final = 10
_KEPT: Final = 2000
"""Tables kept in memory; those that nobody watches and nothing waits for leave first."""

Phase = Literal["waiting", "playing", "over"]
Kind = Literal["open", "human", "bot"]
Actor = Literal["player", "bot", "stand-in", "dealer"]


@dataclass(slots=True)
class Seat:
    """A seat at a table.

    Attributes:
        kind: open to whoever comes, a human's or a bot's.
        level: the bot's name; at a human's seat of the bot that stands in.
        name: what to call who sits here; "" at an open seat.
        player: the id of the human who owns the seat.
        token: a hash of the API's token for the seat.
        words: the human's own random text, mixed into the shuffle.
        away: whether a bot stands in for the human.
    """

    kind: Kind
    level: str = "greedy"
    name: str = ""
    player: str | None = None
    token: str | None = None
    words: str | None = None
    away: bool = False

    @property
    def played_by_bot(self) -> bool:
        """Whether a bot acts for this seat now."""
        return self.kind == "bot" or self.away


@dataclass(slots=True, frozen=True)
class Remark:
    """Something that happened at the table beside the game: ``left``, ``late``, ``back``, ``undo``."""

    ply: int
    kind: str
    seat: int


@dataclass(slots=True, frozen=True)
class Line:
    """A line of the chat."""

    seat: int
    name: str
    text: str
    at: float


@dataclass(slots=True)
class Table:
    """A table: what the database knows of it, and the game it makes of that.

    Attributes:
        ply: how many events are committed; the opening is the first.
        at: when the last of them was committed, in seconds since 1970.
        actors: who took each action of the game, in order.
        changes: counts everything that a viewer could see change.
        watchers: how many streams are open.
        views: what each viewer gets as JSON, and of which of the changes.
        lock: held from the check of a move until it is committed and shown.
    """

    id: str
    made: float
    maker: str
    seconds: int | None
    listed: bool
    seed: bytes
    phase: Phase
    pause: float
    rematch: str | None
    seats: list[Seat]
    game: Game
    ply: int = 0
    at: float = 0.0
    actors: list[Actor] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    chat: list[Line] = field(default_factory=list)
    changes: int = 0
    watchers: int = 0
    views: dict[int, tuple[int, bytes]] = field(default_factory=dict)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def stream(self) -> KeyedStream:
        """Where the table's cards come from."""
        return KeyedStream(self.seed, [seat.words for seat in self.seats])

    @property
    def commitment(self) -> str:
        """What the table shows from the start."""
        return self.stream.commitment

    @property
    def humans(self) -> list[int]:
        """The seats of humans."""
        return [number for number, seat in enumerate(self.seats) if seat.kind == "human"]

    @property
    def may_undo(self) -> bool:
        """Whether actions can be taken back: a single human plays against bots."""
        return len(self.humans) == 1 and not any(seat.kind == "open" for seat in self.seats)

    @property
    def deadline(self) -> float | None:
        """When the seat to act runs out of time, in seconds since 1970."""
        if self.phase != "playing" or self.seconds is None or self.game.player is None:
            return None
        return None if self.seats[self.game.player].played_by_bot else self.at + self.seconds

    def seat_of(self, player: str | None) -> int:
        """The seat a human owns, or `SPECTATOR`."""
        for number, seat in enumerate(self.seats):
            if player is not None and seat.player == player:
                return number
        return SPECTATOR

    def seat_with(self, token: str) -> int:
        """The seat an API token belongs to, or `SPECTATOR`."""
        digest = hashed(token)
        for number, seat in enumerate(self.seats):
            if seat.token is not None and hmac.compare_digest(seat.token, digest):
                return number
        return SPECTATOR

    def tagged(self, game: Game) -> Game:
        """A copy of a game with the tags of this table's record."""
        game = game.copy()
        game.tags |= {f"Seat{n + 1}": seat.name for n, seat in enumerate(self.seats) if seat.name}
        game.tags |= self.stream.tags(reveal=game.is_over)
        return game

    def follow(self, event: Row[Any]) -> None:
        """Takes one more committed event into the game."""
        if event.action == UNDO:
            for _ in range(int(event.deals)):
                self.game.undo()
            del self.actors[self.game.actions_taken :]
        else:
            if event.action != OPENING:
                self.game.play(event.action)
                self.actors.append(event.actor)
            for token in event.deals.split():
                self.game.deal(token.partition(":")[2])
        self.ply, self.at = event.ply + 1, event.at


class Tables:
    """The tables in memory, and the way to them all."""

    def __init__(self, database: Store) -> None:
        self._store = database
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Table | None]] = {}

    async def get(self, name: str) -> Table | None:
        """The table of this id, from memory or from the database; None if there is none."""
        if table := self._tables.get(name):
            self._tables.move_to_end(name)
            return table
        if not 1 <= len(name) <= _ID_LENGTH or set(name) - set(_ALPHABET):
            return None
        task = self._loading.get(name)
        if task is None:
            task = self._loading[name] = asyncio.create_task(self._load(name))
            task.add_done_callback(lambda _: self._loading.pop(name, None))
        return await asyncio.shield(task)

    def add(self, table: Table) -> None:
        """Keeps a table that was just made."""
        self._tables[table.id] = table
        idle = [
            name
            for name, old in list(self._tables.items())[:-1]
            if not old.watchers and not old.lock.locked() and old.phase != "playing"
        ]
        for name in idle[: max(0, len(self._tables) - _KEPT)]:
            del self._tables[name]

    async def catch_up(self, table: Table) -> None:
        """Takes in what other workers have committed of a table; its lock is held."""
        rows = await self._store.rows(
            select(store.events)
            .where(store.events.c.game == table.id, store.events.c.ply >= table.ply)
            .order_by(store.events.c.ply)
        )
        if rows:
            twin = table.game.copy()
            table.game, original = twin, table.game
            try:
                for event in rows:
                    table.follow(event)
            except Exception:
                table.game = original
                raise
            table.changes += 1

    async def _load(self, name: str) -> Table | None:
        row = await self._store.row(select(store.games).where(store.games.c.id == name))
        if row is None:
            return None
        seats, events, remarks, chat = [
            await self._store.rows(
                select(kind).where(kind.c.game == name).order_by(list(kind.primary_key)[1])
            )
            for kind in (store.seats, store.events, store.remarks, store.chat)
        ]
        table = await asyncio.to_thread(_rebuilt, row, seats, events)
        table.remarks = [Remark(one.ply, one.kind, one.seat) for one in remarks]
        table.chat = [Line(one.seat, one.name, one.text, one.at) for one in chat]
        self.add(table)
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
        seats=[
            Seat(
                one.kind, one.level, one.name or "", one.player, one.token, one.words, bool(one.away)
            )
            for one in seats
        ],
        game=Game(row.players, row.edition, row.first, row.target),
        at=row.made,
    )
    for event in events:
        table.follow(event)
    return table


def new_id() -> str:
    """An id for a table: short enough to read out, long enough not to be guessed."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(_ID_LENGTH))


def hashed(token: str) -> str:
    """What is kept of an API token."""
    return hashlib.sha256(token.encode()).hexdigest()
