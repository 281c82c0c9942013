"""What people call the things of the game: goods, cards, price moves, in their language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from fugger.cards import Card, Good
from fugger.explain import Move

if TYPE_CHECKING:
    from fugger.explain import PriceMove
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
    """Cards in a sentence: ``2 wine W and merchant M``."""
    return words.listed(
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


def reason(words: Words, move: PriceMove) -> str:
    """Why an evaluation did that to a price."""
    name = move_name(words, move.move)
    return name if move.count else words.say("{reason} (none on the table)", reason=name)


def edition_name(edition: str) -> str:
    """What people call an edition that programs call so: a house's name, in any language."""
    return edition.capitalize()


@dataclass(frozen=True, slots=True)
class Level:
    """A bot's level as people know it.

    Attributes:
        level: what programs call it.
        name: what people call it.
        style: how it plays, in a few words.
        face: its portrait, a symbol of the site's pictures.
    """

    level: str
    name: str
    style: str
    face: str


def bot_level(words: Words, level: str) -> Level:
    """What people call a bot's level, and how they tell it apart.

    A level that has no name here, of a record from elsewhere, goes by what programs call it.
    """
    say = words.say
    known = {
        "apprentice": (say("Apprentice"), say("plays what catches the eye"), "face-1"),
        "journeyman": (say("Journeyman"), say("sells at today's prices"), "face-2"),
        "trader": (say("Trader"), say("looks a little ahead"), "face-3"),
        "factor": (say("Factor"), say("weighs what others may hold"), "face-4"),
        "banker": (say("Banker"), say("thinks every move through"), "face-5"),
        "greedy": (say("Miser"), say("takes what pays most at once"), "face-2"),
        "random": (say("Gambler"), say("leaves it all to chance"), "face-1"),
    }
    return Level(level, *known.get(level, (level, "", "face-2")))
