"""The application: routes, middleware, and what is opened and closed with it."""

from __future__ import annotations

import logging
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from litestar import Litestar, Request, Response, get
from litestar.channels import ChannelsPlugin
from litestar.channels.backends.memory import MemoryChannelsBackend
from litestar.config.compression import CompressionConfig
from litestar.datastructures import State
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from fugger.web import api, problems
from fugger.web.guard import Guard
from fugger.web.settings import Settings, make_data_dir, secret_key
from fugger.web.site import Site
from fugger.web.static_files import PREFIX, StaticFiles

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from litestar.types import ASGIApp


@get("/health", include_in_schema=False)
async def health(state: State) -> dict[str, str]:
    """For monitors: answers when the database does."""
    site: Site = state.site
    await site.store.rows(site.store.anything)
    return {"status": "ok"}


def create_app(settings: Settings) -> ASGIApp:
    """The site as an ASGI application.

    Raises:
        ServerError: the data folder or the secret key can't be used.
    """
    make_data_dir(settings.data_dir)
    channels = ChannelsPlugin(
        backend=_channels_backend(settings),
        arbitrary_channels_allowed=True,
        # A stream wants to know that something changed, not how often.
        subscriber_max_backlog=1,
        subscriber_backlog_strategy="dropleft",
    )
    files = StaticFiles()
    site = Site(settings, secret_key(settings.data_dir), channels)

    @asynccontextmanager
    async def opened(_: Litestar) -> AsyncIterator[None]:
        await site.open()
        try:
            yield
        finally:
            await site.close()

    app = Litestar(
        route_handlers=[api.Tables, health, files.handler()],
        lifespan=[opened],
        plugins=[channels],
        state=State({"site": site}),
        exception_handlers={Exception: _answer},
        openapi_config=OpenAPIConfig(
            title="fugger",
            version="1",
            description="Tables of Die Fugger for programs.",
            path="/api/schema",
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],
        ),
        compression_config=CompressionConfig(
            backend="brotli",
            brotli_quality=4,
            gzip_compress_level=6,
            # Files come compressed once and for all; streams must not wait to fill a block.
            exclude=[f"^{PREFIX}/", "/stream$"],
        ),
        request_max_body_size=None,  # the guard has counted the bytes already
        debug=False,
        logging_config=None,
    )
    return Guard(app, settings, site.tokens)


def _channels_backend(settings: Settings) -> Any:
    if settings.is_sqlite:
        return MemoryChannelsBackend()
    from litestar.channels.backends.asyncpg import AsyncPgChannelsBackend  # noqa: PLC0415

    return AsyncPgChannelsBackend(settings.database_url.replace("+asyncpg", ""))


def _answer(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    return problems.problem_details(request, error)


__all__ = ["create_app", "logging"]
