"""The JSON API: the same tables, checks and locks as the pages, for programs."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import msgspec
from litestar import Controller, Request, Response, get, post
from litestar.datastructures import State as AppState  # noqa: TC002 (Litestar reads it)
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody, Parameter
from litestar.response import Stream

from fugger import record
from fugger.editions import MAX_TARGET, MIN_TARGET
from fugger.rules.state import SPECTATOR
from fugger.web import live, making, play, seating
from fugger.web.problems import Problem, problem_answers
from fugger.web.seen import Seen, seen_json

if TYPE_CHECKING:
    from fugger.web.site import Site
    from fugger.web.tables import Table

TableId = Annotated[
    str, Parameter(description="A table's id.", max_length=16, pattern="^[a-z0-9]+$")
]


class SeatWish(msgspec.Struct, forbid_unknown_fields=True):
    """A seat of a new table: a human's (you get a token), open to whoever comes, or a bot's."""

    kind: Literal["human", "open", "bot"]
    level: Annotated[str, msgspec.Meta(max_length=32)] | None = None
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=24)] | None = None


class TableWish(msgspec.Struct, forbid_unknown_fields=True):
    """A new table."""

    seats: Annotated[list[SeatWish], msgspec.Meta(min_length=2, max_length=4)]
    players: Annotated[int, msgspec.Meta(ge=2, le=4)] | None = None
    edition: Literal["adlung", "rody"] = "adlung"
    target: Annotated[int, msgspec.Meta(ge=MIN_TARGET, le=MAX_TARGET)] = 100
    first: Annotated[int, msgspec.Meta(ge=0, le=3)] | None = None
    seconds: Annotated[int, msgspec.Meta(ge=5, le=7 * 24 * 3600)] | None = None
    listed: bool = False
    pause: Annotated[float, msgspec.Meta(ge=0, le=10)] = 0.0


class TableMade(msgspec.Struct):
    """A new table's id, its seats' tokens (null for seats that aren't yours), its page."""

    id: str
    tokens: list[str | None]
    url: str


class SitWish(msgspec.Struct, forbid_unknown_fields=True):
    """Who sits down: a name, a seat if it matters, a random text of one's own for the shuffle."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=24)]
    seat: Annotated[int, msgspec.Meta(ge=0, le=3)] | None = None
    words: Annotated[str, msgspec.Meta(min_length=1, max_length=64)] | None = None


class SeatTaken(msgspec.Struct):
    """A seat that is now yours, and its token."""

    seat: int
    token: str


class ActionWish(msgspec.Struct, forbid_unknown_fields=True):
    """An action in notation, and the ply of the board it was chosen on."""

    ply: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
    action: Annotated[str, msgspec.Meta(min_length=1, max_length=4)]


_BOARD: Final = {
    200: ResponseSpec(Seen, generate_examples=False, description="The board as the viewer sees it.")
}
_REFUSALS: Final = problem_answers(400, 401, 403, 404, 408, 409, 413, 422, 429, 503)
_CHANGED: Final = _BOARD | _REFUSALS


class Strict(Request[Any, Any, Any]):
    """A request whose JSON is taken as it is: ``"100"`` is no number."""

    async def json(self) -> Any:
        """The body, as the handler wants it.

        Raises:
            Problem: it isn't of that form; the message names the field.
        """
        field = self.route_handler.parsed_data_field
        wanted = Any if field is None else field.annotation
        try:
            return msgspec.json.decode(await self.body(), type=wanted)
        except msgspec.ValidationError as error:
            what, _, where = str(error).rpartition(" - at `$")
            place = where.strip(".`") or "body"
            raise Problem(400, f"{place}: {what or error}", "form") from None
        except msgspec.DecodeError as error:
            raise Problem(400, f"body: {error}", "form") from None


class Tables(Controller):
    """Tables for programs."""

    path = "/api/tables"
    request_class = Strict
    security = [{"bearer": []}, {}]  # noqa: RUF012 (as below)
    tags = ["tables"]  # noqa: RUF012 (Litestar's way of naming them)

    @post("/", summary="Make a table", responses=problem_answers(400, 403, 408, 413, 429, 503))
    async def make(
        self, state: AppState, request: Request[Any, Any, Any], data: JSONBody[TableWish]
    ) -> TableMade:
        """Makes a table; the game starts at once if no seat is open."""
        site: Site = state.site
        if data.players is not None and data.players != len(data.seats):
            raise Problem(
                400, f"players is {data.players}, but there are {len(data.seats)} seats", "seats"
            )
        tokens = [
            secrets.token_urlsafe(24) if seat.kind == "human" else None for seat in data.seats
        ]
        wish = making.Wish(
            edition=data.edition,
            target=data.target,
            seats=[(seat.kind, seat.level or seating.STAND_IN) for seat in data.seats],
            seconds=data.seconds,
            listed=data.listed,
            pause=data.pause,
            first=data.first,
        )
        table = await making.make(
            site,
            wish,
            maker="",
            name="",
            tokens=[token for token in tokens if token],
            names=[seat.name for seat in data.seats],
        )
        return TableMade(table.id, tokens, f"{address(site, request)}/tables/{table.id}")

    @get(
        "/{name:str}",
        summary="See a table",
        responses=_BOARD | problem_answers(400, 401, 404, 429, 503),
    )
    async def look(
        self, state: AppState, request: Request[Any, Any, Any], name: TableId
    ) -> Response[bytes]:
        """What the token's seat may know; what everybody knows without a token."""
        table, seat = await _table_and_seat(state.site, request, name)
        return _json(table, seat)

    @post("/{name:str}/seats", summary="Sit down", responses=_REFUSALS)
    async def sit(self, state: AppState, name: TableId, data: JSONBody[SitWish]) -> SeatTaken:
        """Takes an open seat, the first by default; the game starts when it was the last."""
        site: Site = state.site
        table = await _table(site, name)
        seat = data.seat
        if seat is None:
            seat = next((n for n, one in enumerate(table.seats) if one.kind == "open"), -1)
        token = secrets.token_urlsafe(24)
        await seating.sit(site, table, seat, None, data.name, data.words, token)
        return SeatTaken(seat, token)

    @post("/{name:str}/actions", summary="Act", status_code=200, responses=_CHANGED)
    async def act(
        self,
        state: AppState,
        request: Request[Any, Any, Any],
        name: TableId,
        data: JSONBody[ActionWish],
    ) -> Response[bytes]:
        """Takes an action for the token's seat; answers with the board after it."""
        table, seat = await _table_and_seat(state.site, request, name, must_sit=True)
        await play.act(state.site, table, seat, data.ply, data.action)
        return _json(table, seat)

    @post("/{name:str}/leave", summary="Leave", status_code=200, responses=_CHANGED)
    async def leave(
        self, state: AppState, request: Request[Any, Any, Any], name: TableId
    ) -> Response[bytes]:
        """Lets a bot play on for the token's seat; answers with the board."""
        table, seat = await _table_and_seat(state.site, request, name, must_sit=True)
        await play.step_away(state.site, table, seat, "left")
        return _json(table, seat)

    @post("/{name:str}/return", summary="Return", status_code=200, responses=_CHANGED)
    async def come_back(
        self, state: AppState, request: Request[Any, Any, Any], name: TableId
    ) -> Response[bytes]:
        """Takes the token's seat back from the bot that played on; answers with the board."""
        table, seat = await _table_and_seat(state.site, request, name, must_sit=True)
        await play.come_back(state.site, table, seat)
        return _json(table, seat)

    @get(
        "/{name:str}/stream",
        summary="Follow a table",
        media_type="text/event-stream",
        responses=problem_answers(400, 401, 404, 429, 503),
    )
    async def follow(
        self, state: AppState, request: Request[Any, Any, Any], name: TableId
    ) -> Stream:
        """Server-sent events: the board now and whenever it changes, the ply as the event's id."""
        table, seat = await _table_and_seat(state.site, request, name)
        live.check_room(table, seat)
        return Stream(
            live.stream(state.site, table, seat, lambda: seen_json(table, seat)),
            media_type="text/event-stream",
            headers={"Cache-Control": "no-store"},
        )

    @get(
        "/{name:str}/record",
        summary="A table's record",
        media_type="text/plain",
        responses=problem_answers(400, 401, 404, 429, 503),
    )
    async def record(
        self, state: AppState, request: Request[Any, Any, Any], name: TableId
    ) -> Response[str]:
        """The record so far as the viewer may know it; the whole when the game is over."""
        table, seat = await _table_and_seat(state.site, request, name)
        return Response(record.dumps(table.tagged(table.game), seat=seat), media_type="text/plain")


def address(site: Site, request: Request[Any, Any, Any]) -> str:
    """Where the site is reached, without a slash at the end."""
    return site.settings.public_url or f"{request.url.scheme}://{request.url.netloc}"


def _json(table: Table, seat: int) -> Response[bytes]:
    return Response(seen_json(table, seat), media_type="application/json")


async def _table(site: Site, name: str) -> Table:
    table = await site.tables.get(name)
    if table is None:
        raise Problem(404, f"there is no table {name!r}", "table")
    return table


async def _table_and_seat(
    site: Site, request: Request[Any, Any, Any], name: str, *, must_sit: bool = False
) -> tuple[Table, int]:
    table = await _table(site, name)
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if not scheme:
        if must_sit:
            raise Problem(401, "expected the header «Authorization: Bearer» with a seat's token")
        return table, SPECTATOR
    seat = table.seat_with(token.strip()) if scheme.lower() == "bearer" else SPECTATOR
    if seat == SPECTATOR:
        raise Problem(401, "the token is of no seat at this table", "token")
    site.tokens.add(token.strip())
    return table, seat
