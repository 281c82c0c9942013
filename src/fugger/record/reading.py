"""Records to games: whole files, game by game, and what is left of a saved game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fugger.errors import RecordError
from fugger.record.draft import Draft, Entry, added
from fugger.record.form import ACTIONS, DEALS, MAX_FILE, MAX_GAMES, NOT_IN_RECORD
from fugger.record.scanning import Item, Kind, Readable, as_file, opened, scan_items

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fugger.game import Game


def loads(text: str | bytes) -> list[Game]:
    """The games of a text.

    Raises:
        RecordError: it can't be read; the error says where, and what would be right there.
    """
    return _games(scan_items(as_file(text), MAX_FILE))


def load(file: Readable) -> list[Game]:
    """The games of a file: a path, or a file open for reading.

    Raises:
        RecordError: it can't be read; the error says where, and what would be right there.
        OSError: there is no such file.
    """
    with opened(file) as reading:
        return _games(scan_items(reading, MAX_FILE))


def read(file: Readable) -> Iterator[Game]:
    """The games of a file one at a time, in memory that doesn't grow with their number.

    Raises:
        RecordError: when the iteration comes to something that can't be read.
        OSError: there is no such file.
    """
    for entry in scan(file):
        yield entry.game


def scan(file: Readable) -> Iterator[Entry]:
    """Like `read`, with the places of games and tokens in the file."""
    with opened(file) as reading:
        yield from _entries(scan_items(reading))


def recover(text: str | bytes) -> tuple[Game, str]:
    """The first game of a text as far as it can be read, and the text that couldn't.

    Meant for a saved game whose writing was cut off: at most the last action is lost. A last
    token that may have lost its ``*``, no space or line end following it, isn't trusted. The
    result tag isn't checked.

    Raises:
        RecordError: there is no complete header.
    """
    text = text.decode(errors="surrogateescape") if isinstance(text, bytes) else text
    text = text.removeprefix("\ufeff")
    unreadable = NOT_IN_RECORD.search(text)
    kept = text[: unreadable.start()] if unreadable else text
    cut = max(kept.rfind(end) for end in " \t\n{}") + 1
    if {f"{kept[cut:]}*"} & (ACTIONS.keys() | DEALS.keys()):
        kept = kept[:cut]
    draft: Draft | None = None
    lost_from = len(kept)
    try:
        for item in scan_items(as_file(kept), MAX_FILE):
            if draft is not None and draft.begun and item.kind is Kind.TAG:
                lost_from = _index(kept, item.line, item.column)
                break
            draft = added(draft, item)
    except RecordError as error:
        if draft is None or not draft.begun:
            raise
        lost_from = _index(kept, error.line, error.column)
    if draft is None or not draft.begun:
        raise RecordError("there is no game: expected a header and an empty line after it")
    lost = text[lost_from:].encode(errors="surrogateescape").decode(errors="replace")
    return draft.game, lost.strip()


def _index(text: str, line: int, column: int) -> int:
    """The index of a place in a text."""
    return sum(len(before) + 1 for before in text.split("\n")[: line - 1]) + column - 1


def _games(items: Iterable[Item]) -> list[Game]:
    games: list[Game] = []
    for entry in _entries(items):
        if len(games) == MAX_GAMES:
            raise RecordError(
                f"there are too many games: expected at most {MAX_GAMES}, unless they are read "
                "one at a time",
                line=entry.line,
            )
        games.append(entry.game)
    return games


def _entries(items: Iterable[Item]) -> Iterator[Entry]:
    draft: Draft | None = None
    for item in items:
        if draft is not None and draft.begun and item.kind is Kind.TAG:
            yield draft.finished()
            draft = None
        draft = added(draft, item)
    if draft is not None:
        yield draft.finished()
