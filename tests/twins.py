"""Twins: a game told again with other hidden cards, so that some viewers see no difference."""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from fugger.errors import FuggerError
from fugger.game import Game
from fugger.record.form import DEALS

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True)
class Twins:
    """Two tellings of a game, and the viewers who can tell them apart."""

    games: tuple[Game, Game]
    seats: tuple[int, ...]  # whose hidden cards were exchanged


def told(game: Game, tokens: list[str]) -> Game | None:
    """A game of these tokens; None if the rules don't allow it."""
    again = Game(game.players, game.edition, game.first, game.target)
    try:
        for token in tokens:
            if token in DEALS:
                again.deal(token.partition(":")[2])
            else:
                again.play(token)
    except FuggerError:
        return None
    return again


def twins(game: Game) -> Iterator[Twins]:
    """The game again with two cards exchanged that are hidden still: in hands, or shipped."""
    tokens = game.tokens
    deals = [at for at, token in enumerate(tokens) if token in DEALS and "J" != token[0]]
    pairs = list(combinations(deals, 2))
    random.Random(0).shuffle(pairs)
    for first, second in pairs:
        one, other = tokens[first], tokens[second]
        if one[2:] == other[2:]:
            continue
        changed = list(tokens)
        changed[first] = one[:2] + other[2:]
        changed[second] = other[:2] + one[2:]
        seats = (int(one[0]) - 1, int(other[0]) - 1)
        for variant in (*shipped_instead(game, changed, seats, one[2:], other[2:]), changed):
            again = told(game, variant)
            if again is not None:
                yield Twins((game, again), seats)


def twins_of_the_pile(game: Game) -> Iterator[Twins]:
    """The game again with a hidden card exchanged for one that lies in the draw pile."""
    tokens = game.tokens
    deals = [at for at, token in enumerate(tokens) if token in DEALS and "J" != token[0]]
    random.Random(0).shuffle(deals)
    for at in deals:
        recipient, _, card = tokens[at].partition(":")
        for other in map(str, game.draw_pile):
            changed = list(tokens)
            changed[at] = f"{recipient}:{other}"
            seats = (int(recipient) - 1,)
            for variant in (*shipped_instead(game, changed, seats * 2, card, other), changed):
                again = told(game, variant)
                if again is not None and other != card:
                    yield Twins((game, again), seats)


def shipped_instead(
    game: Game, tokens: list[str], seats: tuple[int, int], one: str, other: str
) -> Iterator[list[str]]:
    """The tokens with a seat's shipment of one card made one of the other."""
    actors = iter(game.actors)
    for at, token in enumerate(tokens):
        if token in DEALS:
            continue
        actor = next(actors)
        for seat, before, after in ((seats[0], one, other), (seats[1], other, one)):
            if actor == seat and token == f"({before})":
                yield [*tokens[:at], f"({after})", *tokens[at + 1 :]]
