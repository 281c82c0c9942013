"""How a move travels: checked under the table's lock, committed, then shown.

Every change to a table is a function here, and pages, the API, bots and clocks all come through
these. Each holds the table's lock, checks, commits in one transaction, and only then changes what
is in memory and tells whoever watches.
"""

from __future__ import annotations

import re
import secrets
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from fugger.dealer import new_seed
from fugger.errors import FuggerError, IllegalAction
from fugger.game import Game
from fugger.names import HOUSES
from fugger.rules.state import SPECTATOR
from fugger.web import store
from fugger.web.store import Conflict, insert, now, update
from fugger.web.tables import (
    OPENING,
    UNDO,
    Actor,
    Line,
    Remark,
    Seat,
    Table,
    hashed,
    new_id,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fugger.web.site import Site
    from fugger.web.tickets import Ticket

MAX_NAME: Final = 24
MAX_CHAT: Final = 200
MAX_LINES: Final = 1000
"""Lines of chat that a table keeps; it takes no more then."""
_BLANKS: Final = frozenset("\u034f\u115f\u1160\u2800\u3164\uffa0")
"""Characters that count as printable and show nothing."""
TALK_LINES: Final = 6
TALK_SECONDS: Final = 15.0
"""A seat may say so many lines in so many seconds."""
STAND_IN: Final = "greedy"
"""The bot that plays for a human who left or ran out of time."""

_EVENT: Final = insert(store.events)  # made once: that takes longer than the rules do

Reason = Literal[
    "stale",
    "turn",
    "illegal",
    "seat",
    "phase",
    "taken",
    "undo",
    "name",
    "words",
    "chat",
    "flood",
    "seats",
    "target",
]


class Refused(FuggerError):  # noqa: N818 (it says what happened)
    """A change that a table doesn't take now.

    Attributes:
        reason: a word for programs and for choosing a text.
    """

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What somebody wants a new table to be.

    Attributes:
        seats: each (kind, level); the kinds are ``me``, ``human`` (open to a friend) and ``bot``.
    """

    edition: str = "adlung"
    target: int = 100
    seats: Sequence[tuple[str, str]] = (("me", ""), ("bot", STAND_IN), ("bot", STAND_IN))
    seconds: int | None = None
    listed: bool = False
    pause: float | None = None
    first: int | None = None


async def make(
    site: Site,
    wish: Wish,
    maker: str,
    name: str,
    words: str | None = None,
    tokens: Sequence[str] = (),
    names: Sequence[str | None] = (),
    ticket: Ticket | None = None,
) -> Table:
    """Makes a table; it starts at once if no seat is open.

    Args:
        wish: what it is to be.
        maker: the player's id.
        name: the player's name.
        words: the player's own random text for the shuffle.
        tokens: API tokens for the seats of kind ``human``, in their order; without any these
            seats are open.
        names: what to call who sits where; None for whom it will be known later.
        ticket: where its id and its shuffle come from; if a table has been made from it already,
            that one is returned.

    Raises:
        FuggerError: the edition, the target or the seats make no game.
    """
    first = secrets.randbelow(len(wish.seats)) if wish.first is None and wish.seats else wish.first
    game = Game(len(wish.seats), wish.edition, first or 0, wish.target)
    spare = list(tokens)
    seats: list[Seat] = []
    for number, (kind, level) in enumerate(wish.seats):
        called = names[number] if number < len(names) else None
        if kind == "bot":
            site.check_bot(level)
            called = checked_name(called) if called else _bot_name(seats)
            seats.append(Seat("bot", level, called))
        elif kind == "me":
            seats.append(Seat("human", STAND_IN, checked_name(name), maker, words=words))
        elif kind == "human" and spare:
            called = checked_name(called or f"Player {number + 1}")
            seats.append(Seat("human", STAND_IN, called, token=hashed(spare.pop(0))))
        else:
            seats.append(Seat("open"))
    table = Table(
        id=ticket.id if ticket else new_id(),
        made=now(),
        maker=maker,
        seconds=wish.seconds,
        listed=wish.listed,
        seed=ticket.seed if ticket else new_seed(),
        phase="waiting",
        pause=site.settings.bot_pause if wish.pause is None else wish.pause,
        rematch=None,
        seats=seats,
        game=game,
    )
    _ = table.stream  # refuses words of the wrong form before anything is kept
    row = {
        "id": table.id,
        "made": table.made,
        "maker": maker,
        "players": len(seats),
        "edition": game.edition.name,
        "first": game.first,
        "target": game.target,
        "seconds": table.seconds,
        "listed": table.listed,
        "seed": table.seed,
        "phase": table.phase,
        "pause": table.pause,
        "rematch": None,
    }
    try:
        await site.store.commit(
            (insert(store.games), row),
            *((insert(store.seats), _seat_row(table, number)) for number in range(len(seats))),
        )
    except Conflict:
        made = await site.tables.get(table.id)
        if made is None:
            raise
        return made
    site.tables.add(table)
    if all(seat.kind != "open" for seat in seats):
        await start(site, table)
    return table


async def sit(
    site: Site,
    table: Table,
    number: int,
    player: str | None,
    name: str,
    words: str | None = None,
    token: str | None = None,
) -> None:
    """A human takes an open seat; the game starts when it was the last.

    Args:
        number: the seat.
        player: the id of a human with a cookie; None for a program.
        name: what to call who sits there.
        words: the own random text for the shuffle.
        token: the program's token.

    Raises:
        Refused: the seat isn't open, the player sits here already, or the name won't do.
    """
    name = checked_name(name)
    async with table.lock:
        if table.phase != "waiting":
            raise Refused("phase", "the game has started: expected a table that waits for players")
        if table.seat_of(player) != SPECTATOR:
            raise Refused("taken", "you sit at this table already")
        if not 0 <= number < len(table.seats) or table.seats[number].kind != "open":
            raise Refused("taken", "somebody was faster: this seat is taken")
        seat = Seat("human", STAND_IN, name, player, token and hashed(token), words)
        await _keep_seat(site, table, number, seat)
    if all(seat.kind != "open" for seat in table.seats):
        await start(site, table)


async def stand_up(site: Site, table: Table, player: str) -> None:
    """A human gives a seat back before the game has started."""
    async with table.lock:
        number = table.seat_of(player)
        if table.phase != "waiting" or number == SPECTATOR:
            raise Refused("phase", "there is no seat of yours to give back")
        await _keep_seat(site, table, number, Seat("open"))


async def start(site: Site, table: Table, player: str | None = None) -> None:
    """Starts the game; seats still open are filled with bots if a player asks for it.

    Raises:
        Refused: somebody at no seat asks, or the game has started.
    """
    async with table.lock:
        if table.phase != "waiting":
            if player is None:
                return
            raise Refused("phase", "the game has started already")
        if player is None and any(seat.kind == "open" for seat in table.seats):
            return  # somebody stood up before the game began
        if player is not None and table.seat_of(player) == SPECTATOR:
            raise Refused("seat", "only who sits at the table can start the game")
        filled, before = list(table.seats), table.seats
        for number, seat in enumerate(before):
            if seat.kind == "open":
                filled[number] = Seat("bot", STAND_IN, _bot_name(filled))
        table.seats = filled
        game = table.game.copy()
        table.stream.deal_all(game)
        at = now()
        try:
            await _commit(
                site,
                table,
                *(
                    _seat_update(table, number, before[number])
                    for number, seat in enumerate(filled)
                    if seat is not before[number]
                ),
                _phase_update(table, "playing"),
                (
                    _EVENT,
                    _event_row(table.id, 0, OPENING, game.tokens, "dealer", at),
                ),
            )
        except BaseException:
            if table.seats is filled:
                table.seats = before
            raise
        table.game, table.ply, table.at, table.phase = game, 1, at, "playing"
        _show(site, table)
    site.next_turn(table)


async def act(
    site: Site,
    table: Table,
    number: int,
    ply: int,
    action: str | int,
    actor: Actor = "player",
) -> None:
    """A seat acts: the one door for pages, the API, bots and clocks.

    Args:
        number: the acting seat.
        ply: how many events the actor knew of.
        action: an action's notation or number.
        actor: who acts for the seat.

    Raises:
        Refused: the ply is an old one, it isn't this seat's turn, or the action isn't legal.
    """
    async with table.lock:
        await _check_ply(site, table, ply)
        if table.phase != "playing":
            raise Refused("phase", f"the game is {table.phase}: nobody acts now")
        if number == SPECTATOR:
            raise Refused("seat", "spectators don't act")
        if table.game.player != number:
            raise Refused("turn", "it isn't your turn")
        game = table.game.copy()
        try:
            game.play(action)
        except IllegalAction as error:
            raise Refused("illegal", str(error)) from None
        taken = len(table.game.tokens)
        table.stream.deal_all(game)
        token, *deals = game.tokens[taken:]
        at = now()
        statements: list[Any] = [(_EVENT, _event_row(table.id, table.ply, token, deals, actor, at))]
        if game.is_over:
            statements.append(_phase_update(table, "over"))
        returns = actor == "player" and table.seats[number].away
        if returns:
            statements += _away_statements(table, number, False, "back")
        await _commit(site, table, *statements)
        if returns:
            _note_away(table, number, False, "back")
        table.game, table.at = game, at
        table.ply += 1
        table.actors.append(actor)
        if game.is_over:
            table.phase = "over"
        _show(site, table)
    site.next_turn(table)


async def take_back(site: Site, table: Table, number: int, ply: int) -> None:
    """Takes back a seat's last action, and what the bots did since.

    Raises:
        Refused: others play too, the ply is old, or there is nothing to take back.
    """
    async with table.lock:
        await _check_ply(site, table, ply)
        if not table.may_undo or number not in table.humans or table.phase == "waiting":
            raise Refused("undo", "actions can be taken back only alone against bots")
        game = table.game.copy()
        count = 0
        while game.actions_taken:
            game.undo()
            count += 1
            if game.player == number:
                break
        if not count or game.player != number:
            raise Refused("undo", "there is nothing to take back")
        at = now()
        await _commit(
            site,
            table,
            (
                insert(store.events),
                _event_row(table.id, table.ply, UNDO, [str(count)], "player", at),
            ),
            _phase_update(table, "playing"),
            _remark_row(table, "undo", number),
        )
        table.remarks.append(Remark(table.ply, "undo", number))
        table.game, table.at, table.phase = game, at, "playing"
        table.ply += 1
        del table.actors[game.actions_taken :]
        _show(site, table)
    site.next_turn(table)


async def step_away(site: Site, table: Table, number: int, why: Literal["left", "late"]) -> None:
    """A bot plays on for a human who left or ran out of time."""
    async with table.lock:
        seat = table.seats[number]
        if seat.kind != "human" or seat.away or table.phase != "playing":
            return
        await _set_away(site, table, number, True, why)
    site.next_turn(table)


async def come_back(site: Site, table: Table, number: int) -> None:
    """A human takes the seat back from the bot that stood in."""
    async with table.lock:
        seat = table.seats[number]
        if not seat.away or table.phase != "playing":
            return
        await _set_away(site, table, number, False, "back")
        table.at = now()  # the time to act begins now
    site.next_turn(table)


async def say(site: Site, table: Table, number: int, text: str) -> None:
    """Adds a line to the table's chat.

    Raises:
        Refused: the line is empty or too long, or the player sits nowhere here.
    """
    text = " ".join(text.split())
    if not 1 <= len(text) <= MAX_CHAT or not _is_visible(text):
        raise Refused("chat", f"a line of chat has 1 to {MAX_CHAT} characters")
    if number == SPECTATOR:
        raise Refused("seat", "only who sits at the table can talk here")
    async with table.lock:
        lately = [
            line for line in table.chat[-len(table.seats) * TALK_LINES :] if line.seat == number
        ]
        if len(lately) >= TALK_LINES and 0 <= now() - lately[-TALK_LINES].at < TALK_SECONDS:
            raise Refused("flood", "a little slower: say it again in a moment")
        if len(table.chat) >= MAX_LINES:
            raise Refused("chat", f"this table has talked enough: {MAX_LINES} lines are kept")
        line = Line(number, table.seats[number].name, text, now())
        await _commit(
            site,
            table,
            (
                insert(store.chat),
                {
                    "game": table.id,
                    "number": len(table.chat),
                    "seat": number,
                    "name": line.name,
                    "text": line.text,
                    "at": line.at,
                },
            ),
        )
        table.chat.append(line)
        _show(site, table)


async def rematch(site: Site, table: Table, player: str) -> Table:
    """The table that follows a finished one: made by the first who asks, the same seats waiting.

    Raises:
        Refused: the game isn't over, or the player didn't sit here.
    """
    number = table.seat_of(player)
    if table.phase != "over":
        raise Refused("phase", "a rematch follows a finished game")
    if number == SPECTATOR:
        raise Refused("seat", "only who sat at the table can ask for a rematch")
    async with table.lock:
        if table.rematch is not None:
            following = await site.tables.get(table.rematch)
            if following is not None:
                return following
        seats = [
            (
                "me" if seat == number else "human" if table.seats[seat].kind == "human" else "bot",
                table.seats[seat].level,
            )
            for seat in range(len(table.seats))
        ]
        wish = Wish(
            edition=table.game.edition.name,
            target=table.game.target,
            seats=seats,
            seconds=table.seconds,
            pause=table.pause,
            first=(table.game.first + 1) % len(seats),
        )
        following = await make(site, wish, player, table.seats[number].name)
        await _commit(
            site,
            table,
            update(store.games)
            .where(store.games.c.id == table.id, store.games.c.rematch.is_(None))
            .values(rematch=following.id),
        )
        table.rematch = following.id
        _show(site, table)
    return following


def _bot_name(seats: Sequence[Seat]) -> str:
    """What a bot is called at a table: by a house that nobody there is called by."""
    taken = {seat.name for seat in seats}
    return next(house for house in HOUSES if house not in taken)


def checked_name(name: str) -> str:
    """A player's name: 1 to 24 characters of any language.

    Raises:
        Refused: it isn't.
    """
    name = " ".join(unicodedata.normalize("NFC", name).split())
    if not 1 <= len(name) <= MAX_NAME or not _is_visible(name):
        raise Refused("name", f"a name has 1 to {MAX_NAME} characters, all of them visible")
    return name


def _is_visible(text: str) -> bool:
    """Whether something of a text is to be seen, and nothing in it is hidden.

    Joiners are part of names and of emoji; other invisible characters could imitate a name.
    """
    shown = re.sub("[\u200c\u200d]", "", text)
    marks = {"Mn", "Me", "Mc", "Zs"}  # they need something to stand on
    return (
        shown.isprintable()
        and not _BLANKS & set(shown)
        and any(unicodedata.category(one) not in marks for one in shown)
    )


async def _check_ply(site: Site, table: Table, ply: int) -> None:
    if ply > table.ply:
        await site.tables.catch_up(table)  # another worker has committed more
    if ply != table.ply:
        raise Refused("stale", f"the board has moved on: it is at ply {table.ply}, not {ply}")


async def _commit(site: Site, table: Table, *statements: Any) -> None:
    """Commits a change to a table whose lock is held.

    Raises:
        Refused: another server was faster; what it did has been taken in.
    """
    try:
        await site.store.commit(*statements)
    except Conflict:
        await site.tables.catch_up(table)
        raise Refused("stale", "somebody else was faster: the board has moved on") from None


async def _set_away(site: Site, table: Table, number: int, away: bool, why: str) -> None:
    await _commit(site, table, *_away_statements(table, number, away, why))
    _note_away(table, number, away, why)
    _show(site, table)


def _away_statements(table: Table, number: int, away: bool, why: str) -> list[Any]:
    return [
        update(store.seats)
        .where(store.seats.c.game == table.id, store.seats.c.seat == number)
        .values(away=away),
        _remark_row(table, why, number),
    ]


def _note_away(table: Table, number: int, away: bool, why: str) -> None:
    table.seats[number].away = away
    table.remarks.append(Remark(table.ply, why, number))


async def _keep_seat(site: Site, table: Table, number: int, seat: Seat) -> None:
    table.seats[number], before = seat, table.seats[number]
    seats = table.seats
    try:
        _ = table.stream  # refuses words of the wrong form
        await _commit(site, table, _seat_update(table, number, before))
    except BaseException:
        if table.seats is seats:
            table.seats[number] = before
        raise
    _show(site, table)


def _seat_update(table: Table, number: int, before: Seat) -> Any:
    """Changes a seat, if nobody else has since."""
    kept = store.seats.c
    return (
        update(store.seats)
        .where(
            kept.game == table.id,
            kept.seat == number,
            kept.kind == before.kind,
            kept.player.is_not_distinct_from(before.player),
        )
        .values(**_seat_row(table, number))
    )


def _phase_update(table: Table, phase: str) -> Any:
    return update(store.games).where(store.games.c.id == table.id).values(phase=phase)


def _show(site: Site, table: Table) -> None:
    table.changes += 1
    site.publish(table)


def _seat_row(table: Table, number: int) -> dict[str, Any]:
    seat = table.seats[number]
    return {
        "game": table.id,
        "seat": number,
        "kind": seat.kind,
        "level": seat.level,
        "name": seat.name,
        "player": seat.player,
        "token": seat.token,
        "words": seat.words,
        "away": seat.away,
    }


def _event_row(
    game: str, ply: int, action: str, deals: Sequence[str], actor: Actor, at: float
) -> dict[str, Any]:
    return {
        "game": game,
        "ply": ply,
        "action": action,
        "deals": " ".join(deals),
        "actor": actor,
        "at": at,
    }


def _remark_row(table: Table, kind: str, seat: int) -> tuple[Any, dict[str, Any]]:
    return insert(store.remarks), {
        "game": table.id,
        "number": len(table.remarks),
        "ply": table.ply,
        "kind": kind,
        "seat": seat,
        "at": now(),
    }
