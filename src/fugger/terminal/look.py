"""How things look in a terminal: colours, signs, and what is known of the terminal itself.

Nothing is told by colour alone: goods have letters, what rises and falls has signs.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fugger.cards import Card, Good
    from fugger.editions import Edition
    from fugger.game import Game
    from fugger.texts import Words

WIDEST: Final = 100
"""Columns used at most: longer lines are harder to read."""
NARROWEST: Final = 20
"""Columns used at least: a narrower terminal wraps them."""

# Of the 256 colours those of middle brightness, readable on black and on white.
_GOOD_STYLES: Final = ("bold color(166)", "bold color(33)", "bold color(161)", "bold color(70)")
GOOD_STYLES: Final = (*_GOOD_STYLES, "bold color(134)")
"""Each good's style, in the goods' order."""
MERCHANT_STYLE: Final = "bold reverse"
QUIET: Final = "dim"
TITLE: Final = "bold"
RISES: Final = "green"
FALLS: Final = "red"

_NAME_CELLS = 14


@dataclass(frozen=True, slots=True)
class Signs:
    """The signs a terminal can show."""

    card: str
    no_card: str
    rises: str
    falls: str
    stays: str
    becomes: str
    turn: str
    none: str


UNICODE: Final = Signs("■", "·", "▲", "▼", "=", "→", "▶", "-")
ASCII: Final = Signs("#", ".", "^", "v", "=", "->", ">", "-")


@dataclass(frozen=True, slots=True)
class View:
    """What the drawing of a game needs besides the state.

    Attributes:
        words: the texts.
        names: what each seat is called.
        edition: the game's edition.
        target: gulden that end the game.
        signs: the signs of the terminal.
        you: the seat of the only person at the screen, if there is one.
    """

    words: Words
    names: tuple[str, ...]
    edition: Edition
    target: int
    signs: Signs
    you: int | None = None


def open_console() -> Console:
    """A console on the standard output: no colours and no controls if NO_COLOR is set."""
    for stream in (sys.stdin, sys.stdout):
        if hasattr(stream, "reconfigure"):  # what can't be read or shown must not stop a game
            stream.reconfigure(errors="replace")
    console = Console(
        color_system=None if os.environ.get("NO_COLOR") else "auto",
        emoji=False,
        highlight=False,
        markup=False,
    )
    console.width = max(NARROWEST, min(console.width, WIDEST))
    return console


def signs_of(console: Console) -> Signs:
    """The signs a console can show."""
    unicode = console.encoding.lower().startswith("utf") and not console.is_dumb_terminal
    return UNICODE if unicode else ASCII


def is_screen(console: Console) -> bool:
    """Whether the console is a screen that can be cleared."""
    return console.is_terminal and console.color_system is not None


def clean(name: str) -> str:
    """A name as it may be shown: printable, and of bounded length."""
    name = "".join(letter if letter.isprintable() else "?" for letter in name).strip()
    text = Text(name)
    text.truncate(_NAME_CELLS, overflow="ellipsis")
    return text.plain


def seat_names(game: Game, words: Words) -> tuple[str, ...]:
    """What each seat of a game is called on the screen: by its record's tags, else by number."""
    return tuple(
        clean(game.tags.get(f"Seat{seat + 1}", "")) or words.say("Player {number}", number=seat + 1)
        for seat in range(game.players)
    )


def view_of(game: Game, words: Words, console: Console, you: int | None = None) -> View:
    """What the drawing of a game on a console needs.

    Args:
        game: the game.
        words: the texts.
        console: where it is drawn.
        you: the seat of the only person at the screen.
    """
    names = list(seat_names(game, words))
    if you is not None and f"Seat{you + 1}" not in game.tags:
        names[you] = words.say("You")
    return View(words, tuple(names), game.edition, game.target, signs_of(console), you)


def good_text(good: Good) -> Text:
    """A good's letter."""
    return Text(str(good), GOOD_STYLES[good])


def card_text(card: Card) -> Text:
    """A card's notation."""
    return Text(str(card), MERCHANT_STYLE if card.good is None else GOOD_STYLES[card.good])


def cards_text(cards: Mapping[Card, int], empty: str) -> Text:
    """Cards side by side, or `empty` if there are none."""
    texts = [card_text(card) for card, number in cards.items() for _ in range(number)]
    return Text(" ").join(texts) if texts else Text(empty, QUIET)
