"""Who sits where: seats are taken and given back, and the game starts when none is open.

Like `play`, each function that changes a table holds its lock, commits, and only then shows.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

from fugger.names import HOUSES
from fugger.rules.state import SPECTATOR
from fugger.web.changes import (
    Refused,
    commit,
    event_of,
    phase_update,
    seat_update,
    show,
)
from fugger.web.store import now
from fugger.web.tables import OPENING, Seat, Table, hashed
from fugger.web.talk import checked_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fugger.web.site import Site

log = logging.getLogger("fugger.web")

STAND_IN: Final = "trader"
"""The bot that plays for a human who left or ran out of time."""
RETRY: Final = 1.0
"""Seconds until a start that couldn't be kept is tried again."""


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
    await start_if_full(site, table)


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
        if player is None and table.has_open_seats:
            return  # somebody stood up before the game began
        if player is not None and table.seat_of(player) == SPECTATOR:
            raise Refused("seat", "only who sits at the table can start the game")
        filled, before = list(table.seats), table.seats
        for number, seat in enumerate(before):
            if seat.kind == "open":
                filled[number] = Seat("bot", STAND_IN, bot_name(filled))
        table.seats = filled
        game = table.game.copy()
        table.stream.deal_all(game)
        at = now()
        try:
            await commit(
                site,
                table,
                *(
                    seat_update(table, number, before[number])
                    for number, seat in enumerate(filled)
                    if seat is not before[number]
                ),
                phase_update(table, "playing"),
                event_of(table, 0, OPENING, game.tokens, "dealer", at),
            )
        except BaseException:
            if table.seats is filled:
                table.seats = before
            raise
        table.game, table.ply, table.at, table.phase = game, 1, at, "playing"
        show(site, table)
    site.next_turn(table)


async def start_if_full(site: Site, table: Table, after: float = 0.0) -> None:
    """Starts the game if no seat is open, now or so many seconds later.

    Who took the last seat has it, whatever becomes of that: a start that can't be kept is tried
    again, beside the requests.
    """
    await asyncio.sleep(after)
    try:
        if not table.has_open_seats:
            await start(site, table)
    except Refused:
        return  # another server was faster
    except Exception:
        log.exception("the game at table %s can't be started; it is tried again", table.id)
        site.background(start_if_full(site, table, RETRY))


async def _keep_seat(site: Site, table: Table, number: int, seat: Seat) -> None:
    table.seats[number], before = seat, table.seats[number]
    seats = table.seats
    try:
        _ = table.stream  # refuses words of the wrong form
        await commit(site, table, seat_update(table, number, before))
    except BaseException:
        if table.seats is seats:
            table.seats[number] = before
        raise
    show(site, table)


def bot_name(seats: Sequence[Seat]) -> str:
    """What a bot is called at a table: by a house that nobody there is called by."""
    taken = {seat.name for seat in seats}
    return next(house for house in HOUSES if house not in taken)
