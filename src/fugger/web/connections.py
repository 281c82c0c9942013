"""Connections: a request's head must be small, and come soon.

Uvicorn keeps whatever a guest sends before the first empty line, and waits for it for ever; the
guard sees a request only then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from fugger.web.guard import HEADERS

if TYPE_CHECKING:
    import asyncio

MAX_HEAD: Final = 64 * 1024
"""Bytes of a request's first line and headers, as far as they don't come all at once."""
MAX_CHUNKED: Final = 1024 * 1024
"""Bytes of a request whose length isn't told: its chunks' sizes and its trailers count too."""
HEAD_SECONDS: Final = 10.0
"""A connection whose next request takes longer to begin properly is closed."""


def _refusal(status: bytes, text: bytes) -> bytes:
    """A whole answer to what is no request yet: nothing after it is heard."""
    headers = (
        *HEADERS,
        (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", b"%d" % len(text)),
        (b"connection", b"close"),
    )
    lines = (b"HTTP/1.1 " + status, *(name + b": " + value for name, value in headers), b"", text)
    return b"\r\n".join(lines)


_TOO_LARGE: Final = _refusal(
    b"431 Request Header Fields Too Large", b"the request's head is too large"
)
_NO_REQUEST: Final = _refusal(b"400 Bad Request", b"this is no HTTP request")


class Together:
    """A transport that sends what is written at once in one piece: an answer's head and its body.

    Args:
        transport: where it goes.
        loop: the loop that it is sent in, as soon as what runs now is through.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        self._transport, self._loop = transport, loop
        self._waiting: list[bytes] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Sends something, soon."""
        if not self._waiting:
            self._loop.call_soon(self.flush)
        self._waiting.append(data)

    def flush(self) -> None:
        """Sends what waits, now."""
        if self._waiting:
            waiting, self._waiting = self._waiting, []
            if not self._transport.is_closing():  # the guest may have hung up just now
                self._transport.write(b"".join(waiting))

    def close(self) -> None:
        """Hangs up when everything is sent."""
        self.flush()
        self._transport.close()


class Connection(HttpToolsProtocol):
    """One guest's connection."""

    head_seconds: float = HEAD_SECONDS
    _due: asyncio.TimerHandle | None = None
    _in_head = False
    _received = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as Uvicorn's own
        """Begins to wait for the first request."""
        super().connection_made(Together(transport, self.loop))  # type: ignore[arg-type]  # it behaves like one
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Waits no more."""
        self._wait_no_more()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Takes in a part of a request, if it isn't too large by now."""
        super().data_received(data)
        self._received += len(data)
        if self._received > (MAX_HEAD if self._in_head else MAX_CHUNKED) and self._is_open_ended:
            self.transport.write(_TOO_LARGE)
            self.transport.close()
        elif self._in_head or self.cycle is None or self.cycle.response_complete:
            self._wait()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002 (Uvicorn's words)
        """Answers what can't be read as a request."""
        self.transport.write(_NO_REQUEST)
        self.transport.close()

    def on_message_begin(self) -> None:
        """A request's first byte came."""
        super().on_message_begin()
        self._in_head, self._received = True, 0

    def on_headers_complete(self) -> None:
        """A request's head is whole."""
        self._in_head = False
        self._wait_no_more()
        super().on_headers_complete()

    @property
    def _is_open_ended(self) -> bool:
        """Whether nobody else counts: the guard does when a body has a length."""
        return self._in_head or any(name == b"transfer-encoding" for name, _ in self.headers or ())

    def _wait(self) -> None:
        if self._due is None and not self.transport.is_closing():
            self._due = self.loop.call_later(self.head_seconds, self.transport.close)

    def _wait_no_more(self) -> None:
        if self._due is not None:
            self._due.cancel()
            self._due = None
