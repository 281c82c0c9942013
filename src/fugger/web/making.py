"""New tables: as somebody wishes, or as the one before."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fugger.dealer import new_seed
from fugger.game import Game
from fugger.rules.state import SPECTATOR
from fugger.web import store
from fugger.web.changes import Refused, commit, seat_row, show
from fugger.web.seating import STAND_IN, bot_name, start_if_full
from fugger.web.store import Conflict, insert, now, update
from fugger.web.tables import Seat, Table, hashed, new_id
from fugger.web.talk import checked_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fugger.web.site import Site
    from fugger.web.tickets import Ticket


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
            called = checked_name(called) if called else bot_name(seats)
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
            *((insert(store.seats), seat_row(table, number)) for number in range(len(seats))),
        )
    except Conflict:
        made = await site.tables.get(table.id)
        if made is None:
            raise
        return made
    site.tables.add(table)
    await start_if_full(site, table)
    return table


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
        await commit(
            site,
            table,
            update(store.games)
            .where(store.games.c.id == table.id, store.games.c.rematch.is_(None))
            .values(rematch=following.id),
        )
        table.rematch = following.id
        show(site, table)
    return following
