"""The application: routes, middleware, and what is opened and closed with it."""

from __future__ import annotations

import logging
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from litestar import Litestar, Request, Response, get
from litestar.config.compression import CompressionConfig
from litestar.datastructures import State
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme

from fugger.web import api, pages, problems, rendering
from fugger.web.guard import Guard
from fugger.web.identity import Identity
from fugger.web.pages.problem import problem_page, refused_page
from fugger.web.settings import Settings, make_data_dir, secret_key
from fugger.web.shortcut import Shortcut
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


class Application(Guard):
    """The site as an ASGI application.

    Attributes:
        site: what its handlers share.
    """

    def __init__(self, app: ASGIApp, site: Site) -> None:
        super().__init__(app, site.settings, site.tokens, refused_page)
        self.site = site

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[None]:
        """Opens the site and closes it at the end, for who doesn't use ASGI's lifespan.

        Raises:
            ServerError: the database can't be opened.
        """
        await self.site.open()
        try:
            yield
        finally:
            await self.site.close()


def create_app(settings: Settings) -> Application:
    """The site as an ASGI application.

    Raises:
        ServerError: the data folder or the secret key can't be used.
    """
    make_data_dir(settings.data_dir)
    files = StaticFiles()
    rendering.use_files(files)
    secret = secret_key(settings.data_dir)
    site = Site(settings, secret)

    app = Litestar(
        route_handlers=[api.Tables, *pages.HANDLERS, health, files.handler()],
        lifespan=[lambda _: application.opened()],
        state=State({"site": site, "identity": Identity(secret, secure=settings.secure)}),
        exception_handlers={Exception: _answer},
        openapi_config=OpenAPIConfig(
            title="fugger",
            version="1",
            description="Tables of Die Fugger for programs.",
            path="/api/schema",
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],
            components=Components(
                security_schemes={"bearer": SecurityScheme(type="http", scheme="bearer")}
            ),
            create_examples=False,
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
    application = Application(Shortcut(app, site), site)
    return application


def _answer(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    if request.scope["path"].startswith("/api/"):
        return problems.problem_details(request, error)
    return problem_page(request, error)


__all__ = ["create_app", "logging"]
