"""What every request passes first: security headers, origins, floods, slow and huge bodies."""

from __future__ import annotations

import asyncio
import re
import secrets
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from litestar.enums import HttpMethod, ScopeType
from litestar.types.asgi_types import HTTPRequestEvent, HTTPResponseBodyEvent

from fugger.web.limits import Buckets, Open
from fugger.web.problems import Problem, as_problem, encoded, headers_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from litestar.types import (
        ASGIApp,
        HTTPReceiveMessage,
        HTTPScope,
        Message,
        Receive,
        Scope,
        Send,
        WebSocketReceiveMessage,
    )

    from fugger.web.limits import KnownTokens
    from fugger.web.settings import Settings

MAX_BODY: Final = 32 * 1024
"""Bytes of a request's body; the longest form is far below it."""
_HOST: Final = re.compile(rb"(\[[0-9A-Fa-f:.]{2,45}\]|[\w.-]{1,253})(:\d{1,5})?", re.ASCII)
"""What a browser may call us; links and QR codes are made of it."""
_MAX_PORT: Final = 65535
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_POLICY: Final = (
    b"default-src 'none'; script-src 'nonce-NONCE'; style-src 'self'; img-src 'self' data:; "
    b"font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; "
    b"base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: Final = (
    (b"cache-control", b"no-store"),  # files and the schema say otherwise themselves
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (
        b"permissions-policy",
        b"camera=(), microphone=(), geolocation=(), interest-cohort=()",
    ),
)
_SECURE_HEADERS: Final = ((b"strict-transport-security", b"max-age=31536000"),)
_UNCOUNTED: Final = ("/static/", "/health")
_MAKING: Final = frozenset({"/play", "/tables", "/api/tables"})
"""Where tables are made."""


class Guard:
    """Middleware around the whole application.

    Args:
        app: what it guards.
        settings: where the site is reached, and how much one client may ask.
        tokens: the API tokens that have proved to be a seat's.
        page: what people read where programs get problem details: made of a request's headers,
            a status and the nonce.
    """

    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        tokens: KnownTokens,
        page: Callable[[Mapping[bytes, bytes], int, str], bytes],
    ) -> None:
        self._app = app
        self._settings = settings
        self._tokens = tokens
        self._page = page
        self._requests = Buckets(settings.rate, settings.burst)
        self._tables = Buckets(settings.table_rate, settings.table_burst)
        self._streams = Open(settings.streams)
        self._headers = [*HEADERS, *(_SECURE_HEADERS if settings.secure else ())]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers what must not go on; lets the rest pass with headers added to its answer."""
        if scope["type"] == ScopeType.HTTP:
            await self._guarded(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _guarded(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        nonce = secrets.token_urlsafe(16)
        scope["state"]["nonce"] = nonce
        begun = ended = head = False
        headers = {name.lower(): value for name, value in scope["headers"]}

        async def send_guarded(message: Message) -> None:
            nonlocal begun, ended
            if ended:
                return
            if message["type"] == "http.response.start":
                begun = True
                given = {name for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    (b"content-security-policy", _POLICY.replace(b"NONCE", nonce.encode())),
                    *(header for header in self._headers if header[0] not in given),
                ]
            elif head and message["type"] == "http.response.body":
                ended = True
                message = HTTPResponseBodyEvent(
                    type="http.response.body", body=b"", more_body=False
                )
            await send(message)

        async def refuse(status: int, detail: str) -> None:
            path = scope["path"]
            if path.startswith("/api/"):
                body = encoded(Problem(status, detail), path)
                await _answer(send_guarded, status, "application/problem+json", body)
            else:
                body = self._page(headers, status, nonce)
                await _answer(send_guarded, status, "text/html; charset=utf-8", body)

        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await refuse(*refusal)
            return
        head = scope["method"] == "HEAD"
        if head:  # the same as GET, and what comes after the headers is left out
            scope = {**scope, "method": HttpMethod.GET}
        try:
            if scope["path"].endswith("/stream"):
                with self._streams.one_more(_client(scope)) as admitted:
                    if admitted:
                        await self._answered(scope, receive, send_guarded, refuse)
                    else:
                        await refuse(429, "too many streams are open: close some of them")
            else:
                await self._answered(scope, receive, send_guarded, refuse)
        except Exception as error:
            # What fails outside the handlers, too, gets an answer of ours.
            if begun:
                raise
            problem = as_problem(error)
            await refuse(problem.status, problem.detail)

    async def _answered(
        self,
        scope: HTTPScope,
        receive: Receive,
        send: Send,
        refuse: Callable[[int, str], Awaitable[None]],
    ) -> None:
        if scope["method"] in _SAFE:
            await self._app(scope, receive, send)
            return
        try:
            async with asyncio.timeout(self._settings.body_seconds):
                body = await _body(receive)
        except TimeoutError:
            await refuse(408, "the request's body took too long")
            return
        if body is None:
            await refuse(413, f"a request's body may have {MAX_BODY} bytes")
            return
        await self._app(scope, _replay(body, receive), send)

    def _refusal(self, scope: HTTPScope, headers: dict[bytes, bytes]) -> tuple[int, str] | None:
        client = _client(scope)
        if not scope["path"].startswith(_UNCOUNTED) and not self._admit(client, headers):
            return 429, "too many requests: wait a moment, then try again"
        host = headers.get(b"host")  # HTTP/1.0 may leave it out
        named = _HOST.fullmatch(host) if host else None
        if host and (named is None or int((named[2] or b":0")[1:]) > _MAX_PORT):
            return 400, "the header Host names no host: expected NAME or NAME:PORT"
        if scope["method"] in _SAFE:
            return None
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length) > MAX_BODY:
            return 413, f"a request's body may have {MAX_BODY} bytes"
        if not self._same_origin(headers):
            return 403, "this request came from another site"
        if scope["path"].rstrip("/") in _MAKING and not self._tables.take(client):
            return 429, "too many new tables: wait a while, then try again"
        return None

    def _same_origin(self, headers: dict[bytes, bytes]) -> bool:
        """Whether a request that changes something comes from our own pages, or from no page."""
        origin = headers.get(b"origin")
        if origin is None:
            return headers.get(b"sec-fetch-site", b"none") in {b"none", b"same-origin"}
        try:
            sender = urlsplit(origin.decode("latin-1"))
        except ValueError:
            return False
        own = {headers.get(b"host", b"").decode("latin-1")}
        if self._settings.public_url:
            own.add(urlsplit(self._settings.public_url).netloc)
        return bool(sender.netloc) and sender.netloc in own

    def _admit(self, client: str, headers: dict[bytes, bytes]) -> bool:
        """Takes one request off what a client has left.

        A program is known by its token, so that many on one machine don't slow each other; who
        shows none is known by address.
        """
        token = headers.get(b"authorization", b"").partition(b" ")[2].strip().decode("latin-1")
        return self._requests.take(token if token in self._tokens else client)


def _client(scope: HTTPScope) -> str:
    """A client's address."""
    return str((scope.get("client") or ("", 0))[0])


async def _body(receive: Receive) -> bytes | None:
    """A request's whole body; None if it is too large."""
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return bytes(body)
        body += message.get("body", b"")
        if len(body) > MAX_BODY:
            return None
        if not message.get("more_body"):
            return bytes(body)


def _replay(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives the body once, and then waits for the client to leave."""
    given = False

    async def again() -> HTTPReceiveMessage | WebSocketReceiveMessage:
        nonlocal given
        if given:
            return await receive()
        given = True
        return HTTPRequestEvent(type="http.request", body=body, more_body=False)

    return again


async def _answer(send: Send, status: int, kind: str, body: bytes) -> None:
    headers = {
        "content-type": kind,
        "content-length": str(len(body)),
        **headers_of(status),
    }
    await send(
        {
            "type": "http.response.start",
            "status": status,
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        }
    )
    await send({"type": "http.response.body", "body": body, "more_body": False})
