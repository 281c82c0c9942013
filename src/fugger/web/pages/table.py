"""A table: its page, its live stream, and what a player does there."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Final

from litestar import Request, Response, get, post
from litestar.response import Stream

from fugger.advice import hint
from fugger.rules.state import SPECTATOR
from fugger.web import live, play, robots, talk
from fugger.web.api import address
from fugger.web.changes import Refused
from fugger.web.pages.home import explained
from fugger.web.pages.qr import qr
from fugger.web.pages.visit import PathText, Visit, html, to, visit
from fugger.web.problems import STATUS
from fugger.web.rendering import render
from fugger.web.views import board, log

if TYPE_CHECKING:
    from collections.abc import Sequence

    from litestar.datastructures import Cookie

    from fugger.errors import FuggerError
    from fugger.web.pages.visit import Likes
    from fugger.web.tables import Table

_KEPT: Final = 400
"""Fragments kept, some 30 kB each."""

_SINCE: Final = secrets.token_hex(4)
"""Tells this process from others, which count a table's changes anew."""

_fragments: OrderedDict[tuple[str, int, Likes], tuple[Table, int, str]] = OrderedDict()


@get("/tables/{name:str}", include_in_schema=False)
async def table_page(request: Request[Any, Any, Any], name: PathText) -> Response[str]:
    """The table as the visitor may see it."""
    here = visit(request)
    return whole(here, await here.table(name))


@get("/tables/{name:str}/stream", include_in_schema=False)
async def stream(request: Request[Any, Any, Any], name: PathText) -> Stream:
    """The board, now and whenever it changes."""
    here = visit(request)
    table = await here.table(name)
    seat = here.seat_at(table)
    live.check_room(table, seat)
    return Stream(
        live.stream(here.site, table, seat, lambda: fragment(here, table).encode()),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


@post("/tables/{name:str}/actions", include_in_schema=False)
async def act(request: Request[Any, Any, Any], name: PathText) -> Response[Any]:
    """Takes an action. Without one named, as when Enter is pressed on a card, plays that card."""
    here = visit(request)
    table = await here.table(name)
    form = await here.form()
    action = form.get("action") or form.get("card", "")
    seat = here.seat_at(table)
    try:
        await play.act(here.site, table, seat, _ply(form), action)
    except Refused as refused:
        return refusal(here, table, refused)
    return done(here, table)


@post("/tables/{name:str}/undo", include_in_schema=False)
async def undo(request: Request[Any, Any, Any], name: PathText) -> Response[Any]:
    """Takes the visitor's last action back."""
    here = visit(request)
    table = await here.table(name)
    try:
        await play.take_back(here.site, table, here.seat_at(table), _ply(await here.form()))
    except Refused as refused:
        return refusal(here, table, refused)
    return done(here, table)


@post("/tables/{name:str}/hint", include_in_schema=False)
async def advise(request: Request[Any, Any, Any], name: PathText) -> Response[Any]:
    """What the strongest bot would do in the visitor's place; only where people don't compete."""
    here = visit(request)
    table = await here.table(name)
    seat = here.seat_at(table)
    try:
        play.check_hint(table, seat, _ply(await here.form()))
    except Refused as refused:
        return refusal(here, table, refused)
    notice = hint(here.words, await robots.advice(table, seat))
    if here.is_live:
        return html(fragment(here, table, notice))
    return whole(here, table, notice)


@post("/tables/{name:str}/chat", include_in_schema=False)
async def chat(request: Request[Any, Any, Any], name: PathText) -> Response[Any]:
    """Says something at the table."""
    here = visit(request)
    table = await here.table(name)
    try:
        text = (await here.form()).get("text", "")
        await talk.say(here.site, table, here.seat_at(table), text)
    except Refused as refused:
        return refusal(here, table, refused)
    return done(here, table)


@get("/tables/{name:str}/log", include_in_schema=False)
async def whole_log(request: Request[Any, Any, Any], name: PathText) -> Response[str]:
    """Everything that happened, in words."""
    here = visit(request)
    table = await here.table(name)
    lines = log(table, here.seat_at(table), here.likes, 10_000)
    return here.page("log.html", table=table, lines=lines)


def whole(here: Visit, table: Table, notice: str = "", status: int = 200) -> Response[str]:
    """The whole page of a table."""
    return here.page("table.html", status, **_context(here, table, notice))


def fragment(here: Visit, table: Table, notice: str = "") -> str:
    """The part of the page that changes: made once for all who see the same of one change."""
    if notice or table.phase == "waiting":
        return _fragment(here, table, notice)
    key = (table.id, here.seat_at(table), here.likes)
    kept = _fragments.pop(key, None)
    if kept is None or kept[0] is not table or kept[1] != table.changes:
        kept = (table, table.changes, _fragment(here, table, notice))
    _fragments[key] = kept
    if len(_fragments) > _KEPT:
        _fragments.popitem(last=False)
    return kept[2]


def _fragment(here: Visit, table: Table, notice: str) -> str:
    return render("board.html", here.likes, player=here.player, **_context(here, table, notice))


def done(here: Visit, table: Table, cookies: Sequence[Cookie] = ()) -> Response[Any]:
    """The answer to a change that was made: the visitor's own board."""
    if here.is_live:
        return html(fragment(here, table), cookies=cookies)
    return to(f"/tables/{table.id}", cookies)


def refusal(here: Visit, table: Table, error: FuggerError) -> Response[Any]:
    """The answer to a change that the table didn't take: the board as it is, and why."""
    status = STATUS[error.reason] if isinstance(error, Refused) else 400
    notice = _notice(here, error)
    if here.is_live:
        return html(fragment(here, table, notice), status)
    return whole(here, table, notice, status)


def _context(here: Visit, table: Table, notice: str) -> dict[str, Any]:
    seat = here.seat_at(table)
    context: dict[str, Any] = {
        "notice": notice,
        "changes": table.changes,
        "since": _SINCE,
        **board(table, seat, here.likes),
    }
    if table.phase == "waiting":
        link = f"{address(here.site, here.request)}/tables/{table.id}"
        context |= {"link": link, "qr": qr(link)}
    return context


def _notice(here: Visit, error: FuggerError) -> str:
    say = here.words.say
    reason = error.reason if isinstance(error, Refused) else ""
    notices = {
        "stale": say("The board had moved on already: here it is as it is now."),
        "turn": say("It isn't your turn: here is the board as it is now."),
        "illegal": say("That isn't possible now: choose one of the things offered."),
        "seat": say("You don't sit at this table, so you can only watch."),
        "phase": say("That isn't possible any more: here is the table as it is now."),
        "taken": say("Somebody was faster: this seat is taken."),
        "undo": say("There is nothing to take back."),
        "hint": say("Hints are for games against bots alone."),
        "chat": say("A line has 1 to {limit} characters.", limit=talk.MAX_CHAT),
        "flood": say("A little slower: say it again in a moment."),
    }
    return notices.get(reason) or explained(here, error)


def _ply(form: dict[str, str]) -> int:
    text = form.get("ply", "")
    return int(text) if text.isdecimal() and len(text) < 8 else -1


HANDLERS = [table_page, stream, act, undo, advise, chat, whole_log]

__all__ = ["HANDLERS", "SPECTATOR"]
