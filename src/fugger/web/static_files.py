"""The site's own files: stylesheets, scripts, pictures and fonts, below ``/static/``.

All of them are read when the server starts. Their URLs name their contents (``?v=…``), so browsers
keep them for ever and ask again only when a file has changed.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import posixpath
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

import brotli
from litestar import asgi
from litestar.exceptions import MethodNotAllowedException, NotFoundException

from fugger.errors import quoted
from fugger.web.settings import ServerError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from litestar.handlers import ASGIRouteHandler
    from litestar.types import Receive, Scope, Send

FOLDER: Final = Path(__file__).parent / "static"
PREFIX: Final = "/static"

_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
"""Every kind of file there is: the same on every machine, whatever its own tables say."""
_COMPRESSED: Final = frozenset({".ico", ".png", ".woff2"})
"""Kinds that compression wouldn't make smaller."""
_FOR_EVER: Final = "public, max-age=31536000, immutable"
_URL: Final = re.compile(r"""url\(\s*(["']?)([^"')]+)\1\s*\)""")
"""A reference in a stylesheet; all of ours are relative to the stylesheet's folder."""


@dataclass(slots=True)
class _File:
    kind: str
    body: bytes
    version: str = ""
    encoded: dict[str, bytes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.version = hashlib.sha256(self.body).hexdigest()[:12]

    @property
    def compressible(self) -> bool:
        return self.kind not in _COMPRESSED

    def in_encoding(self, encoding: str) -> bytes:
        """The file compressed with ``br`` or ``gzip``; done once."""
        if encoding not in self.encoded:
            self.encoded[encoding] = (
                brotli.compress(self.body)
                if encoding == "br"
                else gzip.compress(self.body, mtime=0)
            )
        return self.encoded[encoding]


class StaticFiles:
    """The files of a folder.

    Args:
        folder: all files below it whose kind is known are served.
    """

    def __init__(self, folder: Path = FOLDER) -> None:
        self._files: dict[str, _File] = {}
        found = [file for file in folder.rglob("*") if file.suffix in _TYPES and file.is_file()]
        # Stylesheets last: the URLs in them name the versions of the others.
        for file in sorted(found, key=lambda file: (file.suffix == ".css", file)):
            name = file.relative_to(folder).as_posix()
            body = file.read_bytes()
            if file.suffix == ".css":
                body = self._versioned(name, body.decode()).encode()
            self._files[name] = _File(file.suffix, body)

    def url(self, name: str) -> str:
        """A file's URL, which changes with its contents.

        Args:
            name: its path below the folder, such as ``"vendor/htmx.min.js"``.

        Raises:
            ServerError: there is no such file.
        """
        if name not in self._files:
            raise ServerError(
                f"the site's file {quoted(name)} is missing: is the package whole? "
                "(in a checkout, `uv sync --reinstall-package fugger` brings the files from npm)"
            )
        return f"{PREFIX}/{name}?v={self._files[name].version}"

    def handler(self) -> ASGIRouteHandler:
        """What answers requests below ``/static/``."""

        @asgi(PREFIX, is_mount=True, copy_scope=False)
        async def static(scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG001 (Litestar wants it)
            await self._answer(scope, send)

        return static

    async def _answer(self, scope: Scope, send: Send) -> None:
        if scope.get("method") not in {"GET", "HEAD"}:
            raise MethodNotAllowedException
        file = self._files.get(scope["path"].removeprefix(PREFIX).strip("/"))
        if file is None:
            raise NotFoundException
        asked = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        encoding = _encoding(asked.get(b"accept-encoding", "")) if file.compressible else ""
        tag = f'"{file.version}{encoding and "-" + encoding}"'
        current = scope["query_string"].decode("latin-1") == f"v={file.version}"
        headers = {
            "content-type": _TYPES[file.kind],
            "cache-control": _FOR_EVER if current else "public, no-cache",
            "etag": tag,
        }
        if file.compressible:
            headers["vary"] = "accept-encoding"
        if tag in asked.get(b"if-none-match", ""):
            await _send(send, 304, headers, b"")
            return
        body = file.body
        if encoding:
            headers["content-encoding"] = encoding
            body = await asyncio.to_thread(file.in_encoding, encoding)
        headers["content-length"] = str(len(body))
        await _send(send, 200, headers, b"" if scope.get("method") == "HEAD" else body)

    def _versioned(self, stylesheet: str, text: str) -> str:
        """A stylesheet whose URLs name the versions of the files they point to."""

        def replaced(match: re.Match[str]) -> str:
            name, hash_sign, fragment = match[2].partition("#")
            name = posixpath.normpath(posixpath.join(posixpath.dirname(stylesheet), name))
            if name not in self._files:
                return match[0]
            return f'url("{self.url(name)}{hash_sign}{fragment}")'

        return _URL.sub(replaced, text)


def _encoding(accepted: str) -> str:
    """The best of the encodings a browser says it accepts, ``br`` or ``gzip``; else ``""``."""
    names = set()
    for one in accepted.lower().split(","):
        name, _, options = one.partition(";")
        if options.replace(" ", "") not in {"q=0", "q=0.0", "q=0.00", "q=0.000"}:
            names.add(name.strip())
    return "br" if "br" in names else "gzip" if "gzip" in names else ""


async def _send(send: Send, status: int, headers: Mapping[str, str], body: bytes) -> None:
    await send(
        {
            "type": "http.response.start",
            "status": status,
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        }
    )
    await send({"type": "http.response.body", "body": body, "more_body": False})
