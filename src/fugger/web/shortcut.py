"""The way programs' actions take: past the framework, which would cost more than the action.

Only a plain request of a program that sits at a table in memory goes this way; whatever is odd in
any way goes on to the framework's handler of the same path, which says what is wrong. Both call
the same functions, and both come after the guard.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec

from fugger.rules.state import SPECTATOR
from fugger.web import play
from fugger.web.api import ActionWish, seen_json
from fugger.web.problems import as_problem, encoded, headers_of

if TYPE_CHECKING:
    from litestar.types import ASGIApp, HTTPReceiveMessage, Receive, Scope, Send

    from fugger.web.site import Site

_PATH: Final = re.compile("/api/tables/([a-z0-9]{1,16})/actions")
_BEARER: Final = b"Bearer "
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
        if scope["type"] != "http" or scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        path = _PATH.fullmatch(scope["path"])
        table = path and self._site.tables.in_memory(path[1])
        headers = dict(scope["headers"])
        authorization = headers.get(b"authorization", b"")
        if (
            not table
            or headers.get(b"content-type") != b"application/json"
            or not authorization.startswith(_BEARER)
        ):
            await self._app(scope, receive, send)
            return
        token = authorization[len(_BEARER) :].strip().decode("latin-1")
        seat = table.seat_with(token)
        message = await receive()
        body = message.get("body", b"")
        try:
            if seat == SPECTATOR:
                raise ValueError("the token is of no seat here")
            wish = _wish(body)
        except ValueError:  # msgspec's errors too
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


def _again(message: HTTPReceiveMessage, receive: Receive) -> Receive:
    """A `receive` that gives a message again, and then goes on."""
    messages = [message]

    async def again() -> HTTPReceiveMessage:
        return messages.pop() if messages else await receive()

    return again
