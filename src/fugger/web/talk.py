"""What people call themselves and say at a table."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

from fugger.rules.state import SPECTATOR
from fugger.web import store
from fugger.web.changes import Refused, commit, show
from fugger.web.store import insert, now
from fugger.web.tables import Line

if TYPE_CHECKING:
    from fugger.web.site import Site
    from fugger.web.tables import Table

MAX_NAME: Final = 24
MAX_CHAT: Final = 200
MAX_LINES: Final = 1000
"""Lines of chat that a table keeps; it takes no more then."""
_BLANKS: Final = frozenset("\u034f\u115f\u1160\u2800\u3164\uffa0")
"""Characters that count as printable and show nothing."""
TALK_LINES: Final = 6
TALK_SECONDS: Final = 15.0
"""A seat may say so many lines in so many seconds."""


async def say(site: Site, table: Table, number: int, text: str) -> None:
    """Adds a line to the table's chat.

    Raises:
        Refused: the line is empty or too long, or the player sits nowhere here.
    """
    text = " ".join(text.split())
    if not 1 <= len(text) <= MAX_CHAT or not _is_visible(text):
        raise Refused("chat", f"a line of chat has 1 to {MAX_CHAT} characters")
    if number == SPECTATOR:
        raise Refused("seat", "only who sits at the table can talk here")
    async with table.lock:
        lately = [
            line for line in table.chat[-len(table.seats) * TALK_LINES :] if line.seat == number
        ]
        if len(lately) >= TALK_LINES and 0 <= now() - lately[-TALK_LINES].at < TALK_SECONDS:
            raise Refused("flood", "a little slower: say it again in a moment")
        if len(table.chat) >= MAX_LINES:
            raise Refused("chat", f"this table has talked enough: {MAX_LINES} lines are kept")
        line = Line(number, table.seats[number].name, text, now())
        await commit(
            site,
            table,
            (
                insert(store.chat),
                {
                    "game": table.id,
                    "number": len(table.chat),
                    "seat": number,
                    "name": line.name,
                    "text": line.text,
                    "at": line.at,
                },
            ),
        )
        table.chat.append(line)
        show(site, table)


def checked_name(name: str) -> str:
    """A player's name: 1 to 24 characters of any language.

    Raises:
        Refused: it isn't.
    """
    name = " ".join(unicodedata.normalize("NFC", name).split())
    if not 1 <= len(name) <= MAX_NAME or not _is_visible(name):
        raise Refused("name", f"a name has 1 to {MAX_NAME} characters, all of them visible")
    return name


def _is_visible(text: str) -> bool:
    """Whether something of a text is to be seen, and nothing in it is hidden.

    Joiners are part of names and of emoji; other invisible characters could imitate a name.
    """
    shown = re.sub("[\u200c\u200d]", "", text)
    marks = {"Mn", "Me", "Mc", "Zs"}  # they need something to stand on
    return (
        shown.isprintable()
        and not _BLANKS & set(shown)
        and any(unicodedata.category(one) not in marks for one in shown)
    )
