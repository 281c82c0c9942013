"""The first page: play now, make a table, join one, come back to one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from litestar import Request, Response, get, post

from fugger import bots
from fugger.editions import ADLUNG, EDITIONS, MAX_TARGET, MIN_TARGET
from fugger.errors import FuggerError
from fugger.names import bot_level
from fugger.rulebook import differences
from fugger.rules.state import MAX_PLAYERS
from fugger.web import changes, making, store, talk
from fugger.web.making import Wish
from fugger.web.pages.visit import Visit, like_cookie, to, visit
from fugger.web.seating import STAND_IN
from fugger.web.store import select

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fugger.web.site import Site
    from fugger.web.tickets import Ticket

SECONDS: Final = (None, 30, 120, 24 * 3600)
"""The times per action that are offered."""
LEVEL: Final = "level"
"""The field, and the cookie, of the bots' level that somebody plays against."""
SHOWN: Final = 20
"""Tables a list shows."""
_DEFAULTS: Final[Mapping[str, str]] = {
    "name": "",
    "seat1": "me",
    "seat2": "human",
    "seat4": "",
    "edition": ADLUNG.name,
    "target": str(ADLUNG.target),
    "seconds": "",
    "listed": "",
}


@dataclass(frozen=True, slots=True)
class Listed:
    """A table in a list: who sits there, and how far it is."""

    id: str
    phase: str
    edition: str
    target: int
    seconds: int | None
    names: list[str]
    open: int


@get("/", include_in_schema=False)
async def home(request: Request[Any, Any, Any]) -> Response[str]:
    """The first page."""
    return await _home(visit(request))


@post("/play", include_in_schema=False)
async def play_now(request: Request[Any, Any, Any]) -> Response[Any]:
    """A table against two bots, at once."""
    here = visit(request)
    form = await here.form()
    level = _level(here, form)
    try:
        wish = Wish(seats=(("me", ""), ("bot", level), ("bot", level)))
        player, cookies = here.known(form.get("name", ""))
        table = await making.make(
            here.site, wish, player.id, player.name, _words(form), ticket=_ticket(here, form)
        )
    except FuggerError as error:
        return await _home(here, form, error)
    kept = like_cookie(LEVEL, level, secure=here.site.settings.secure)
    return to(f"/tables/{table.id}", [*cookies, kept])


@post("/tables", include_in_schema=False)
async def make(request: Request[Any, Any, Any]) -> Response[Any]:
    """A table as wished for."""
    here = visit(request)
    form = await here.form()
    try:
        wish = _wish(form)
        player, cookies = here.known(form.get("name", ""))
        table = await making.make(
            here.site, wish, player.id, player.name, _words(form), ticket=_ticket(here, form)
        )
    except FuggerError as error:
        return await _home(here, form, error)
    return to(f"/tables/{table.id}", cookies)


@post("/name", include_in_schema=False)
async def rename(request: Request[Any, Any, Any]) -> Response[Any]:
    """What to call somebody from now on."""
    here = visit(request)
    form = await here.form()
    try:
        _, cookies = here.known(form.get("name", ""))
    except FuggerError as error:
        return await _home(here, form, error)
    return to("/", cookies)


async def _home(
    here: Visit, form: Mapping[str, str] | None = None, error: FuggerError | None = None
) -> Response[str]:
    mine = await _tables(here.site, player=here.player_id) if here.player else []
    level, levels = _level(here), [bot_level(here.words, name) for name in bots.LEVELS]
    return here.page(
        "home.html",
        status=400 if error else 200,
        error=None if error is None else explained(here, error),
        ticket=here.site.tickets.new(),
        form={**_DEFAULTS, "seat3": f"bot:{level}", "level": level, **(form or {})},
        levels=levels,
        faces=sorted({"face-human", *(one.face for one in levels)}),
        seat_names=[f"seat{number + 1}" for number in range(MAX_PLAYERS)],
        editions={name: differences(edition, here.words) for name, edition in EDITIONS.items()},
        targets=(MIN_TARGET, MAX_TARGET),
        seconds=SECONDS,
        running=[table for table in mine if table.phase != "over"],
        finished=[table for table in mine if table.phase == "over"][:SHOWN],
        joinable=[
            table for table in await _tables(here.site) if table.id not in {one.id for one in mine}
        ],
    )


def explained(here: Visit, error: FuggerError) -> str:
    """What a form got wrong, in the visitor's language where there is a text for it."""
    say = here.words.say
    if isinstance(error, changes.Refused) and error.reason == "name":
        return say("A name has 1 to {limit} characters, all of them visible.", limit=talk.MAX_NAME)
    if isinstance(error, changes.Refused) and error.reason == "seats":
        return say("A table has 2 to 4 seats, and you sit at one of them at most.")
    if isinstance(error, changes.Refused) and error.reason == "target":
        return say(
            "The target is a whole number from {least} to {most}.",
            least=MIN_TARGET,
            most=MAX_TARGET,
        )
    return str(error)


def _level(here: Visit, form: Mapping[str, str] | None = None) -> str:
    """The bots' level that somebody chose just now, or the last time; the usual one at first."""
    chosen = ((form or {}).get(LEVEL), here.request.cookies.get(LEVEL))
    return next((level for level in chosen if level in bots.LEVELS), STAND_IN)


def _wish(form: Mapping[str, str]) -> Wish:
    seats = []
    for number in range(MAX_PLAYERS):
        kind, _, level = form.get(f"seat{number + 1}", "").partition(":")
        if kind in {"me", "human", "bot"}:
            seats.append((kind, level or STAND_IN))
    if len(seats) < 2 or sum(kind == "me" for kind, _ in seats) > 1:
        raise changes.Refused("seats", "expected 2 to 4 seats, one of them yours at most")
    target = form.get("target", "").strip() or str(ADLUNG.target)
    if not (target.isdecimal() and len(target) < 5 and MIN_TARGET <= int(target) <= MAX_TARGET):
        raise changes.Refused("target", f"expected a target from {MIN_TARGET} to {MAX_TARGET}")
    seconds = form.get("seconds", "")
    offered = {str(one): one for one in SECONDS if one is not None}
    return Wish(
        edition=form.get("edition", ADLUNG.name),
        target=int(target),
        seats=seats,
        seconds=offered.get(seconds),
        listed=form.get("listed") == "yes",
    )


def _ticket(here: Visit, form: Mapping[str, str]) -> Ticket | None:
    return here.site.tickets.read(form.get("ticket", ""))


def _words(form: Mapping[str, str]) -> str | None:
    return form.get("words", "").strip() or None


async def _tables(site: Site, player: str | None = None) -> Sequence[Listed]:
    """The tables somebody sits at, or those that are listed and wait for players; newest first."""
    games, seats = store.games.c, store.seats.c
    theirs = games.id.in_(select(seats.game).where(seats.player == player))
    which = theirs if player else (games.phase == "waiting") & games.listed
    rows = await site.store.rows(
        select(store.games).where(which).order_by(games.made.desc()).limit(2 * SHOWN)
    )
    taken = await site.store.rows(
        select(seats.game, seats.kind, seats.name)
        .where(seats.game.in_([row.id for row in rows]))
        .order_by(seats.game, seats.seat)
    )
    return [
        Listed(
            row.id,
            row.phase,
            row.edition,
            row.target,
            row.seconds,
            [seat.name for seat in taken if seat.game == row.id and seat.kind != "open"],
            sum(seat.game == row.id and seat.kind == "open" for seat in taken),
        )
        for row in rows
    ]


HANDLERS = [home, play_now, make, rename]
