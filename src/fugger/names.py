"""What people call the things of the game: goods, cards, price moves, in their language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fugger.cards import Card, Good
from fugger.explain import Move

if TYPE_CHECKING:
    from fugger.texts import Words


HOUSES: Final = ("Welser", "Imhof", "Herwart", "Rehlinger")
"""What bots are called at a table: merchant families of Augsburg."""


def good_name(words: Words, good: Good) -> str:
    """A good's name."""
    match good:
        case Good.COPPER:
            return words.say("copper")
        case Good.CLOTH:
            return words.say("cloth")
        case Good.WINE:
            return words.say("wine")
        case Good.SPICE:
            return words.say("spice")
        case Good.JEWELRY:
            return words.say("jewelry")


def card_name(words: Words, card: Card) -> str:
    """A card's name with its notation: ``wine W*``."""
    name = words.say("merchant") if card.good is None else good_name(words, card.good)
    return f"{name} {card}"


def cards_named(words: Words, cards: dict[Card, int]) -> str:
    """Cards in a sentence: ``2 wine W, merchant M``."""
    return ", ".join(
        f"{number} {card_name(words, card)}" if number > 1 else card_name(words, card)
        for card, number in cards.items()
    )


def move_name(words: Words, move: Move) -> str:
    """What an evaluation did to a price."""
    names = {
        Move.ROSE: words.say("rises by its count"),
        Move.STOPPED: words.say("past 9: stops at 1"),
        Move.WENT_ROUND: words.say("past 9: goes on from 1"),
        Move.FELL: words.say("falls by 1"),
        Move.STAYED: words.say("stays at 1, the lowest"),
        Move.FELL_ROUND: words.say("falls from 1 round to 9"),
    }
    return names[move]
