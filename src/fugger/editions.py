"""The editions: every point on which the sources disagree, and the numbers of the box."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal

from fugger.cards import GOODS
from fugger.errors import EditionError, is_whole, quoted

if TYPE_CHECKING:
    from collections.abc import Mapping

MIN_TARGET: Final = 20
MAX_TARGET: Final = 500
"""Users may play to any target between these, in gulden."""

TRIGGERS: Final = ("shipment", "merchant")
"""What may give Jakob an extra card."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition:
    """The rules of one edition and the contents of its box.

    Attributes:
        name: what records and options call it.
        jakob_trigger: what gives Jakob an extra card with 2 or 3 players.
        price_goes_round_up: a price that would pass 9 goes on from 1; if False it stops at 1.
        price_goes_round_down: a price of 1 that falls becomes 9; if False it stays 1.
        target: gulden that end the game, 0 to 10,000; with 0 the first round is the last.
        must_exceed_target: the game ends above the target; if False it ends at it.
        goods: kinds of goods, the first of copper, cloth, wine, spice, jewelry.
        plain_cards: cards without a seal of each good.
        sealed_cards: cards with a royal seal of each good.
        merchants: merchants among the cards.
        opening_hand: cards dealt to each player before round 1.
        round_end: cards of one good on the table that end a round.
        starting_price: gulden each good costs at first, 1 to 9.

    Raises:
        EditionError: numbers that make no game, saying which and why.
    """

    name: str
    jakob_trigger: Literal["shipment", "merchant"]
    price_goes_round_up: bool
    price_goes_round_down: bool
    must_exceed_target: bool
    target: int = 100
    goods: int = GOODS
    plain_cards: int = 7
    sealed_cards: int = 2
    merchants: int = 4
    opening_hand: int = 4
    round_end: int = 5
    starting_price: int = 5

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise EditionError(f"name is {quoted(self.name)}: expected a text")
        if self.jakob_trigger not in TRIGGERS:
            expected = " or ".join(TRIGGERS)
            raise EditionError(
                f"jakob_trigger is {quoted(self.jakob_trigger)}: expected {expected}"
            )
        for field in ("price_goes_round_up", "price_goes_round_down", "must_exceed_target"):
            if not isinstance(getattr(self, field), bool):
                raise EditionError(f"{field} is {quoted(getattr(self, field))}: expected a bool")
        limits = {
            "target": (0, 10_000),
            "goods": (1, GOODS),
            "plain_cards": (0, 100),
            "sealed_cards": (0, 100),
            "merchants": (0, 6),  # more could fill all hands and leave nobody an action
            "opening_hand": (1, 20),
            "round_end": (3, 9),  # two goods lie beside Jakob before the first turn
            "starting_price": (1, 9),
        }
        for field, (low, high) in limits.items():
            value = getattr(self, field)
            if not is_whole(value, low, high):
                raise EditionError(
                    f"{field} is {quoted(value)}: expected a whole number from {low} to {high}"
                )

    def __str__(self) -> str:
        return self.name

    @property
    def cards(self) -> tuple[int, ...]:
        """How many of each kind of card the box holds, by card number."""
        per_good = (self.plain_cards, self.sealed_cards)
        return (*per_good * self.goods, *(0, 0) * (GOODS - self.goods), self.merchants)


ADLUNG: Final = Edition(
    name="adlung",
    jakob_trigger="shipment",
    price_goes_round_up=False,
    price_goes_round_down=False,
    must_exceed_target=False,
)
"""The Hungarian and the English rulebooks; the default."""

RODY: Final = Edition(
    name="rody",
    jakob_trigger="merchant",
    price_goes_round_up=True,
    price_goes_round_down=True,
    must_exceed_target=True,
)
"""The French summary."""

TINY: Final = Edition(
    name="tiny",
    jakob_trigger="shipment",
    price_goes_round_up=False,
    price_goes_round_down=False,
    must_exceed_target=False,
    target=0,
    goods=2,
    plain_cards=6,
    sealed_cards=0,
    merchants=0,
    opening_hand=1,
    round_end=3,
)
"""For research alone: one round with twelve cards of two goods, small enough to be solved.

Players aren't offered it, and no record holds it.
"""

EDITIONS: Final[Mapping[str, Edition]] = MappingProxyType(
    {edition.name: edition for edition in (ADLUNG, RODY)}
)
"""The editions players are offered, by name."""


def edition_named(name: str) -> Edition:
    """The edition players know by this name.

    Raises:
        EditionError: there is none.
    """
    try:
        return EDITIONS[name]
    except (KeyError, TypeError):
        known = " or ".join(EDITIONS)
        raise EditionError(f"{quoted(name)} is no edition: expected {known}") from None
