"""A table: its seats, its game, and what happened there beside it."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

from fugger.dealer import KeyedStream, commitment
from fugger.record import Hearing
from fugger.rules.state import SPECTATOR

if TYPE_CHECKING:
    from sqlalchemy import Row

    from fugger.game import Game
    from fugger.web.seen import Seen

UNDO: Final = "undo"
"""As an event's action: so many actions, written in its deals, were taken back."""
OPENING: Final = ""
"""As an event's action: the opening's deals."""

ALPHABET: Final = "23456789abcdefghjkmnpqrstuvwxyz"
"""For ids that people read to each other: nothing that looks like something else."""
ID_LENGTH: Final = 10
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
    level: str = "trader"
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
    """What happened at the table beside the game: ``left``, ``late``, ``back``, ``undo``."""

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
        used: when it was last asked for, in seconds of the monotonic clock.
        changes: counts everything that a viewer could see change.
        watchers: what wakes each open stream, and the viewer it is for.
        views: what each viewer was shown last, and after which of the changes.
        texts: the same in JSON, for who got it so.
        hearing: what each viewer may know of the record so far.
        dealer: where the cards come from, and the seats' words that it was made with.
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
    used: float = field(default_factory=time.monotonic)
    changes: int = 0
    watchers: dict[asyncio.Event, int] = field(default_factory=dict)
    views: dict[int, tuple[int, Seen]] = field(default_factory=dict)
    texts: dict[int, tuple[int, bytes]] = field(default_factory=dict)
    hearing: Hearing = field(default_factory=Hearing)
    dealer: tuple[list[str | None], KeyedStream] | None = None
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def stream(self) -> KeyedStream:
        """Where the table's cards come from."""
        words = [seat.words for seat in self.seats]
        if self.dealer is None or self.dealer[0] != words:
            self.dealer = (words, KeyedStream(self.seed, words))
        return self.dealer[1]

    @property
    def commitment(self) -> str:
        """What the table shows from the start."""
        return commitment(self.seed)

    @property
    def humans(self) -> list[int]:
        """The seats of humans."""
        return [number for number, seat in enumerate(self.seats) if seat.kind == "human"]

    @property
    def has_open_seats(self) -> bool:
        """Whether somebody can still sit down."""
        return any(seat.kind == "open" for seat in self.seats)

    @property
    def may_undo(self) -> bool:
        """Whether actions can be taken back: a single human plays against bots."""
        return len(self.humans) == 1 and not self.has_open_seats

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
        game.tags["Date"] = time.strftime("%Y.%m.%d", time.gmtime(self.made))
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


def new_id() -> str:
    """An id for a table: short enough to read out, long enough not to be guessed."""
    return id_from(secrets.token_bytes(ID_LENGTH * 2))


def id_from(number: bytes) -> str:
    """The id that random bytes give."""
    rest = int.from_bytes(number, "big")
    letters = []
    for _ in range(ID_LENGTH):
        rest, letter = divmod(rest, len(ALPHABET))
        letters.append(ALPHABET[letter])
    return "".join(letters)


def hashed(token: str) -> str:
    """What is kept of an API token."""
    return hashlib.sha256(token.encode()).hexdigest()
