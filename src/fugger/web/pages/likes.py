"""How people like the pages, and how they take themselves to another device."""

from __future__ import annotations

from typing import Any

from litestar import Request, Response, get, post

from fugger.web.api import address
from fugger.web.pages.visit import CHOICES, PathText, like_cookie, to, visit
from fugger.web.problems import Problem


@post("/likes", include_in_schema=False)
async def like(request: Request[Any, Any, Any]) -> Response[Any]:
    """Keeps what somebody chose, and goes back to the page it was chosen on."""
    here = visit(request)
    form = await here.form()
    secure = here.site.settings.secure
    cookies = [
        like_cookie(name, form[name], secure=secure)
        for name, possible in CHOICES.items()
        if form.get(name) in possible
    ]
    return to(local(form.get("back", "/")), cookies)


@get("/me", include_in_schema=False)
async def me(request: Request[Any, Any, Any]) -> Response[str]:
    """The personal link that moves somebody to another device."""
    here = visit(request)
    link = None
    if here.player is not None:
        link = f"{address(here.site, request)}/me/{here.identity.recovery(here.player)}"
    return here.page("me.html", link=link, other=None, secret="")


@get("/me/{secret:str}", include_in_schema=False)
async def other_me(request: Request[Any, Any, Any], secret: PathText) -> Response[str]:
    """Asks whether this device shall be somebody's."""
    here = visit(request)
    other = here.identity.recovered(secret)
    if other is None:
        raise Problem(404, "this personal link isn't one of ours: copy it again, whole")
    return here.page("me.html", link=None, other=other, secret=secret)


@post("/me", include_in_schema=False)
async def become(request: Request[Any, Any, Any]) -> Response[Any]:
    """Makes this device somebody's."""
    here = visit(request)
    other = here.identity.recovered((await here.form()).get("secret", ""))
    if other is None:
        raise Problem(404, "this personal link isn't one of ours: copy it again, whole")
    return to("/", [here.identity.cookie(other)])


def local(path: str) -> str:
    """A path of this site; the first page for anything that leads elsewhere."""
    inside = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return path if inside and len(path) < 200 else "/"


HANDLERS = [like, me, other_me, become]
