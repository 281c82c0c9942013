"""Seats: taking one, giving it back, starting, leaving, coming back."""

from __future__ import annotations

from typing import Any

from litestar import Request, Response, post

from fugger.errors import FuggerError
from fugger.rules.state import SPECTATOR
from fugger.web import play, seating
from fugger.web.pages.table import done, refusal
from fugger.web.pages.visit import PathText, to, visit


@post("/tables/{name:str}/sit", include_in_schema=False)
async def sit(request: Request[Any, Any, Any], name: PathText) -> Response[Any]:
    """Takes an open seat."""
    here = visit(request)
    table = await here.table(name)
    form = await here.form()
    seat = form.get("seat", "")
    try:
        player, cookies = here.known(form.get("name", ""))
        number = int(seat) if seat.isdecimal() and len(seat) == 1 else -1
        words = form.get("words", "").strip() or None
        await seating.sit(here.site, table, number, player.id, player.name, words)
        here = here.by(player)
    except FuggerError as error:
        return refusal(here, table, error)
    return done(here, table, cookies)


@post("/tables/{name:str}/stand", include_in_schema=False)
async def stand_up(request: Request[Any, Any, Any], name: PathText) -> Response[Any]:
    """Gives the visitor's seat back before the game."""
    here = visit(request)
    table = await here.table(name)
    try:
        await seating.stand_up(here.site, table, here.player_id or "")
    except FuggerError as error:
        return refusal(here, table, error)
    return done(here, table)


@post("/tables/{name:str}/start", include_in_schema=False)
async def start(request: Request[Any, Any, Any], name: PathText) -> Response[Any]:
    """Starts the game, with bots at the seats that are open."""
    here = visit(request)
    table = await here.table(name)
    try:
        await seating.start(here.site, table, here.player_id or "")
    except FuggerError as error:
        return refusal(here, table, error)
    return done(here, table)


@post("/tables/{name:str}/leave", include_in_schema=False)
async def leave(request: Request[Any, Any, Any], name: PathText) -> Response[Any]:
    """Leaves a running game: a bot plays on; alone against bots the game just waits."""
    here = visit(request)
    table = await here.table(name)
    seat = here.seat_at(table)
    if seat != SPECTATOR and not table.may_undo:
        await play.step_away(here.site, table, seat, "left")
    return to("/")


@post("/tables/{name:str}/return", include_in_schema=False)
async def come_back(request: Request[Any, Any, Any], name: PathText) -> Response[Any]:
    """Takes the visitor's seat back from the bot that stood in."""
    here = visit(request)
    table = await here.table(name)
    seat = here.seat_at(table)
    if seat != SPECTATOR:
        await play.come_back(here.site, table, seat)
    return done(here, table)


HANDLERS = [sit, stand_up, start, leave, come_back]
