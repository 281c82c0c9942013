"""What the box contains: five goods and eleven kinds of cards.

The numbers are the engine's (see `docs/notation.md`): goods in the order copper, cloth, wine,
spice, jewelry; a good's plain card is ``2 * good``, its sealed card ``2 * good + 1``, the
merchant 10.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final, Self

from fugger.errors import NotationError

GOODS: Final = 5
"""Kinds of goods."""
KINDS: Final = 11
"""Kinds of cards: each good plain and sealed, and the merchant."""
GOOD_KINDS: Final = 10
"""Kinds of cards that are goods; their numbers come before the merchant's."""
MERCHANT: Final = 10
"""Number of the merchant."""

_LETTERS = "CTWSJ"


class Good(IntEnum):
    """One of the five goods; its text is its letter.

    >>> Good("W"), str(Good.WINE), int(Good.WINE)
    (Good('W'), 'W', 2)
    """

    COPPER = 0
    CLOTH = 1
    WINE = 2
    SPICE = 3
    JEWELRY = 4

    def __str__(self) -> str:
        return _LETTERS[self]

    def __repr__(self) -> str:
        return f"Good('{self}')"

    @classmethod
    def _missing_(cls, value: object) -> Self:
        if isinstance(value, str) and len(value) == 1 and value in _LETTERS:
            return cls(_LETTERS.index(value))
        raise NotationError("good", value, "C, T, W, S or J")


class Card(IntEnum):
    """One of the eleven kinds of cards; its text is its notation, a seal being a star.

    >>> Card("W*"), str(Card.MERCHANT), Card("W*").good, Card("W*").is_sealed
    (Card('W*'), 'M', Good('W'), True)
    """

    COPPER = 0
    SEALED_COPPER = 1
    CLOTH = 2
    SEALED_CLOTH = 3
    WINE = 4
    SEALED_WINE = 5
    SPICE = 6
    SEALED_SPICE = 7
    JEWELRY = 8
    SEALED_JEWELRY = 9
    MERCHANT = 10

    def __str__(self) -> str:
        return CARD_TEXTS[self]

    def __repr__(self) -> str:
        return f"Card('{self}')"

    @property
    def good(self) -> Good | None:
        """The card's good; None for the merchant."""
        return None if self == MERCHANT else Good(self >> 1)

    @property
    def is_sealed(self) -> bool:
        """Whether the card bears a royal seal."""
        return self != MERCHANT and bool(self & 1)

    @classmethod
    def _missing_(cls, value: object) -> Self:
        if isinstance(value, str) and value in CARD_TEXTS:
            return cls(CARD_TEXTS.index(value))
        raise NotationError("card", value, "a good's letter C T W S J, with * if sealed, or M")


CARD_TEXTS: Final = (*(letter + seal for letter in _LETTERS for seal in ("", "*")), "M")
"""The notation of every card, in the order of their numbers."""
