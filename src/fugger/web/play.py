"""How a move travels: checked under the table's lock, committed, then shown.

Every change to a table is a function here, in `seating` or in `talk`, and pages, the API, bots and
clocks all come through these. Each holds the table's lock, checks, commits in one transaction, and
only then changes what is in memory and tells whoever watches.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fugger.errors import IllegalAction
from fugger.rules.state import SPECTATOR
from fugger.web.changes import (
    Refused,
    away_statements,
    commit,
    event_of,
    note_away,
    phase_update,
    remark_of,
    show,
)
from fugger.web.store import now
from fugger.web.tables import UNDO, Remark

if TYPE_CHECKING:
    from typing import Any, Literal

    from fugger.web.site import Site
    from fugger.web.tables import Actor, Table


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
        statements: list[Any] = [event_of(table, table.ply, token, deals, actor, at)]
        if game.is_over:
            statements.append(phase_update(table, "over"))
        returns = actor == "player" and table.seats[number].away
        if returns:
            statements += away_statements(table, number, False, "back", at)
        await commit(site, table, *statements)
        if returns:
            note_away(table, number, False, "back")
        table.game, table.at = game, at
        table.ply += 1
        table.actors.append(actor)
        if game.is_over:
            table.phase = "over"
        show(site, table)
    site.next_turn(table)


def check_hint(table: Table, number: int, ply: int) -> None:
    """Whether a seat may ask what to do now.

    Raises:
        Refused: there are other people at the table, it isn't this seat's turn, or the ply is old.
    """
    if table.phase != "playing":
        raise Refused("phase", f"the game is {table.phase}: nobody acts now")
    if number == SPECTATOR:
        raise Refused("seat", "spectators get no hints")
    if not table.may_undo:
        raise Refused("hint", "hints are for games against bots alone")
    if ply != table.ply:
        raise Refused("stale", f"the ply is {table.ply}, not {ply}")
    if table.game.player != number:
        raise Refused("turn", "it isn't your turn")


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
        await commit(
            site,
            table,
            event_of(table, table.ply, UNDO, [str(count)], "player", at),
            phase_update(table, "playing"),
            remark_of(table, "undo", number, at),
        )
        table.remarks.append(Remark(table.ply, "undo", number))
        table.game, table.at, table.phase = game, at, "playing"
        table.ply += 1
        del table.actors[game.actions_taken :]
        show(site, table)
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
    site.next_turn(table)


async def _set_away(site: Site, table: Table, number: int, away: bool, why: str) -> None:
    at = now()
    await commit(site, table, *away_statements(table, number, away, why, at))
    note_away(table, number, away, why)
    if not away and table.game.player == number:
        table.at = at  # the time to act begins now
    show(site, table)


async def _check_ply(site: Site, table: Table, ply: int) -> None:
    if ply > table.ply:
        await site.tables.catch_up(table)  # another worker has committed more
    if ply != table.ply:
        raise Refused("stale", f"the board has moved on: it is at ply {table.ply}, not {ply}")
