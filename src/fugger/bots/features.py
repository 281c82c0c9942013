"""What a network is shown of a game: a short list of numbered features and their values.

Everything is told from the side of the player whose turn it is. Seats are counted from there, and
goods have no names: they come in the order of their prices, the cheapest first, so that whatever
is learnt of one good is known of all. Most features are a count or a price that is what it is (1)
or isn't (left out); money and incomes lie between two of them, and piles have as much of one as
they have cards. What is left out is 0: a network's first layer adds up a hundred rows, not a
thousand.

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

    from fugger.bots.network import Sight

_COUNTS: Final = 5
_PLAIN: Final = 4
_SEALED: Final = 2
_OF_GOOD: Final = _PLAIN + _SEALED
_MERCHANTS_AT: Final = _OF_GOOD * GOODS
_TABLEAU_MERCHANTS: Final = 2
_HAND_MERCHANTS: Final = 4
_IN_TABLEAU: Final = _MERCHANTS_AT + _TABLEAU_MERCHANTS
_IN_HAND: Final = _MERCHANTS_AT + _HAND_MERCHANTS
_OF_SHIPMENTS: Final = SHIPPING_ROUNDS + 1
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

_GOOD_BITS: Final = (1 << 4) - 1


@called
def write_known(state: State, sight: Sight) -> None:
    """Writes, anew, what the player whose turn it is knows of a state or an observation."""
    sight.number[0] = 0
    put_goods_in_order(state, sight.order)
    write_goods(state, sight)
    write_seats(state, sight)
    write_piles(state, sight)
    write_held(state, int(state.player), 0, sight)


@called
def write_hidden(state: State, sight: Sight) -> None:
    """Writes behind that what is hidden from the player whose turn it is."""
    me, players = int(state.player), int(state.players)
    for place in range(1, players):
        write_held(state, seat_at(place, me, players), place, sight)


@jitable
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
        good = int(order[rank]) & _GOOD_BITS
        order[rank] = good
        order[GOODS + good] = rank


@jitable
def write_goods(state: State, sight: Sight) -> None:
    """The goods' prices and counts, and what everybody would get were the round to end now."""
    me, players = int(state.player), int(state.players)
    prices = (
        int(state.prices[0]),
        int(state.prices[1]),
        int(state.prices[2]),
        int(state.prices[3]),
        int(state.prices[4]),
    )
    move_prices(state)
    for rank in range(GOODS):
        moved = int(state.prices[sight.order[rank]])
        add(sight, _MOVED_AT + HIGHEST_PRICE * rank + moved - 1, _ONE)
    for place in range(players):
        gulden = int(income(state, seat_at(place, me, players)))
        gulden = min(gulden, _INCOME_STEP * (_INCOME_STEPS - 1) - 1)
        at = _INCOME_AT + _INCOME_STEPS * place + gulden // _INCOME_STEP
        add_between(sight, at, gulden % _INCOME_STEP, _INCOME_STEP, _INCOME_PART)
    for good in range(GOODS):
        state.prices[good] = prices[good]
    edition = 1 if state.goes_round else 0
    for rank in range(GOODS):
        good = sight.order[rank]
        row = (edition * GOODS + rank) * HIGHEST_PRICE + int(state.prices[good]) - 1
        add(sight, _PRICES_AT + _COUNTS * row + min(int(state.table[good]), _COUNTS - 1), _ONE)


@jitable
def write_seats(state: State, sight: Sight) -> None:
    """What everybody sees of each seat."""
    me, players = int(state.player), int(state.players)
    least = int(state.target)
    for seat in range(players):
        least = min(least, int(state.target) - int(state.money[seat]))
    beyond = max(0, least - _FAR)
    for place in range(players):
        seat = seat_at(place, me, players)
        needed = int(state.target) - int(state.money[seat]) - beyond
        needed = min(max(needed, 0), _MONEY_STEP * (_MONEY_STEPS - 1) - 1)
        at = _MONEY_AT + _MONEY_STEPS * place + needed // _MONEY_STEP
        add_between(sight, at, needed % _MONEY_STEP, _MONEY_STEP, _MONEY_PART)
        size = min(int(state.hand_size[seat]), _HAND_SIZES - 1)
        add(sight, _HAND_SIZE_AT + _HAND_SIZES * place + size, _ONE)
        add_cards(sight, _TABLEAU_AT + _IN_TABLEAU * place, state.tableau[seat], _TABLEAU_MERCHANTS)
        at = _SHIPMENTS_AT + _OF_SHIPMENTS * place
        shipments = 0
        for shipment in range(SHIPPING_ROUNDS):
            if state.shipments[seat, shipment] != NO_CARD:
                shipments += 1
                if shipment == state.round_number - 1:
                    add(sight, at + SHIPPING_ROUNDS, _ONE)
        if shipments > 0:
            add(sight, at + shipments - 1, _ONE)
        if seat == state.starter:
            add(sight, _STARTER_AT + place, _ONE)


@jitable
def write_piles(state: State, sight: Sight) -> None:
    """The round, the cards that the player whose turn it is doesn't see, and the discard pile."""
    add(sight, _ROUND_AT + min(int(state.round_number), _ROUNDS) - 1, _ONE)
    count_unseen(state, sight.unseen)
    for rank in range(GOODS):
        for sealed in range(2):
            card = 2 * int(sight.order[rank]) + sealed
            ranked = 2 * rank + sealed
            add_heap(sight, _UNSEEN_AT + ranked, int(sight.unseen[card]))
            add_heap(sight, _DISCARD_AT + ranked, int(state.discard_pile[card]))
    add_heap(sight, _UNSEEN_AT + MERCHANT, int(sight.unseen[MERCHANT]))
    add_heap(sight, _DISCARD_AT + MERCHANT, int(state.discard_pile[MERCHANT]))
    add(sight, _SIZES_AT, _SIZE_PART * np.float32(state.draw_size))
    add(sight, _SIZES_AT + 1, _SIZE_PART * np.float32(state.discard_size))


@jitable
def count_unseen(state: State, unseen: NDArray[np.int64]) -> None:
    """Counts the cards that the player whose turn it is doesn't see."""
    for card in range(KINDS):
        unseen[card] = state.draw_pile[card]
    if state.viewer != ALL_KNOWING:
        return
    for seat in range(state.players):
        if seat == state.player:
            continue
        for card in range(KINDS):
            unseen[card] += state.hand[seat, card]
        for shipment in range(SHIPPING_ROUNDS):
            card = int(state.shipments[seat, shipment])
            if card >= 0:
                unseen[card] += 1


@jitable
def write_held(state: State, seat: int, place: int, sight: Sight) -> None:
    """What only a seat itself knows: its hand, and the goods it has shipped."""
    add_cards(sight, _HAND_AT + _IN_HAND * place, state.hand[seat], _HAND_MERCHANTS)
    at = _SHIPPED_AT + GOODS * SHIPPING_ROUNDS * place
    first, second = int(state.shipments[seat, 0]), int(state.shipments[seat, 1])
    both = int(first >= 0 and second >= 0 and first >> 1 == second >> 1)
    if first >= 0:
        rank = int(sight.order[GOODS + (first >> 1)])
        add(sight, at + SHIPPING_ROUNDS * rank + both, _ONE)
    if second >= 0 and not both:
        add(sight, at + SHIPPING_ROUNDS * int(sight.order[GOODS + (second >> 1)]), _ONE)


@called
def add_cards(sight: Sight, at: int, counts: NDArray[np.int16], merchants: int) -> None:
    """Writes how many there are of each card there is, of merchants up to a number."""
    for rank in range(GOODS):
        good = sight.order[rank]
        plain, sealed = int(counts[2 * good]), int(counts[2 * good + 1])
        if plain > 0:
            add(sight, at + _OF_GOOD * rank + min(plain, _PLAIN) - 1, _ONE)
        if sealed > 0:
            add(sight, at + _OF_GOOD * rank + _PLAIN + min(sealed, _SEALED) - 1, _ONE)
    if counts[MERCHANT] > 0:
        add(sight, at + _MERCHANTS_AT + min(int(counts[MERCHANT]), merchants) - 1, _ONE)


@jitable
def add_between(sight: Sight, at: int, over: int, step: int, part: np.float32) -> None:
    """Writes an amount as a mixture of the multiples of a step that it lies between."""
    add(sight, at, part * np.float32(step - over))
    if over > 0:
        add(sight, at + 1, part * np.float32(over))


@jitable
def add_heap(sight: Sight, at: int, count: int) -> None:
    """Writes how many cards of a kind there are."""
    if count > 0:
        add(sight, at, _PILE_PART * np.float32(count))


@jitable
def add(sight: Sight, feature: int, value: np.float32) -> None:
    """Writes a feature."""
    number = sight.number[0]
    sight.features[number] = feature
    sight.values[number] = value
    sight.number[0] = number + 1


@jitable
def action_of(output: int, order: NDArray[np.int64]) -> int:
    """The action that a network's output stands for: its goods are ranks."""
    return renamed(output, order, 0)


@jitable
def output_of(action: int, order: NDArray[np.int64]) -> int:
    """The output that stands for an action."""
    return renamed(action, order, GOODS)


@jitable
def renamed(action: int, order: NDArray[np.int64], at: int) -> int:
    """An action with its good renamed as `order` has it from a place on."""
    first = PLAY if action < SHIP else SHIP
    card = action - first
    if 0 <= card < GOOD_KINDS:
        return first + 2 * int(order[at + (card >> 1)]) + (card & 1)
    return action


@jitable
def seat_at(place: int, me: int, players: int) -> int:
    """The seat at a place counted from whose turn it is."""
    seat = me + place
    return seat if seat < players else seat - players
