"""The way programs' actions take: past the framework, which would cost more than the action.

Only a plain request of a program that sits at a table in memory goes this way; whatever is odd in
any way goes on to the framework's handler of the same path, which says what is wrong. Both call
the same functions, and both come after the guard.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec
from litestar.enums import ScopeType

from fugger.rules.state import SPECTATOR
from fugger.web import play
from fugger.web.api import ActionWish
from fugger.web.problems import as_problem, encoded, headers_of
from fugger.web.seen import seen_json

if TYPE_CHECKING:
    from litestar.types import ASGIApp, HTTPReceiveMessage, HTTPScope, Receive, Scope, Send
    from litestar.types.asgi_types import WebSocketReceiveMessage

    from fugger.web.site import Site
    from fugger.web.tables import Table

    ReceiveMessage = HTTPReceiveMessage | WebSocketReceiveMessage

_PATH: Final = re.compile("/api/tables/([a-z0-9]{1,16})/actions")
_wish: Final = msgspec.json.Decoder(ActionWish).decode


class Shortcut:
    """Middleware: answers plain actions, and lets everything else pass.

    Args:
        app: where the rest goes.
        site: the tables.
    """

    def __init__(self, app: ASGIApp, site: Site) -> None:
        self._app, self._site = app, site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request, or has it answered."""
        taken = self._seat(scope) if scope["type"] == ScopeType.HTTP else None
        if taken is None:
            await self._app(scope, receive, send)
            return
        table, seat, token = taken
        message = await receive()
        try:
            wish = _wish(message["body"])  # type: ignore[typeddict-item]  # the guard gives it whole
        except (KeyError, msgspec.MsgspecError):
            await self._app(scope, _again(message, receive), send)
            return
        self._site.tokens.add(token)
        status, kind = 200, b"application/json"
        try:
            await play.act(self._site, table, seat, wish.ply, wish.action)
            answer = seen_json(table, seat)
        except Exception as error:
            problem = as_problem(error)
            status, kind = problem.status, b"application/problem+json"
            answer = encoded(problem, scope["path"])
        further = headers_of(status).items()
        await send(
            {
                "type": "http.response.start",
                "status": status,
                "headers": [
                    (b"content-type", kind),
                    (b"content-length", b"%d" % len(answer)),
                    *((name.encode(), value.encode()) for name, value in further),
                ],
            }
        )
        await send({"type": "http.response.body", "body": answer, "more_body": False})

    def _seat(self, scope: HTTPScope) -> tuple[Table, int, str] | None:
        """Of a plain request the table, the seat and its token."""
        path = _PATH.fullmatch(scope["path"]) if scope["method"] == "POST" else None
        table = self._site.tables.in_memory(path[1]) if path else None
        if table is None:
            return None
        headers = dict(scope["headers"])
        scheme, _, token = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
        if scheme != "Bearer" or headers.get(b"content-type") != b"application/json":
            return None
        seat = table.seat_with(token.strip())
        return None if seat == SPECTATOR else (table, seat, token.strip())


def _again(message: ReceiveMessage, receive: Receive) -> Receive:
    """A `receive` that gives a message again, and then goes on."""
    messages = [message]

    async def again() -> ReceiveMessage:
        return messages.pop() if messages else await receive()

    return again
