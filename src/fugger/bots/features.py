"""What a network is shown of a game: a short list of numbered features and their values.

Everything is told from the side of the player whose turn it is. Seats are counted from there, and
goods have no names: they come in the order of their prices, the cheapest first, so that whatever is
learnt of one good is known of all. Most features are a count or a price that is what it is (1) or
isn't (left out); money and incomes lie between two of them, and piles have as much of one as they
have cards. What is left out is 0, so a network's first layer adds up a hundred rows, not a thousand.

=============  ==============  ========================================================
features       how many        meaning
=============  ==============  ========================================================
prices         2 x 5 x 9 x 5   edition, good, its price, its cards on the table
moved          5 x 9           good, its price were the round to end now
tableau        4 x 32          seat: each card, how many
shipments      4 x 3           seat: one or two made; made in this round
money          4 x 21          seat: gulden it needs
income         4 x 13          seat: gulden it would get were the round to end now
hand_size      4 x 9           seat: cards in hand
starter        4               who began the round
round          3               the first, the second, a later one
piles          11 + 11 + 2     unseen cards, discard pile, and the sizes of both piles
hand           4 x 34          seat: each card, how many; others' are hidden features
shipped        4 x 10          seat: good, how many; others' are hidden features
=============  ==============  ========================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from fugger.cards import GOOD_KINDS, GOODS, KINDS, MERCHANT
from fugger.compiled import called, jitable
from fugger.rules.actions import PLAY, SHIP
from fugger.rules.evaluation import HIGHEST_PRICE, income, move_prices
from fugger.rules.state import ALL_KNOWING, MAX_PLAYERS, NO_CARD, SHIPPING_ROUNDS, State

if TYPE_CHECKING:
    from numpy.typing import NDArray

_COUNTS: Final = 5
_PLAIN: Final = 4
_SEALED: Final = 2
_OF_GOOD: Final = _PLAIN + _SEALED
_IN_TABLEAU: Final = _OF_GOOD * GOODS + 2
_IN_HAND: Final = _OF_GOOD * GOODS + 4
_OF_SHIPMENTS: Final = 3
_MONEY_STEP: Final = 6
_MONEY_STEPS: Final = 21
_INCOME_STEP: Final = 5
_INCOME_STEPS: Final = 13
_HAND_SIZES: Final = 9
_ROUNDS: Final = 3
_FAR: Final = 100
"""Gulden the leader needs at most, as far as a network is told: it knows games to 100."""

_PRICES_AT: Final = 0
_MOVED_AT: Final = _PRICES_AT + 2 * GOODS * HIGHEST_PRICE * _COUNTS
_TABLEAU_AT: Final = _MOVED_AT + GOODS * HIGHEST_PRICE
_SHIPMENTS_AT: Final = _TABLEAU_AT + MAX_PLAYERS * _IN_TABLEAU
_MONEY_AT: Final = _SHIPMENTS_AT + MAX_PLAYERS * _OF_SHIPMENTS
_INCOME_AT: Final = _MONEY_AT + MAX_PLAYERS * _MONEY_STEPS
_HAND_SIZE_AT: Final = _INCOME_AT + MAX_PLAYERS * _INCOME_STEPS
_STARTER_AT: Final = _HAND_SIZE_AT + MAX_PLAYERS * _HAND_SIZES
_ROUND_AT: Final = _STARTER_AT + MAX_PLAYERS
_UNSEEN_AT: Final = _ROUND_AT + _ROUNDS
_DISCARD_AT: Final = _UNSEEN_AT + KINDS
_SIZES_AT: Final = _DISCARD_AT + KINDS
_HAND_AT: Final = _SIZES_AT + 2
_SHIPPED_AT: Final = _HAND_AT + MAX_PLAYERS * _IN_HAND
FEATURES: Final = _SHIPPED_AT + MAX_PLAYERS * GOODS * SHIPPING_ROUNDS
"""How many features there are."""
ROOM: Final = 192
"""More than a position ever has."""

_ONE: Final = np.float32(1)
_PILE_PART: Final = np.float32(1 / 4)
_SIZE_PART: Final = np.float32(1 / 16)
_MONEY_PART: Final = np.float32(1 / _MONEY_STEP)
_INCOME_PART: Final = np.float32(1 / _INCOME_STEP)

ORDER: Final = 2 * GOODS + KINDS
"""Length of the array for the order of the goods: goods by rank, ranks by good, unseen cards."""


@called
def put_goods_in_order(state: State, order: NDArray[np.int64]) -> None:
    """Writes the goods by rank, and behind them the ranks by good."""
    for good in range(GOODS):
        key = int(state.prices[good]) << 8 | int(state.table[good]) << 4 | good
        place = good
        while place > 0 and order[place - 1] > key:
            order[place] = order[place - 1]
            place -= 1
        order[place] = key
    for rank in range(GOODS):
        good = order[rank] & 15
        order[rank] = good
        order[GOODS + good] = rank


@jitable
def action_of(output: int, order: NDArray[np.int64]) -> int:
    """The action that a network's output stands for: its goods are ranks."""
    if PLAY <= output < PLAY + GOOD_KINDS:
        card = output - PLAY
        return PLAY + 2 * int(order[card >> 1]) + (card & 1)
    if SHIP <= output < SHIP + GOOD_KINDS:
        card = output - SHIP
        return SHIP + 2 * int(order[card >> 1]) + (card & 1)
    return output


@jitable
def output_of(action: int, order: NDArray[np.int64]) -> int:
    """The output that stands for an action."""
    if PLAY <= action < PLAY + GOOD_KINDS:
        card = action - PLAY
        return PLAY + 2 * int(order[GOODS + (card >> 1)]) + (card & 1)
    if SHIP <= action < SHIP + GOOD_KINDS:
        card = action - SHIP
        return SHIP + 2 * int(order[GOODS + (card >> 1)]) + (card & 1)
    return action


@called
def write_known(
    state: State,
    order: NDArray[np.int64],
    features: NDArray[np.int32],
    values: NDArray[np.float32],
) -> int:
    """Writes what the player whose turn it is knows of a state or an observation; how many.

    Puts the goods in order first.
    """
    put_goods_in_order(state, order)
    me, players = int(state.player), int(state.players)
    number = 0
    edition = 1 if state.goes_round else 0
    prices = (
        int(state.prices[0]),
        int(state.prices[1]),
        int(state.prices[2]),
        int(state.prices[3]),
        int(state.prices[4]),
    )
    move_prices(state)
    for rank in range(GOODS):
        good = order[rank]
        features[number] = _MOVED_AT + HIGHEST_PRICE * rank + state.prices[good] - 1
        values[number] = _ONE
        number += 1
    for place in range(players):
        seat = seat_at(place, me, players)
        gulden = int(income(state, seat))
        at = _INCOME_AT + _INCOME_STEPS * place
        number = between(
            gulden, _INCOME_STEP, _INCOME_STEPS, _INCOME_PART, at, number, features, values
        )
    for good in range(GOODS):
        state.prices[good] = prices[good]
    for rank in range(GOODS):
        good = order[rank]
        count = min(int(state.table[good]), _COUNTS - 1)
        row = (edition * GOODS + rank) * HIGHEST_PRICE + int(state.prices[good]) - 1
        features[number] = _PRICES_AT + _COUNTS * row + count
        values[number] = _ONE
        number += 1

    least = int(state.target)
    for seat in range(players):
        least = min(least, int(state.target) - int(state.money[seat]))
    beyond = max(0, least - _FAR)
    for card in range(KINDS):
        order[2 * GOODS + card] = state.draw_pile[card]
    for place in range(players):
        seat = seat_at(place, me, players)
        needed = int(state.target) - int(state.money[seat]) - beyond
        at = _MONEY_AT + _MONEY_STEPS * place
        number = between(
            needed, _MONEY_STEP, _MONEY_STEPS, _MONEY_PART, at, number, features, values
        )
        size = min(int(state.hand_size[seat]), _HAND_SIZES - 1)
        features[number] = _HAND_SIZE_AT + _HAND_SIZES * place + size
        values[number] = _ONE
        number += 1
        number = cards(
            state.tableau[seat],
            _TABLEAU_AT + _IN_TABLEAU * place,
            2,
            order,
            number,
            features,
            values,
        )
        shipments = 0
        for shipment in range(SHIPPING_ROUNDS):
            card = int(state.shipments[seat, shipment])
            if card != NO_CARD:
                shipments += 1
                if shipment == state.round_number - 1:
                    features[number] = _SHIPMENTS_AT + _OF_SHIPMENTS * place + 2
                    values[number] = _ONE
                    number += 1
                if place > 0 and card >= 0:
                    order[2 * GOODS + card] += 1
        if shipments > 0:
            features[number] = _SHIPMENTS_AT + _OF_SHIPMENTS * place + shipments - 1
            values[number] = _ONE
            number += 1
        if place > 0 and state.viewer == ALL_KNOWING:
            kinds = int(state.hand_kinds[seat])
            for card in range(KINDS):
                if kinds >> card & 1:
                    order[2 * GOODS + card] += state.hand[seat, card]
    for place in range(players):
        if seat_at(place, me, players) == state.starter:
            features[number] = _STARTER_AT + place
            values[number] = _ONE
            number += 1
    features[number] = _ROUND_AT + min(int(state.round_number), _ROUNDS) - 1
    values[number] = _ONE
    number += 1
    for rank in range(GOODS):
        good = order[rank]
        for sealed in range(2):
            card = 2 * good + sealed
            number = heap(
                int(order[2 * GOODS + card]), _UNSEEN_AT + 2 * rank + sealed, number, features, values
            )
            number = heap(
                int(state.discard_pile[card]),
                _DISCARD_AT + 2 * rank + sealed,
                number,
                features,
                values,
            )
    number = heap(
        int(order[2 * GOODS + MERCHANT]), _UNSEEN_AT + MERCHANT, number, features, values
    )
    number = heap(
        int(state.discard_pile[MERCHANT]), _DISCARD_AT + MERCHANT, number, features, values
    )
    features[number] = _SIZES_AT
    values[number] = _SIZE_PART * np.float32(state.draw_size)
    features[number + 1] = _SIZES_AT + 1
    values[number + 1] = _SIZE_PART * np.float32(state.discard_size)
    number += 2
    return write_held(state, me, 0, order, number, features, values)


@called
def write_hidden(
    state: State,
    order: NDArray[np.int64],
    number: int,
    features: NDArray[np.int32],
    values: NDArray[np.float32],
) -> int:
    """Writes behind `number` features what is hidden from whose turn it is; how many all are."""
    me, players = int(state.player), int(state.players)
    for place in range(1, players):
        seat = seat_at(place, me, players)
        number = write_held(state, seat, place, order, number, features, values)
    return number


@called
def write_held(
    state: State,
    seat: int,
    place: int,
    order: NDArray[np.int64],
    number: int,
    features: NDArray[np.int32],
    values: NDArray[np.float32],
) -> int:
    """Writes a hand and the goods shipped; how many features there are then."""
    at = _HAND_AT + _IN_HAND * place
    number = cards(state.hand[seat], at, 4, order, number, features, values)
    first = int(state.shipments[seat, 0])
    second = int(state.shipments[seat, 1])
    at = _SHIPPED_AT + GOODS * SHIPPING_ROUNDS * place
    if first >= 0:
        both = second >= 0 and second >> 1 == first >> 1
        features[number] = at + SHIPPING_ROUNDS * int(order[GOODS + (first >> 1)]) + int(both)
        values[number] = _ONE
        number += 1
        if both:
            return number
    if second >= 0:
        features[number] = at + SHIPPING_ROUNDS * int(order[GOODS + (second >> 1)])
        values[number] = _ONE
        number += 1
    return number


@called
def cards(
    counts: NDArray[np.int16],
    at: int,
    merchants: int,
    order: NDArray[np.int64],
    number: int,
    features: NDArray[np.int32],
    values: NDArray[np.float32],
) -> int:
    """Writes how many there are of each card there is; how many features there are then."""
    for rank in range(GOODS):
        good = order[rank]
        plain = int(counts[2 * good])
        if plain > 0:
            features[number] = at + _OF_GOOD * rank + min(plain, _PLAIN) - 1
            values[number] = _ONE
            number += 1
        sealed = int(counts[2 * good + 1])
        if sealed > 0:
            features[number] = at + _OF_GOOD * rank + _PLAIN + min(sealed, _SEALED) - 1
            values[number] = _ONE
            number += 1
    held = int(counts[MERCHANT])
    if held > 0:
        features[number] = at + _OF_GOOD * GOODS + min(held, merchants) - 1
        values[number] = _ONE
        number += 1
    return number


@jitable
def between(
    amount: int,
    step: int,
    steps: int,
    part: np.float32,
    at: int,
    number: int,
    features: NDArray[np.int32],
    values: NDArray[np.float32],
) -> int:
    """Writes an amount as a mixture of the two multiples of a step it lies between."""
    amount = min(max(amount, 0), step * (steps - 1) - 1)
    below = amount // step
    over = amount - step * below
    features[number] = at + below
    values[number] = part * np.float32(step - over)
    if over == 0:
        return number + 1
    features[number + 1] = at + below + 1
    values[number + 1] = part * np.float32(over)
    return number + 2


@jitable
def heap(
    count: int, at: int, number: int, features: NDArray[np.int32], values: NDArray[np.float32]
) -> int:
    """Writes how many cards of a kind there are."""
    if count == 0:
        return number
    features[number] = at
    values[number] = _PILE_PART * np.float32(count)
    return number + 1


@jitable
def seat_at(place: int, me: int, players: int) -> int:
    """The seat at a place counted from whose turn it is."""
    seat = me + place
    return seat if seat < players else seat - players
