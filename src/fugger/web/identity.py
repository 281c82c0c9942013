"""Who somebody is: a signed cookie, a recovery link that moves it to another device.

A player is a random id and a name. Both are in the cookie, signed with the server's key; the
server keeps no list of people. A seat belongs to the id that took it.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from itsdangerous import BadSignature, URLSafeSerializer
from litestar.datastructures import Cookie

from fugger.web.talk import checked_name

if TYPE_CHECKING:
    from litestar import Request

COOKIE: Final = "fugger"
YEAR: Final = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody who plays here."""

    id: str
    name: str


class Identity:
    """Signs players into cookies and links, and reads them back.

    Args:
        secret: the server's key.
        secure: whether cookies travel by https alone.
    """

    def __init__(self, secret: bytes, *, secure: bool) -> None:
        self._cookies = URLSafeSerializer(secret, salt="fugger player")
        self._links = URLSafeSerializer(secret, salt="fugger recovery")
        self._secure = secure

    def player(self, request: Request[Any, Any, Any]) -> Player | None:
        """The player whose cookie a request carries; None without one or with a forged one."""
        return _read(self._cookies, request.cookies.get(COOKIE, ""))

    def new_player(self, name: str) -> Player:
        """Somebody new.

        Raises:
            Refused: the name won't do.
        """
        return Player(secrets.token_hex(16), checked_name(name))

    def cookie(self, player: Player) -> Cookie:
        """The cookie that says who somebody is."""
        return Cookie(
            COOKIE,
            value=self._cookies.dumps([player.id, player.name]),
            httponly=True,
            samesite="lax",
            secure=self._secure,
            max_age=2 * YEAR,
        )

    def recovery(self, player: Player) -> str:
        """The secret part of the link that makes another device this player's."""
        return str(self._links.dumps([player.id, player.name]))

    def recovered(self, text: str) -> Player | None:
        """The player of a recovery link; None if the link isn't one of ours."""
        return _read(self._links, text)


def _read(signed: URLSafeSerializer, text: str) -> Player | None:
    try:
        number, name = signed.loads(text)
    except (BadSignature, ValueError, TypeError):
        return None
    return Player(number, name) if isinstance(number, str) and isinstance(name, str) else None
