"""The end of a round: prices move, everyone sells; and the end of the game."""

from __future__ import annotations

from typing import Final

from fugger.cards import GOOD_KINDS, GOODS
from fugger.compiled import jitable
from fugger.rules.state import (
    GOES_ROUND_DOWN,
    GOES_ROUND_UP,
    MAX_PLAYERS,
    SHIPPING_ROUNDS,
    State,
)

HIGHEST_PRICE: Final = 9
RISING: Final = 3
"""A good rises when its count is at least the third-largest of the five counts."""
SEAL_LIMIT: Final = 3
"""A sealed card sells double if at most so many cards of its good lie on the table."""
SHIPMENT_FACTOR: Final = 2
"""A shipment pays its good's price so many times."""


@jitable
def rises(state: State, good: int) -> bool:
    """Whether a good's price rises: it is on the table, and fewer than three goods lead it."""
    count = state.table[good]
    leading = 0
    for other in range(GOODS):
        leading += state.table[other] > count
    return bool((count > 0) & (leading < RISING))


@jitable
def moved_price(state: State, good: int) -> int:
    """A good's price after the evaluation of the table as it lies."""
    risen = int(state.prices[good] + state.table[good])
    past_highest = risen - HIGHEST_PRICE if state.goes_round & GOES_ROUND_UP else 1
    fallen = int(state.prices[good]) - 1
    past_lowest = HIGHEST_PRICE if state.goes_round & GOES_ROUND_DOWN else 1
    # Both outcomes first, then the choice: compiled, it needs no branch that can't be foreseen.
    risen = past_highest if risen > HIGHEST_PRICE else risen
    fallen = past_lowest if fallen < 1 else fallen
    return risen if rises(state, good) else fallen


@jitable
def move_prices(state: State) -> None:
    """Evaluation, first part: the prices move."""
    for good in range(GOODS):
        state.prices[good] = moved_price(state, good)


@jitable
def seal_doubles(state: State, good: int) -> bool:
    """Whether a sealed card of a good sells double."""
    return bool(state.table[good] <= SEAL_LIMIT)


@jitable
def income(state: State, seat: int) -> int:
    """What a seat's tableau sells for, at the state's prices."""
    gulden = 0
    for good in range(GOODS):
        sealed = int(state.tableau[seat, 2 * good + 1])
        cards = state.tableau[seat, 2 * good] + sealed
        if seal_doubles(state, good):
            cards += sealed
        gulden += cards * state.prices[good]
    return gulden


@jitable
def sell(state: State) -> None:
    """Evaluation, second part: everyone sells at the new prices."""
    for seat in range(state.players):
        state.money[seat] += income(state, seat)


@jitable
def target_reached(state: State) -> bool:
    """Whether somebody's money ends the game."""
    most = 0
    for seat in range(state.players):
        most = max(most, state.money[seat])
    return most >= state.target


@jitable
def shipment_income(state: State, seat: int) -> int:
    """What a seat's shipments pay in the final scoring; seals don't count."""
    gulden = 0
    for shipment in range(SHIPPING_ROUNDS):
        card = state.shipments[seat, shipment]
        if 0 <= card < GOOD_KINDS:
            gulden += SHIPMENT_FACTOR * state.prices[card >> 1]
    return gulden


@jitable
def score_shipments(state: State) -> None:
    """Final scoring: each shipment pays."""
    for seat in range(state.players):
        state.money[seat] += shipment_income(state, seat)


@jitable
def winners(state: State) -> int:
    """The seats with the most money, as a bit set."""
    most = 0
    for seat in range(state.players):
        most = max(most, state.money[seat])
    seats = 0
    for seat in range(MAX_PLAYERS):
        if seat < state.players and state.money[seat] == most:
            seats |= 1 << seat
    return seats
