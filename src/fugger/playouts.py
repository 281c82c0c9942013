"""Playouts: whole games of random actions, compiled; and the fast dealer of every simulation.

The dealer keeps the draw pile's cards in an array, the *deck*, and deals one of them at random.
It is filled from the state when it has run out, so that it needs to hear of nothing else.

=========  ==============================================================================
deck       meaning
=========  ==============================================================================
0          cards left
1, 2, …    those cards, in no order; behind them room for `_STRIDE` more
=========  ==============================================================================
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from fugger.cards import KINDS
from fugger.chance import Generator, below
from fugger.compiled import entry, jitable
from fugger.rules.actions import DRAW, PLAY, SHIP, legal_actions
from fugger.rules.play import apply, deal
from fugger.rules.state import NOBODY, OVER, State, States, empty_states

if TYPE_CHECKING:
    from numpy.typing import NDArray

Deck: TypeAlias = "NDArray[np.uint16]"
_PLACE: Final = (1 << 16) - 1
"""The bits of a place in a deck; see `fugger.rules.state.ANY_SEAT`."""
_STRIDE: Final = 8
"""Cards put into a deck at a time: no kind of the box that is sold has more."""


@dataclass(frozen=True, slots=True)
class Totals:
    """What some games came to, all together.

    Attributes:
        games: games played.
        steps: decisions made.
        rounds: rounds played.
        money: gulden of all seats at the end.
    """

    games: int
    steps: int
    rounds: int
    money: int


def play_out(start: States, games: int, rng: Generator) -> Totals:
    """Plays games to their end, everyone taking each legal action with the same probability.

    Args:
        start: an array of one state, before the first card is dealt.
        games: how many.
        rng: the generator that deals and decides.
    """
    totals = np.zeros(3, np.int64)
    random_playouts(start, empty_states(1), new_deck(start[0]), games, rng, totals)
    return Totals(games, *totals.tolist())


@entry
def random_playouts(  # noqa: PLR0913, PLR0917 (whoever calls it provides all memory)
    start: States,
    scratch: States,
    deck: Deck,
    games: int,
    rng: Generator,
    totals: NDArray[np.int64],
) -> None:
    """Plays games from a state to their end, in `scratch`; adds to `totals` what they came to.

    That is steps, rounds and money, as in `Totals`.
    """
    state = scratch[0]
    steps = rounds = money = 0
    for _ in range(games):
        scratch[0] = start[0]
        deck[0] = 0
        while state.stage != OVER:
            if state.recipient != NOBODY:
                deal(state, next_of_deck(state, rng, deck))
            else:
                apply(state, one_of(legal_actions(state), rng))
                steps += 1
        rounds += state.round_number
        for seat in range(state.players):
            money += state.money[seat]
    totals[0] += steps
    totals[1] += rounds
    totals[2] += money


def new_deck(state: State) -> Deck:
    """A deck that has run out, with room for a state's box before its first card is dealt."""
    return np.zeros(1 + state.draw_size + _STRIDE, np.uint16)


def new_deck_for(observation: State) -> Deck:
    """A deck that has run out, with room for all cards of an observation that aren't played."""
    pool = int(np.sum(observation.draw_pile)) + int(np.sum(observation.discard_pile))
    table = int(np.sum(observation.tableau)) + int(np.sum(observation.jakob))
    shipped = observation.shipments.size
    return np.zeros(1 + pool + table + int(np.sum(observation.hand)) + shipped + _STRIDE, np.uint16)


@jitable
def next_of_deck(state: State, rng: Generator, deck: Deck) -> int:
    """The next card to deal: any card of the draw pile, each as likely. The rules must deal it."""
    if deck[0] == 0:
        fill(deck, state)
    left = int(deck[0])
    place = 1 + below(rng, left)
    card = int(deck[place])
    deck[place] = deck[left]
    deck[0] = left - 1
    return card


@jitable
def fill(deck: Deck, state: State) -> None:
    """Puts the draw pile's cards into a deck that has run out."""
    left = 0
    for card in range(KINDS):
        last = left + int(state.draw_pile[card])
        # A stride more or less than needed, which the next kind overwrites, is quicker than
        # loops of lengths that can't be foreseen.
        while True:
            first = 1 + (left & _PLACE)
            for place in range(first, first + _STRIDE):
                deck[place] = card
            left += _STRIDE
            if left >= last:
                break
        left = last
    deck[0] = left


@jitable
def one_of(actions: int, rng: Generator) -> int:
    """One action of a bit set, each as likely."""
    index = below(rng, ones(actions)) - (actions >> DRAW & 1)
    if index < 0:
        return DRAW
    plays = actions >> PLAY & _PLAYS
    if index < ones(plays):
        return PLAY + nth_one(plays, index)
    return SHIP + nth_one(actions >> SHIP, index - ones(plays))


@jitable
def ones(mask: int) -> int:
    """How many bits are set. The compiler knows this loop: it becomes one instruction."""
    number = 0
    while mask != 0:
        mask &= mask - 1
        number += 1
    return number


@jitable
def nth_one(mask: int, index: int) -> int:
    """Which of 11 bits is the one set at an index, counted from the lowest."""
    return int(_PLACES[mask]) >> 4 * index & 15


def _places() -> NDArray[np.int64]:
    """Of every set of 11 bits the places of those set, four bits each."""
    places = np.zeros(1 << _BITS, np.int64)
    for mask in range(1 << _BITS):
        members = [bit for bit in range(_BITS) if mask >> bit & 1]
        places[mask] = sum(bit << 4 * index for index, bit in enumerate(members))
    return places


_BITS: Final = SHIP - PLAY
_PLAYS: Final = (1 << _BITS) - 1
_PLACES: Final = _places()
