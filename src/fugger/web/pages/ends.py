"""What ends leave behind: a round's evaluation, a game's record and its shuffle, a rematch."""

from __future__ import annotations

from typing import Any

from litestar import Request, Response, get, post

from fugger import dealer, record
from fugger.errors import FuggerError
from fugger.explain import Evaluation, Move
from fugger.names import good_name, reason
from fugger.web import making
from fugger.web.pages.table import refusal
from fugger.web.pages.visit import PathNumber, PathText, Visit, to, visit
from fugger.web.problems import Problem
from fugger.web.seen import evaluations
from fugger.web.views import faces


@get("/tables/{name:str}/rounds/{number:int}", include_in_schema=False)
async def evaluation(
    request: Request[Any, Any, Any], name: PathText, number: PathNumber
) -> Response[str]:
    """A round's evaluation, good by good and player by player."""
    here = visit(request)
    table = await here.table(name)
    rounds = evaluations(table)
    if not 1 <= number <= len(rounds):
        raise Problem(404, f"round {number} of this table hasn't ended")
    return here.page(
        "round.html",
        table=table,
        number=number,
        rounds=len(rounds),
        me=here.seat_at(table),
        names=[seat.name for seat in table.seats],
        winners=table.game.winners if number == len(rounds) else [],
        **evaluated(rounds[number - 1], here),
    )


@get("/tables/{name:str}/record.fgr", include_in_schema=False)
async def download(request: Request[Any, Any, Any], name: PathText) -> Response[str]:
    """The record so far as the visitor may know it; the whole when the game is over."""
    here = visit(request)
    table = await here.table(name)
    return Response(
        record.dumps(table.tagged(table.game), seat=here.seat_at(table)),
        media_type="text/plain; charset=utf-8",
        headers={
            "Content-Disposition": f'attachment; filename="fugger-{table.id}.fgr"',
            "Cache-Control": "no-store",
        },
    )


@get("/tables/{name:str}/shuffle", include_in_schema=False)
async def shuffle(request: Request[Any, Any, Any], name: PathText) -> Response[str]:
    """Where the cards came from; when the game is over, every deal is done again."""
    here = visit(request)
    table = await here.table(name)
    game = table.tagged(table.game)
    verification = dealer.verify(game) if game.is_over else None
    return here.page(
        "shuffle.html",
        table=table,
        commitment=table.commitment,
        seed=table.seed.hex() if game.is_over else None,
        verified=None if verification is None else verification.verdict is dealer.Verdict.VERIFIED,
        deals=verification.deals if verification else 0,
        contributions=[(seat.name, seat.words) for seat in table.seats if seat.words]
        if game.is_over
        else [],
    )


@post("/tables/{name:str}/rematch", include_in_schema=False)
async def rematch(request: Request[Any, Any, Any], name: PathText) -> Response[Any]:
    """Goes to the table that follows this one; the first who asks makes it."""
    here = visit(request)
    table = await here.table(name)
    try:
        following = await making.rematch(here.site, table, here.player_id or "")
    except FuggerError as error:
        return refusal(here, table, error)
    return to(f"/tables/{following.id}")


def evaluated(one: Evaluation, here: Visit) -> dict[str, Any]:
    """An evaluation as a page shows it."""
    words, fronts = here.words, faces(here.likes.language)
    up, down = {Move.ROSE}, {Move.FELL, Move.STOPPED}
    return {
        "goods": [
            {
                "letter": str(move.good),
                "slug": str(move.good).lower(),
                "name": good_name(words, move.good),
                "count": move.count,
                "rank": move.leading + 1 if move.count else None,
                "before": move.before,
                "after": move.after,
                "move": "up" if move.move in up else "down" if move.move in down else "same",
                "why": reason(words, move),
            }
            for move in one.prices
        ],
        "players": [
            {
                "seat": seat,
                "sales": [
                    {
                        "face": fronts[str(sale.card)],
                        "number": sale.number,
                        "each": sale.each,
                        "gulden": sale.gulden,
                        "doubled": sale.doubled,
                    }
                    for sale in one.sales[seat]
                ],
                "income": one.income[seat],
                "before": one.money[seat] - one.income[seat],
                "after": one.money[seat],
                "shipments": None
                if one.shipments is None
                else [
                    {"face": fronts[str(card)], "gulden": gulden}
                    for card, gulden in one.shipments[seat]
                ],
                "total": one.money[seat]
                + (0 if one.shipments is None else sum(paid for _, paid in one.shipments[seat])),
            }
            for seat in range(len(one.income))
        ],
    }


HANDLERS = [evaluation, download, shuffle, rematch]
