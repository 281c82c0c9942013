"""Text to the items of records: tags, tokens and comments, each with its place.

Only the form is looked at here, line by line, in memory that doesn't grow with the file.
"""

from __future__ import annotations

import io
import os
import re
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from fugger.errors import RecordError, quoted
from fugger.record.form import (
    MAX_COMMENT,
    MAX_LINE,
    MAX_TAG,
    NOT_IN_LINE,
    NOT_IN_TAG,
    TAG_NAME,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO

Readable: TypeAlias = "str | os.PathLike[str] | IO[str] | IO[bytes]"
"""Where records are read: a path, or a file open for reading, better binary than text."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
# Each of the two alternatives of a text begins with a character the other can't, so matching
# never goes back.
_TAG: Final = re.compile(rf'\[({TAG_NAME.pattern})[ \t]+"((?:[^"\\]|\\["\\])*)"[ \t]*\][ \t]*')
_ESCAPED: Final = re.compile(r"\\(.)")
_PIECE: Final = re.compile(r"[ \t]*(?:([{}])|([^ \t{}]+))?")


class Kind(Enum):
    """What an item is."""

    TAG = "tag"
    EMPTY_LINE = "empty line"
    MOVE = "move"
    COMMENT = "comment"


class Item(NamedTuple):
    """A piece of a record.

    Attributes:
        kind: what it is.
        text: a tag's text, a token, a comment.
        line, column: where it begins, counted from 1.
        size: how many bytes of the file end with this item's line.
        name: a tag's name.
    """

    kind: Kind
    text: str
    line: int
    column: int
    size: int
    name: str = ""


@contextmanager
def opened(file: Readable) -> Iterator[IO[str] | IO[bytes]]:
    """The file open for reading; closed afterwards only if it was opened here."""
    if isinstance(file, str | os.PathLike):
        with Path(file).open("rb") as reading:
            yield reading
    else:
        yield file


def as_file(text: str | bytes) -> io.BytesIO:
    """A text as a file to scan."""
    if not isinstance(text, str | bytes):
        raise TypeError(f"the record is {quoted(text)}: expected a text, or its bytes")
    # Halves of characters, which are no UTF-8, pass here and are found with their place later.
    return io.BytesIO(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text)


def scan_items(file: IO[str] | IO[bytes], most: int | None = None) -> Iterator[Item]:
    """The items of a file.

    Args:
        file: open for reading.
        most: bytes the file may have; any number if None.

    Raises:
        RecordError: the form is wrong, or something is longer than it may be.
    """
    comment: _Comment | None = None
    for number, line, size in _lines(file, most):
        position = 0
        if comment is None:
            if item := _whole_line(line, number, size):
                yield item
                continue
        else:
            comment.add("\n")
        while position < len(line):
            if comment is not None:
                end = line.find("}", position)
                comment.add(line[position : end if end >= 0 else len(line)])
                if end < 0:
                    break
                yield Item(Kind.COMMENT, "".join(comment.parts), *comment.begin, size)
                comment = None
                position = end + 1
            else:
                piece = _PIECE.match(line, position)
                assert piece is not None  # it matches nothing, too
                brace, token = piece.groups()
                place = number, piece.start(piece.lastindex or 0) + 1
                if token:
                    yield Item(Kind.MOVE, token, *place, size)
                elif brace == "{":
                    comment = _Comment(place)
                elif brace:
                    raise _error("'}' ends no comment: expected a '{' before it", place, "}")
                position = piece.end()
    if comment is not None:
        raise _error("this comment has no end: expected '}'", comment.begin, "{")


class _Comment:
    """A comment being read: where it begins, and its parts so far."""

    def __init__(self, begin: tuple[int, int]) -> None:
        self.begin = begin
        self.parts: list[str] = []
        self._left = MAX_COMMENT

    def add(self, part: str) -> None:
        self._left -= len(part)
        if self._left < 0:
            raise _error(
                f"this comment is too long: expected at most {MAX_COMMENT} characters",
                self.begin,
                "{",
            )
        self.parts.append(part)


def _whole_line(line: str, number: int, size: int) -> Item | None:
    """The item that takes the whole line, if it is empty or holds a tag."""
    text = line.lstrip(" \t")
    if not text:
        return Item(Kind.EMPTY_LINE, "", number, 1, size)
    if text.startswith("["):
        return _tag(text, number, len(line) - len(text) + 1, size)
    return None


def _tag(text: str, line: int, column: int, size: int) -> Item:
    tag = _TAG.fullmatch(text)
    if tag is None:
        raise _error(
            f"{quoted(text)} is no tag: expected "
            r'[Name "text"] on a line of its own, a quote in the text written \" and a \ as \\',
            (line, column),
            text,
        )
    name, escaped = tag.groups()
    value = _ESCAPED.sub(r"\1", escaped)
    if len(value) > MAX_TAG:
        raise _error(
            f"the tag {name} is too long: expected at most {MAX_TAG} characters",
            (line, column),
            name,
        )
    if found := NOT_IN_TAG.search(value):
        raise _error(f"the tag {name} holds {quoted(found[0])}", (line, column), name)
    return Item(Kind.TAG, value, line, column, size, name)


def _lines(file: IO[str] | IO[bytes], most: int | None) -> Iterator[tuple[int, str, int]]:
    """Each line's number, its text without the line end, and the bytes of the file so far."""
    number = size = 0
    while raw := _raw_line(file, number):
        number += 1
        size += len(raw)
        if most is not None and size > most:
            raise _error(
                f"the file is too large: expected at most {most} bytes, unless its games are read "
                "one at a time",
                (number, 1),
            )
        if raw == b"\n":  # worth a short cut: a hostile file may hold millions of them
            yield number, "", size
            continue
        if number == 1:
            raw = raw.removeprefix(_BYTE_ORDER_MARK)
        raw = raw.removesuffix(b"\n").removesuffix(b"\r")
        if len(raw) > MAX_LINE:
            raise _error(f"the line is too long: expected at most {MAX_LINE} bytes", (number, 1))
        try:
            line = raw.decode()
        except UnicodeDecodeError as error:
            column = len(raw[: error.start].decode()) + 1
            raise _undecodable(raw[error.start], number, column) from None
        if found := NOT_IN_LINE.search(line):
            raise _error(
                f"the character {quoted(found[0])} has no place in a record",
                (number, found.start() + 1),
                found[0],
            )
        yield number, line, size


def _raw_line(file: IO[str] | IO[bytes], before: int) -> bytes:
    """The next line in UTF-8, or so much of it that it is seen to be too long."""
    try:
        raw = file.readline(MAX_LINE + len("\r\n") + len(_BYTE_ORDER_MARK))
    except UnicodeDecodeError as error:  # a text file decodes by itself, several lines at a time
        decoded = error.object[: error.start]
        line = before + decoded.count(b"\n") + 1
        column = len(decoded[decoded.rfind(b"\n") + 1 :].decode(errors="replace")) + 1
        raise _undecodable(error.object[error.start], line, column) from None
    return raw if isinstance(raw, bytes) else raw.encode("utf-8", "surrogatepass")


def _undecodable(byte: int, line: int, column: int) -> RecordError:
    return _error(f"byte 0x{byte:02x} isn't UTF-8: a record is UTF-8 text", (line, column))


def _error(message: str, place: tuple[int, int], token: str = "") -> RecordError:
    return RecordError(message, line=place[0], column=place[1], token=token)
