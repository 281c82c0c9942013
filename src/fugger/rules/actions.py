"""What a player may do: the numbers of actions and which are legal.

=========  ====================  ========
number     action                notation
=========  ====================  ========
0          draw a card           ``+``
1 + card   play that card        ``W*``
12 + card  ship that good        ``(W*)``
22         pass                  ``--``
=========  ====================  ========
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final, Self

from fugger.cards import CARD_TEXTS, GOOD_KINDS, MERCHANT, Card
from fugger.compiled import jitable
from fugger.errors import NotationError
from fugger.rules.state import ANY_SEAT, NO_CARD, SHIPPING_ROUNDS, State

DRAW: Final = 0
PLAY: Final = 1
"""PLAY + card plays a card."""
SHIP: Final = 12
"""SHIP + card ships a good."""
PASS: Final = 22
ACTIONS: Final = 23
"""How many actions there are; a set of them is a mask of so many bits."""

DRAWING_LIMIT: Final = 4
"""A player may draw only with so many cards in hand, or fewer."""
MERCHANT_LIMIT: Final = 2
"""Merchants a tableau may hold."""

_GOODS_MASK = (1 << GOOD_KINDS) - 1
_ANY_SHIPMENT = SHIPPING_ROUNDS - 1
"""The bits of a shipment's place; see `fugger.rules.state.ANY_SEAT`."""


@jitable
def legal_actions(state: State) -> int:
    """The legal actions of the player whose turn it is, as a bit set: bit `action`."""
    seat = state.player & ANY_SEAT
    kinds = int(state.hand_kinds[seat])
    goods = kinds & _GOODS_MASK
    plays = kinds if state.tableau[seat, MERCHANT] < MERCHANT_LIMIT else goods
    mask = plays << PLAY
    if may_ship(state, seat):
        mask |= goods << SHIP
    if may_draw(state, seat):
        mask |= 1 << DRAW
    return mask or 1 << PASS


@jitable
def may_draw(state: State, seat: int) -> bool:
    """Whether the hand is small enough and there is a card to draw."""
    supply = state.draw_size + state.discard_size
    return bool((state.hand_size[seat] <= DRAWING_LIMIT) & (supply > 0))


@jitable
def may_ship(state: State, seat: int) -> bool:
    """Whether a shipment may be made this round and hasn't been yet."""
    # Both questions, then the answer: compiled, it needs no branch that can't be foreseen.
    shipment = (state.round_number - 1) & _ANY_SHIPMENT
    free = state.shipments[seat, shipment] == NO_CARD
    return bool((state.round_number <= SHIPPING_ROUNDS) & free)


class Action(IntEnum):
    """What a player may do in a turn; its text is its notation.

    >>> Action("(W*)"), str(Action.PLAY_MERCHANT), Action("(W*)").card
    (Action('(W*)'), 'M', Card('W*'))
    """

    DRAW = 0
    PLAY_COPPER = 1
    PLAY_SEALED_COPPER = 2
    PLAY_CLOTH = 3
    PLAY_SEALED_CLOTH = 4
    PLAY_WINE = 5
    PLAY_SEALED_WINE = 6
    PLAY_SPICE = 7
    PLAY_SEALED_SPICE = 8
    PLAY_JEWELRY = 9
    PLAY_SEALED_JEWELRY = 10
    PLAY_MERCHANT = 11
    SHIP_COPPER = 12
    SHIP_SEALED_COPPER = 13
    SHIP_CLOTH = 14
    SHIP_SEALED_CLOTH = 15
    SHIP_WINE = 16
    SHIP_SEALED_WINE = 17
    SHIP_SPICE = 18
    SHIP_SEALED_SPICE = 19
    SHIP_JEWELRY = 20
    SHIP_SEALED_JEWELRY = 21
    PASS = 22

    def __str__(self) -> str:
        return ACTION_TEXTS[self]

    def __repr__(self) -> str:
        return f"Action('{self}')"

    @property
    def card(self) -> Card | None:
        """The card played or shipped; None for a draw and a pass."""
        if self in {DRAW, PASS}:
            return None
        return Card(self - SHIP if self.is_shipment else self - PLAY)

    @property
    def is_shipment(self) -> bool:
        """Whether the action ships a good."""
        return SHIP <= self < PASS

    @classmethod
    def _missing_(cls, value: object) -> Self:
        if isinstance(value, str) and value in ACTION_TEXTS:
            return cls(ACTION_TEXTS.index(value))
        raise NotationError(
            "action", value, "+ to draw, a card such as W* to play it, (W*) to ship it, or --"
        )


ACTION_TEXTS: Final = ("+", *CARD_TEXTS, *(f"({card})" for card in CARD_TEXTS[:GOOD_KINDS]), "--")
"""The notation of every action, in the order of their numbers."""


_ACTIONS = tuple(Action)


def actions_in(mask: int) -> list[Action]:
    """The actions of a bit set, in the order of their numbers."""
    return [action for action in _ACTIONS if mask >> action & 1]
