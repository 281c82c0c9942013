"""A game being read: its header checked as a whole, its moves by the engine one by one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from fugger.editions import EDITIONS, MAX_TARGET, MIN_TARGET
from fugger.errors import IllegalAction, IllegalDeal, RecordError, quoted
from fugger.game import Game
from fugger.record.form import (
    ACTIONS,
    DEALS,
    HIDDEN,
    MAX_GAME,
    MAX_TAGS,
    MAX_TOKENS,
    RECIPIENTS,
    RESULT,
    SETUP_TAGS,
)
from fugger.record.scanning import Item, Kind
from fugger.rules import RULES_VERSION
from fugger.rules.state import JAKOB, MAX_PLAYERS

MIN_PLAYERS: Final = 2
_WHOLE: Final = re.compile(r"[0-9]{1,4}")
_MONEY: Final = re.compile(r"[0-9]{1,5}(?: [0-9]{1,5})*")


@dataclass(frozen=True, slots=True)
class Entry:
    """A game as it stands in a file.

    Attributes:
        game: the game.
        line: where its header begins, counted from 1.
        places: the line and column of each of its tokens.
    """

    game: Game
    line: int
    places: list[tuple[int, int]]


def added(draft: Draft | None, item: Item) -> Draft | None:
    """The game being read with one more item of its record."""
    if draft is None:
        if item.kind is Kind.EMPTY_LINE and item.size <= MAX_GAME:
            return None
        if item.kind is not Kind.TAG:
            raise _error(item, f"{quoted(item.text)} is in no game: expected [Edition …] first")
        draft = Draft(item)
    draft.add(item)
    return draft


class Draft:
    """A game being read: its header to the first empty line, token or comment, then its moves.

    Args:
        first: the first tag.
    """

    game: Game

    def __init__(self, first: Item) -> None:
        self.begun = False
        self._first = first
        self._tags: dict[str, Item] = {}
        self._places: list[tuple[int, int]] = []

    def add(self, item: Item) -> None:
        """Takes the next item; raises `RecordError` if it can't be there."""
        if item.size - self._first.size > MAX_GAME:
            raise _error(item, f"the game is too large: expected at most {MAX_GAME} bytes")
        if item.kind is Kind.TAG:
            if item.name in self._tags:
                line = self._tags[item.name].line
                raise _error(item, f"the tag {item.name} is there twice: first on line {line}")
            if len(self._tags) == MAX_TAGS:
                raise _error(item, f"there are too many tags: expected at most {MAX_TAGS}")
            self._tags[item.name] = item
            return
        if not self.begun:
            self._begin()
        if item.kind is Kind.MOVE:
            self._move(item)
        elif item.kind is Kind.COMMENT:
            self.game.comments.setdefault(len(self._places), []).append(item.text)

    def finished(self) -> Entry:
        """The game, its record having ended; raises `RecordError` if its result is another."""
        if not self.begun:
            self._begin()
        if RESULT in self._tags:
            self._check_result(self._tags[RESULT])
        return Entry(self.game, self._first.line, self._places)

    def _begin(self) -> None:
        """The header is complete: makes the game."""
        rules = self._tags.get("Rules")
        if rules is not None and rules.text != str(RULES_VERSION):
            raise _error(
                rules,
                f"version {quoted(rules.text)} of the rules isn't known: "
                f"this program plays version {RULES_VERSION}",
            )
        edition = self._required("Edition", "adlung")
        if edition.text not in EDITIONS:
            known = " or ".join(EDITIONS)
            raise _error(edition, f"{quoted(edition.text)} is no edition: expected {known}")
        players = self._whole(self._required("Players", "3"), MIN_PLAYERS, MAX_PLAYERS)
        first = self._whole(self._tags.get("First"), 1, players)
        target = self._whole(self._tags.get("Target"), MIN_TARGET, MAX_TARGET)
        self.game = Game(players, edition.text, (first or 1) - 1, target or None)
        if (result := self._tags.get(RESULT)) and (
            not _MONEY.fullmatch(result.text) or len(result.text.split(" ")) != players
        ):
            raise _error(
                result,
                f"{quoted(result.text)} is no result: expected the money of {players} players",
            )
        self.game.tags = {
            name: tag.text for name, tag in self._tags.items() if name not in {*SETUP_TAGS, RESULT}
        }
        self.begun = True

    def _required(self, name: str, example: str) -> Item:
        if name not in self._tags:
            raise _error(self._first, f'the tag {name} is missing: expected [{name} "{example}"]')
        return self._tags[name]

    def _whole(self, tag: Item | None, low: int, high: int) -> int:
        """A tag's number; 0 if there is no such tag."""
        if tag is None:
            return 0
        if not _WHOLE.fullmatch(tag.text) or not low <= int(tag.text) <= high:
            raise _error(
                tag,
                f"{tag.name} is {quoted(tag.text)}: expected a whole number from {low} to {high}",
            )
        return int(tag.text)

    def _move(self, item: Item) -> None:
        token, game = item.text, self.game
        if len(self._places) == MAX_TOKENS:
            raise _error(item, f"the game is too long: expected at most {MAX_TOKENS} tokens")
        if token in HIDDEN:
            raise _error(
                item,
                f"{token} is a card that one seat may not know: "
                "one seat's view of a running game can't be replayed",
            )
        if token not in ACTIONS and token not in DEALS:
            raise _error(item, f"{quoted(token)} is no action or deal: {_expected(game)}")
        if not _taken(game, token):
            raise _error(item, f"{token} isn't possible here: {_expected(game)}", breaks_rule=True)
        self._places.append((item.line, item.column))

    def _check_result(self, result: Item) -> None:
        money = " ".join(map(str, self.game.money))
        if not self.game.is_over:
            raise _error(
                result,
                f"there is a result, but the game isn't over: {_expected(self.game)}",
                breaks_rule=True,
            )
        if result.text != money:
            raise _error(
                result,
                f'the result is {quoted(result.text)}, but the game ends "{money}"',
                breaks_rule=True,
            )


def _taken(game: Game, token: str) -> bool:
    """Makes a token's move; False if the rules don't allow it."""
    try:
        if token in ACTIONS:
            game.play(ACTIONS[token])
            return True
        recipient, card = DEALS[token]
        if recipient == game.recipient:
            game.deal(card)
            return True
    except (IllegalAction, IllegalDeal):
        pass
    return False


def _expected(game: Game) -> str:
    """What the next token can be."""
    if game.is_over:
        return "the game is over"
    if game.recipient is None:
        return f"seat {game.player + 1} may play {' '.join(map(str, game.legal_actions))}"  # type: ignore[operator]  # somebody's turn
    owed = "Jakob" if game.recipient == JAKOB else f"seat {game.recipient + 1}"
    cards = " ".join(f"{RECIPIENTS[game.recipient]}:{card}" for card in game.chances)
    return f"{owed} is owed a card, {cards}"


def _error(item: Item, message: str, *, breaks_rule: bool = False) -> RecordError:
    token = item.name or item.text
    return RecordError(
        message, line=item.line, column=item.column, token=token, breaks_rule=breaks_rule
    )
