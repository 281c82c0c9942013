"""Who knows what: what a seat may see of a state, and states it may imagine behind that.

This is the one place that decides it. Everyone knows prices, money, tableaus, Jakob's goods, hand
sizes, how many shipments each player has made, the discard pile and the draw pile's size; a
player knows the own hand and shipments too. When the game is over all shipments are shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from fugger.cards import GOOD_KINDS, KINDS, MERCHANT
from fugger.chance import Generator, below
from fugger.compiled import jitable
from fugger.errors import SetupError, is_whole, quoted
from fugger.rules.fields import fields_from_bytes, fields_of
from fugger.rules.state import (
    ALL_KNOWING,
    JAKOB,
    OVER,
    SHIPPING_ROUNDS,
    SPECTATOR,
    UNKNOWN,
    State,
    states_from_bytes,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def observe(state: State, viewer: int) -> State:
    """What a seat, or a SPECTATOR, may know of a state: a state of the same type.

    Hidden hands and shipments leave only their sizes, and their cards join the draw pile's in one
    pool of unseen cards, `draw_pile`; `draw_size` stays the draw pile's own.

    Raises:
        SetupError: there is no such seat, or the state is another viewer's observation.
    """
    return cast("State", states_from_bytes(observe_fields(state, viewer).tobytes())[0])


def observe_fields(state: State, viewer: int) -> State:
    """As `observe`, for interpreted code: an observation's fields (see `fugger.rules.fields`).

    Raises:
        SetupError: as `observe`.
    """
    check_viewer(viewer, state.players)
    if state.viewer not in {ALL_KNOWING, viewer}:
        raise SetupError("an observation can't be observed by somebody else")
    observation = fields_from_bytes(state.tobytes())
    hide(observation, viewer)
    return observation


def own_cards(state: State, seat: int) -> tuple[list[int], list[int]]:
    """All that a seat knows beside what everyone does.

    Returns:
        How many of each card its hand holds, and its shipments of rounds 1 and 2.

    Raises:
        SetupError: there is no such seat, or the state is another viewer's observation.
    """
    if not is_whole(seat, 0, state.players - 1):
        raise SetupError(f"{quoted(seat)} is no seat: expected 0 to {state.players - 1}")
    if state.viewer not in {ALL_KNOWING, seat}:
        raise SetupError("an observation can't be observed by somebody else")
    return state.hand.tolist()[seat], state.shipments.tolist()[seat]


def check_viewer(viewer: object, players: int) -> None:
    """Refuses whoever neither has a seat nor is a SPECTATOR.

    Raises:
        SetupError: there is no such seat.
    """
    if not is_whole(viewer, 0, players - 1) and not is_whole(viewer, SPECTATOR, SPECTATOR):
        raise SetupError(f"{quoted(viewer)} is no seat: expected 0 to {players - 1}, or SPECTATOR")


def determinize(observation: State, rng: Generator) -> State:
    """A state that an observation's viewer may imagine, drawn uniformly from all of them.

    Every hidden card of the pool of unseen cards is as likely in every hidden place that can hold
    it. The result's observation for the same viewer is the observation again.
    """
    states = states_from_bytes(observation.tobytes())
    fill(fields_of(states), rng)
    return cast("State", states[0])


@jitable
def hide(state: State, viewer: int) -> None:
    """Makes a state what a viewer may know of it."""
    state.viewer = viewer
    for seat in range(state.players):
        if seat == viewer:
            continue
        kinds = int(state.hand_kinds[seat])
        for card in range(KINDS):
            if kinds >> card & 1:
                state.draw_pile[card] += state.hand[seat, card]
                state.hand[seat, card] = 0
        state.hand_kinds[seat] = 0
        if hides_shipments(state, viewer, seat):
            for shipment in range(SHIPPING_ROUNDS):
                card = state.shipments[seat, shipment]
                if card >= 0:
                    state.draw_pile[card] += 1
                    state.shipments[seat, shipment] = UNKNOWN


@jitable
def hides_shipments(state: State, viewer: int, seat: int) -> bool:
    """Whether a viewer may not know which cards a seat has shipped."""
    return bool((seat != viewer) & (state.stage != OVER))


@jitable
def fill(state: State, rng: Generator) -> None:
    """Makes an observation a state its viewer may imagine: `determinize` in place."""
    viewer = state.viewer
    if viewer == ALL_KNOWING:
        return
    fill_hidden_places(state, rng)
    while state.recipient == JAKOB and merchants_alone(state):
        hide(state, viewer)  # Jakob is owed a good, so there must be one to be had
        fill_hidden_places(state, rng)
    state.viewer = ALL_KNOWING


@jitable
def fill_hidden_places(state: State, rng: Generator) -> None:
    """Draws hidden shipments, then hidden hands from the pool; the rest is the draw pile.

    Shipments come first since they hold goods only: so every way to place the cards is as likely.
    """
    pool = 0
    for card in range(KINDS):
        pool += state.draw_pile[card]
    for seat in range(state.players):
        for shipment in range(SHIPPING_ROUNDS):
            if state.shipments[seat, shipment] == UNKNOWN:
                goods = pool - state.draw_pile[MERCHANT]
                state.shipments[seat, shipment] = take_from_pool(state.draw_pile, below(rng, goods))
                pool -= 1
    for seat in range(state.players):
        if seat == state.viewer:
            continue
        for _ in range(state.hand_size[seat]):
            card = take_from_pool(state.draw_pile, below(rng, pool))
            state.hand[seat, card] += 1
            state.hand_kinds[seat] |= 1 << card
            pool -= 1


@jitable
def take_from_pool(pool: NDArray[np.int16], index: int) -> int:
    """Takes the card at an index of a pool, whose cards lie in the order of their numbers."""
    card = 0
    while index >= pool[card]:
        index -= pool[card]
        card += 1
    pool[card] -= 1
    return card


@jitable
def merchants_alone(state: State) -> bool:
    """Whether the two piles hold no good."""
    goods = 0
    for card in range(GOOD_KINDS):
        goods += state.draw_pile[card] + state.discard_pile[card]
    return goods == 0
