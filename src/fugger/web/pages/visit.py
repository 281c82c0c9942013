"""A request for a page: who asks, in which language, and how they like things."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from litestar import Response
from litestar.datastructures import Cookie
from litestar.params import FromPath
from litestar.response import Redirect

from fugger.rules.state import SPECTATOR
from fugger.texts import LANGUAGES, words
from fugger.web.identity import YEAR, Identity, Player
from fugger.web.problems import Problem
from fugger.web.rendering import render

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from litestar import Request

    from fugger.texts import Words
    from fugger.web.site import Site
    from fugger.web.tables import Table

PathText = FromPath[str]
PathNumber = FromPath[int]
"""A part of a page's address, as handlers get it."""

CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "language": tuple(LANGUAGES),
    "theme": ("auto", "light", "dark"),
    "tap": ("confirm", "once"),
    "chat": ("show", "mute"),
}
"""What people may choose, each kept in a cookie; the first is the default, but for the language."""


@dataclass(frozen=True, slots=True)
class Likes:
    """How somebody likes the pages.

    Attributes:
        language: one of `LANGUAGES`.
        theme: ``light``, ``dark``, or ``auto``, as the device has it.
        tap: ``confirm`` to ask after a tap on a card, ``once`` to play it at once.
        chat: ``show`` or ``mute``.
    """

    language: str
    theme: str
    tap: str
    chat: str

    @property
    def words(self) -> Words:
        """The texts in this language."""
        return words(self.language)


@dataclass(frozen=True, slots=True)
class Visit:
    """A request for a page."""

    request: Request[Any, Any, Any]
    site: Site
    identity: Identity
    player: Player | None
    likes: Likes

    @property
    def words(self) -> Words:
        """The texts in the visitor's language."""
        return self.likes.words

    @property
    def player_id(self) -> str | None:
        """The visitor's id, if it has one."""
        return None if self.player is None else self.player.id

    @property
    def is_live(self) -> bool:
        """Whether a script asks for a part of the page, and not the browser for the whole."""
        return self.request.headers.get("hx-request") == "true"

    def page(self, template: str, status: int = 200, **context: Any) -> Response[str]:
        """A whole page, or in a drawer its content alone."""
        text = render(
            template,
            self.likes,
            nonce=self.request.scope["state"].get("nonce", ""),
            path=self.request.url.path,
            player=self.player,
            drawer=self.is_live,
            **context,
        )
        return html(text, status)

    def by(self, player: Player) -> Visit:
        """This visit, now that the visitor is known."""
        return replace(self, player=player)

    def seat_at(self, table: Table) -> int:
        """The visitor's seat at a table, or `SPECTATOR`."""
        return table.seat_of(self.player_id) if self.player else SPECTATOR

    async def table(self, name: str) -> Table:
        """The table of this id.

        Raises:
            Problem: there is none.
        """
        table = await self.site.tables.get(name)
        if table is None:
            raise Problem(404, f"there is no table {name!r}", "table")
        return table

    async def form(self) -> dict[str, str]:
        """The posted form's fields; of fields with one name the last that isn't empty."""
        fields: dict[str, str] = {}
        for name, value in (await self.request.form()).multi_items():
            if isinstance(value, str) and (value or name not in fields):
                fields[name] = value
        return fields

    def known(self, name: str = "") -> tuple[Player, list[Cookie]]:
        """The visitor as a player, made one if need be; and the cookie that says so.

        Args:
            name: what the visitor wants to be called; by default as before.

        Raises:
            Refused: the name won't do.
        """
        if self.player is not None and name.strip() in {"", self.player.name}:
            return self.player, []
        name = name if name.strip() else self.words.say("Merchant of Augsburg")
        player = self.identity.new_player(name)
        if self.player is not None:
            player = Player(self.player.id, player.name)
        return player, [self.identity.cookie(player)]


def visit(request: Request[Any, Any, Any]) -> Visit:
    """What a request says of its sender."""
    state = request.app.state
    identity: Identity = state.identity
    likes = likes_of(request.cookies, request.headers.get("accept-language", ""))
    return Visit(request, state.site, identity, identity.player(request), likes)


def likes_of(cookies: Mapping[str, str], languages: str) -> Likes:
    """What a request's cookies, and its header of languages, say of its sender's likes."""
    chosen = {name: cookies.get(name, "") for name in CHOICES}
    for name, possible in CHOICES.items():
        if chosen[name] not in possible:
            chosen[name] = possible[0]
            if name == "language":
                chosen[name] = accepted_language(languages)
    return Likes(**chosen)


def accepted_language(header: str) -> str:
    """Of our languages the one a browser likes best; English if it likes none of them."""
    liked: list[tuple[float, int, str]] = []
    for part in header[:200].split(","):
        language, _, parameter = part.strip().partition(";")
        quality = parameter.replace(" ", "").removeprefix("q=") or "1"
        code = language.lower().split("-")[0]
        if code in LANGUAGES and quality.replace(".", "", 1).isdecimal():
            liked.append((-float(quality), len(liked), code))
    return min(liked)[2] if liked else "en"


def like_cookie(name: str, value: str, *, secure: bool) -> Cookie:
    """The cookie of something somebody likes."""
    return Cookie(
        name, value=value, path="/", max_age=2 * YEAR, samesite="lax", httponly=True, secure=secure
    )


def html(text: str, status: int = 200, cookies: Sequence[Cookie] = ()) -> Response[str]:
    """An answer with a page that no cache keeps: it is one viewer's, at one moment."""
    return Response(
        text,
        status_code=status,
        media_type="text/html",
        headers={"Cache-Control": "no-store"},
        cookies=list(cookies),
    )


def to(path: str, cookies: Sequence[Cookie] = ()) -> Redirect:
    """Sends the browser to another page of ours."""
    return Redirect(path, status_code=303, cookies=list(cookies))
