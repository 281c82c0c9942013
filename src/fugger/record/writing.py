"""Games to text: whole records, and what a seat may see of a running game's record."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from fugger.editions import EDITIONS
from fugger.errors import RecordError, is_whole, quoted
from fugger.game import Game
from fugger.record.form import (
    DEALS,
    HIDDEN_SHIPMENT,
    LINE_WIDTH,
    MAX_COMMENT,
    MAX_GAME,
    MAX_TAG,
    MAX_TAGS,
    MAX_TOKENS,
    NOT_IN_COMMENT,
    NOT_IN_TAG,
    PUBLIC_TAGS,
    RECIPIENTS,
    RESULT,
    SETUP_TAGS,
    TAG_NAME,
)
from fugger.rules import RULES_VERSION
from fugger.rules.information import check_viewer
from fugger.rules.state import JAKOB, SPECTATOR

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import TextIO

Target: TypeAlias = "str | os.PathLike[str] | TextIO"
"""Where records are written: a path, or a text file open for writing."""


def dumps(games: Game | Iterable[Game], *, seat: int | None = None) -> str:
    """The record of a game, or of several.

    Every game ends with an empty line, so that the records of games can be joined as they are.

    Args:
        games: one `Game` or several.
        seat: write what this seat (or a `SPECTATOR`) may know: as long as a game runs, ``?``
            stands for other hands' cards and shipments, and tags and comments that might tell
            more are left out.

    Raises:
        RecordError: a game that no record can hold, such as one with a ``}`` in a comment.
        SetupError: there is no such seat.
    """
    return "".join(_texts(games, seat))


def dump(games: Game | Iterable[Game], file: Target, *, seat: int | None = None) -> None:
    """Writes the record of a game, or of several, one game after the other.

    A path's file is replaced as a whole once everything is written, so that a failure leaves it
    as it was. To a text file open for writing the games are added where it stands.

    Raises:
        RecordError, SetupError: as `dumps`.
        OSError: the file can't be written.
    """
    if not isinstance(file, str | os.PathLike):
        for text in _texts(games, seat):
            file.write(text)
        return
    path = Path(file)
    if path.exists() and not path.is_file():  # a pipe or a device can't be replaced
        with path.open("w", encoding="utf-8", newline="\n") as opened:
            dump(games, opened, seat=seat)
        return
    path = path.resolve()  # a link stays, what it points to is replaced
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("w", encoding="utf-8", newline="\n") as opened:
            dump(games, opened, seat=seat)
            opened.flush()
            os.fsync(opened.fileno())  # else a power cut could leave the new name, but not the text
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def tokens_for(game: Game, seat: int) -> list[str]:
    """The notation so far as a seat, or a `SPECTATOR`, may know it.

    As long as the game runs, the cards dealt to other seats are ``2:?`` and the goods they
    shipped ``(?)``. When it is over everything is shown.

    Raises:
        SetupError: there is no such seat.
    """
    check_viewer(seat, game.players)
    hearing = Hearing()
    hearing.follow(game)
    return hearing.heard(seat)


class Hearing:
    """What each viewer may know of one game's notation, kept up to date as the game goes on."""

    def __init__(self) -> None:
        self._told: list[str] = []
        self._actions = 0
        self._heard: dict[int, list[str]] = {}
        self._over = False

    def heard(self, seat: int) -> list[str]:
        """What a seat, or a `SPECTATOR`, may know of the game that was followed last."""
        return list(self._told if self._over else self._heard[seat])

    def follow(self, game: Game) -> None:
        """Hears what is new; of a game that was taken back all of it again."""
        tokens = game.tokens
        if not self._heard or tokens[: len(self._told)] != self._told:
            self._told, self._actions = [], 0
            self._heard = {viewer: [] for viewer in (*range(game.players), SPECTATOR)}
        if len(tokens) > len(self._told):
            self._tell(tokens[len(self._told) :], iter(game.actors[self._actions :]))
        self._told, self._over = tokens, game.is_over

    def _tell(self, tokens: Iterable[str], actors: Iterator[int]) -> None:
        for token in tokens:
            if token in DEALS:
                knowing, _ = DEALS[token]
                public = token if knowing == JAKOB else f"{RECIPIENTS[knowing]}:?"
            else:
                knowing = next(actors)
                public = HIDDEN_SHIPMENT if token.startswith("(") else token
                self._actions += 1
            for viewer, heard in self._heard.items():
                heard.append(token if viewer == knowing else public)


def compose(
    tags: Mapping[str, str],
    tokens: Sequence[str],
    round_ends: Iterable[int] = (),
    comments: Mapping[int, Sequence[str]] | None = None,
) -> str:
    """A record's text from its parts; for writers that hold no `Game`. The moves aren't checked.

    Args:
        tags: all of the header, in the order to write it.
        tokens: the moves.
        round_ends: how many tokens each round's end follows.
        comments: texts, by the number of tokens they follow.

    Raises:
        RecordError: something that no record can hold.
    """
    comments = comments or {}
    if len(tags) > MAX_TAGS:
        raise _unwritable(f"{len(tags)} tags are too many: expected at most {MAX_TAGS}")
    if len(tokens) > MAX_TOKENS:
        raise _unwritable(f"{len(tokens)} tokens are too many: expected at most {MAX_TOKENS}")
    for at, texts in comments.items():
        if not is_whole(at, 0, len(tokens)):
            raise _unwritable(f"a comment follows token {quoted(at)}, but there are {len(tokens)}")
        if not isinstance(texts, list | tuple):
            raise _unwritable(f"the comments after token {at} are {quoted(texts)}: expected a list")
    lines = [_tag_line(name, text) for name, text in tags.items()]
    lines.append("")
    begin = 0
    for end in (*round_ends, len(tokens)):
        if not comments:
            lines.extend(_wrapped_tokens(tokens[begin:end]))
            begin = end
            continue
        # A comment belongs to the token it follows, those before the first token to round 1.
        items: list[str] = []
        for at in range(begin, end + 1):
            if at > begin:
                items.append(tokens[at - 1])
            if at > begin or at == 0:
                items.extend(_comment(text) for text in comments.get(at, ()))
        lines.extend(_wrapped(items))
        begin = end
    text = "\n".join(lines) + "\n"
    if lines[-1]:
        text += "\n"
    if len(text.encode()) > MAX_GAME:
        raise _unwritable(f"the record is too large: expected at most {MAX_GAME} bytes")
    return text


def _texts(games: Game | Iterable[Game], seat: int | None) -> Iterator[str]:
    for game in [games] if isinstance(games, Game) else games:
        if not isinstance(game, Game):
            raise TypeError(f"{quoted(game)} is no game: expected a fugger.Game, or several")
        yield _text(game, seat)


def _text(game: Game, seat: int | None) -> str:
    if EDITIONS.get(game.edition.name) != game.edition:
        known = " and ".join(EDITIONS)
        raise _unwritable(f"edition {quoted(game.edition.name)} has no record: {known} have")
    free = {str(name): str(text) for name, text in game.tags.items()}
    for name in free:
        if name in {*SETUP_TAGS, RESULT}:
            raise _unwritable(f"the tag {name} is the game's own: remove it from game.tags")
    tokens, comments = game.tokens, game.comments
    if seat is not None:
        tokens = tokens_for(game, seat)
        if not game.is_over:
            free = {name: text for name, text in free.items() if name in PUBLIC_TAGS}
            comments = {}
    setup = (game.edition.name, game.players, game.first + 1, game.target, RULES_VERSION)
    tags = dict(zip(SETUP_TAGS, map(str, setup), strict=True)) | free
    if game.is_over:
        tags[RESULT] = " ".join(map(str, game.money))
    return compose(tags, tokens, game.round_ends, comments)


def _tag_line(name: str, text: str) -> str:
    if not TAG_NAME.fullmatch(name):
        raise _unwritable(
            f"{quoted(name)} is no tag's name: expected a letter, then letters, digits and _"
        )
    if len(text) > MAX_TAG:
        raise _unwritable(f"the tag {name} is too long: expected at most {MAX_TAG} characters")
    if found := NOT_IN_TAG.search(text):
        raise _unwritable(f"the tag {name} holds {quoted(found[0])}: expected plain characters")
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def _comment(text: str) -> str:
    if not isinstance(text, str):
        raise _unwritable(f"a comment is {quoted(text)}: expected a text")
    if len(text) > MAX_COMMENT:
        raise _unwritable(f"a comment is too long: expected at most {MAX_COMMENT} characters")
    if found := NOT_IN_COMMENT.search(text):
        raise _unwritable(
            f"the comment {quoted(text)} holds {quoted(found[0])}: "
            "expected neither a closing brace nor control characters"
        )
    return f"{{{text}}}"


def _wrapped_tokens(tokens: Sequence[str]) -> Iterator[str]:
    """The lines of `_wrapped` for tokens alone, without a look at each: for simulations."""
    text = " ".join(tokens)
    while len(text) > LINE_WIDTH:
        cut = text.rindex(" ", 0, LINE_WIDTH + 1)
        yield text[:cut]
        text = text[cut + 1 :]
    if text:
        yield text


def _wrapped(items: list[str]) -> Iterator[str]:
    """Lines of at most `LINE_WIDTH` columns, but for a comment that is longer by itself."""
    line = ""
    for item in items:
        first, *more = item.split("\n")
        if line and len(line) + 1 + len(first) > LINE_WIDTH:
            yield line
            line = ""
        line = f"{line} {first}" if line else first
        for line_of_comment in more:
            yield line
            line = line_of_comment
    if line:
        yield line


def _unwritable(message: str) -> RecordError:
    return RecordError(message, line=0, column=0)
