"""Tickets for tables: the shuffle is settled before its first player says a word.

A page that offers a new table carries a ticket and shows the commitment to the seed of the table it
is for. Whoever makes the table adds a random text of their own only then: so the server can't have
chosen the seed to suit it, and nobody can choose the cards alone. The table's id comes from the
ticket too, so a ticket makes one table: a form sent twice leads to the same one.
"""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass

from itsdangerous import BadSignature, URLSafeSerializer

from fugger.dealer import commitment
from fugger.web.tables import id_from


@dataclass(frozen=True, slots=True)
class Ticket:
    """What a new table is made from: its id and the seed of its shuffle."""

    text: str
    id: str
    seed: bytes

    @property
    def commitment(self) -> str:
        """What may be shown of the seed."""
        return commitment(self.seed)


class Tickets:
    """Gives out tickets and takes them back.

    Args:
        secret: the server's key; ids and seeds are made from it, so that a ticket tells neither.
    """

    def __init__(self, secret: bytes) -> None:
        self._secret = secret
        self._signed = URLSafeSerializer(secret, salt="fugger ticket")

    def new(self) -> Ticket:
        """A ticket that nobody has had."""
        return self._ticket(str(self._signed.dumps(secrets.token_hex(16))))

    def read(self, text: str) -> Ticket | None:
        """The ticket of a form; None if it isn't one of ours."""
        try:
            self._signed.loads(text)
        except BadSignature:
            return None
        return self._ticket(text)

    def _ticket(self, text: str) -> Ticket:
        return Ticket(text, id_from(self._made_from("id", text)), self._made_from("seed", text))

    def _made_from(self, what: str, text: str) -> bytes:
        return hmac.digest(self._secret, f"fugger ticket {what}\n{text}".encode(), "sha256")
