"""The supply: draw pile, discard pile, and who is owed the next card.

The rules hold no deck order and no generator: they say who is owed a card, and somebody deals
one. `owe` is the only way a card becomes owed, so a draw pile found empty there is the one place
where the discard pile takes its place.
"""

from __future__ import annotations

from typing import Final

from fugger.cards import GOOD_KINDS, KINDS, MERCHANT
from fugger.compiled import jitable
from fugger.rules.state import JAKOB, State

MARKET_GOODS: Final = 2
"""Goods turned up for Jakob before the first turn of every round."""
REFILL_CARDS: Final = 2
"""Cards each player draws at the start of a new round, whatever the hand size."""
MERCHANT_CARDS: Final = (0, 2, 5)
"""Further cards then drawn by a player with no, one and two merchants in the tableau."""


@jitable
def owe(state: State, recipient: int, cards: int) -> bool:
    """Owes `cards` cards to a seat; False if there is none to be had."""
    if state.draw_size == 0:
        if state.discard_size == 0:
            return False
        turn_discard_pile(state)
    state.recipient = recipient
    state.owed = cards
    return True


@jitable
def owe_jakob(state: State, goods: int) -> bool:
    """Owes Jakob `goods` goods; False if the two piles together hold merchants alone."""
    merchants = state.draw_pile[MERCHANT] + state.discard_pile[MERCHANT]
    return state.draw_size + state.discard_size > merchants and owe(state, JAKOB, goods)


@jitable
def turn_discard_pile(state: State) -> None:
    """Makes the discard pile the draw pile, which is empty."""
    for card in range(KINDS):
        state.draw_pile[card] += state.discard_pile[card]
        state.discard_pile[card] = 0
    state.draw_size = state.discard_size
    state.discard_size = 0


@jitable
def discard_goods(state: State) -> None:
    """Moves all goods on the table, Jakob's too, to the discard pile."""
    for good in range(len(state.table)):
        state.discard_size += state.table[good]
        state.table[good] = 0
    for card in range(GOOD_KINDS):
        state.discard_pile[card] += state.jakob[card]
        state.jakob[card] = 0
    for seat in range(state.players):
        for card in range(GOOD_KINDS):
            state.discard_pile[card] += state.tableau[seat, card]
            state.tableau[seat, card] = 0


@jitable
def discard_merchants(state: State) -> None:
    """Moves all tableaus' merchants to the discard pile."""
    for seat in range(state.players):
        merchants = state.tableau[seat, MERCHANT]
        state.tableau[seat, MERCHANT] = 0
        state.discard_pile[MERCHANT] += merchants
        state.discard_size += merchants
