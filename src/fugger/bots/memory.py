"""What a seat remembers: which hidden cards were held since before the discard pile was turned.

An observation says which cards its viewer hasn't seen, not where they can be. Whoever was there
knows more. When the discard pile becomes the draw pile, its cards are known to all; so all other
unseen cards are in hands and shipments at that moment, the *kept* cards, and none of them is drawn
before it has been played. With two players that is the whole hand of the other.

Later it isn't always certain whether a card that left a hand was kept or drawn since; then the
likelier of the two is taken for true. A memory is an element of an array of dtype `MEMORY`:

=============  =======  =====================================================================
field          shape    meaning
=============  =======  =====================================================================
kept           (11,)    number of each kept card that hasn't been seen since
in_hand        (4,)     how many of them are in each other player's hand
in_shipment    (4, 2)   1 for each hidden shipment that is one of them
=============  =======  =====================================================================

`kept` has as many cards as the other two have places for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

import numpy as np

from fugger.cards import CARD_TEXTS, GOOD_KINDS, KINDS, MERCHANT
from fugger.chance import Generator, below
from fugger.compiled import called, entry, jitable
from fugger.rules.actions import ACTION_TEXTS, PASS, PLAY, SHIP
from fugger.rules.information import hide, take_from_pool
from fugger.rules.play import apply, deal
from fugger.rules.state import (
    ALL_KNOWING,
    JAKOB,
    MAX_PLAYERS,
    SHIPPING_ROUNDS,
    UNKNOWN,
    State,
    States,
    empty_states,
    new_states,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from fugger.game import Game

MEMORY: Final = np.dtype(
    (
        np.record,
        [
            ("kept", np.int16, (KINDS,)),
            ("in_hand", np.int16, (MAX_PLAYERS,)),
            ("in_shipment", np.int16, (MAX_PLAYERS, SHIPPING_ROUNDS)),
        ],
    )
)
"""The layout of a memory."""

DEALT: Final = 32
"""Among the events of a past an action is its number, and DEALT + card a card dealt."""

_PARTS: Final = 1 << 24
"""A draw by guesses is as fine as this."""
_TOKEN_EVENTS: Final = {text: number for number, text in enumerate(ACTION_TEXTS)}
_CARD_EVENTS: Final = {text: DEALT + number for number, text in enumerate(CARD_TEXTS)}


class Memory(Protocol):
    """What type checkers know of a memory: an ``np.record`` of dtype `MEMORY`."""

    kept: NDArray[np.int16]
    in_hand: NDArray[np.int16]
    in_shipment: NDArray[np.int16]


Memories: TypeAlias = Any
"""An array of dtype `MEMORY`."""


def no_memories(number: int = 1) -> Memories:
    """An array of memories of nothing."""
    return np.zeros(number, MEMORY)


class Past:
    """What has happened in a game, for a seat: it gives away only what that seat remembers.

    Args:
        start: an array of one state, the game before its first card.
        events: what has happened since, as numbers (see `DEALT`).
        seat: whose past it is.
    """

    def __init__(self, start: States, events: Iterable[int], seat: int) -> None:
        self._start = start
        self._events = events
        self._seat = seat

    @classmethod
    def of(cls, game: Game, seat: int) -> Past:
        """What has happened in a game, for a seat."""
        start = new_states(game.edition, game.players, game.first, game.target)
        return cls(start, [event_of(token) for token in game.tokens], seat)

    def memories(self) -> Memories:
        """What the seat remembers: an array of one, made of its observations alone."""
        memories = no_memories()
        events = np.array(list(self._events), np.int64)
        recall(self._start, empty_states(4), events, self._seat, memories)
        return memories


def event_of(token: str) -> int:
    """The number of an event in a record's notation."""
    return _TOKEN_EVENTS[token] if token in _TOKEN_EVENTS else _CARD_EVENTS[token[2:]]


@entry
def recall(
    start: States, states: States, events: NDArray[np.int64], viewer: int, memories: Memories
) -> None:
    """Plays a past again, and remembers of it what a viewer can.

    Args:
        start: the game before its first card.
        states: four states to work on.
        events: what happened.
        viewer: the seat that remembers.
        memories: an array of one memory of nothing, changed in place.
    """
    states[0] = start[0]
    for event in events:
        states[1] = states[0]
        if event < DEALT:
            apply(states[0], event)
        else:
            deal(states[0], event - DEALT)
        states[2] = states[1]
        hide(states[2], viewer)
        states[3] = states[0]
        hide(states[3], viewer)
        remember(memories[0], states[2], states[3], event)


@jitable
def remember(memory: Memory, before: State, after: State, event: int) -> None:
    """What a viewer remembers after an event.

    Args:
        memory: the viewer's, changed in place.
        before: the viewer's observation before the event.
        after: the one after it.
        event: its number. Which card another player was dealt, or shipped, isn't looked at.
    """
    seen = -1
    if event >= DEALT:
        if before.recipient in {JAKOB, before.viewer}:
            seen = event - DEALT
        turned = after.draw_size >= before.draw_size
    else:
        turned = after.draw_size > before.draw_size
        if before.player != before.viewer:
            if PLAY <= event < SHIP:
                seen = event - PLAY
                card_played(memory, before, seen)
            elif SHIP <= event < PASS:
                card_shipped(memory, before)
    if turned:
        pile_turned(memory, before, after, seen)


@jitable
def pile_turned(memory: Memory, before: State, after: State, seen: int) -> None:
    """The discard pile became the draw pile: whatever else is unseen is kept."""
    for card in range(KINDS):
        memory.kept[card] = before.draw_pile[card]
    if seen >= 0:
        memory.kept[seen] -= 1
    for seat in range(MAX_PLAYERS):
        memory.in_hand[seat] = 0 if seat == before.viewer else after.hand_size[seat]
        for shipment in range(SHIPPING_ROUNDS):
            memory.in_shipment[seat, shipment] = after.shipments[seat, shipment] == UNKNOWN


@jitable
def card_played(memory: Memory, before: State, card: int) -> None:
    """Another player's card was played: kept or drawn since, whichever is likelier."""
    seat = before.player
    kept = int(memory.in_hand[seat])
    if kept == 0:
        return
    drawn = int(before.hand_size[seat]) - kept
    fresh = int(before.draw_pile[card]) - int(memory.kept[card])
    if drawn > 0 and fresh > 0:
        all_kept, unseen = 0, 0
        for kind in range(KINDS):
            all_kept += int(memory.kept[kind])
            unseen += int(before.draw_pile[kind])
        if drawn * fresh * all_kept > kept * int(memory.kept[card]) * (unseen - all_kept):
            return
    if memory.kept[card] == 0:
        forget(memory)  # something taken for true wasn't
        return
    memory.kept[card] -= 1
    memory.in_hand[seat] -= 1


@jitable
def card_shipped(memory: Memory, before: State) -> None:
    """Another player shipped a card nobody else saw: likely one of the more numerous kind."""
    seat = before.player
    kept = int(memory.in_hand[seat])
    if kept == 0 or 2 * kept < before.hand_size[seat]:
        return
    goods = 0
    for card in range(GOOD_KINDS):
        goods += int(memory.kept[card])
    for other in range(MAX_PLAYERS):
        for shipment in range(SHIPPING_ROUNDS):
            goods -= int(memory.in_shipment[other, shipment])
    if goods > 0:
        memory.in_hand[seat] -= 1
        memory.in_shipment[seat, before.round_number - 1] = 1
    elif kept == before.hand_size[seat]:
        forget(memory)  # something taken for true wasn't


@jitable
def check(memory: Memory, observation: State) -> None:
    """Forgets a memory that doesn't fit an observation of its viewer, whose turn it is."""
    kept, kept_goods, goods = 0, 0, 0
    for card in range(KINDS):
        if memory.kept[card] > observation.draw_pile[card]:
            forget(memory)
            return
        kept += int(memory.kept[card])
        if card != MERCHANT:
            kept_goods += int(memory.kept[card])
            goods += int(observation.draw_pile[card])
    for seat in range(observation.players):
        kept -= int(memory.in_hand[seat])
        for shipment in range(SHIPPING_ROUNDS):
            if memory.in_shipment[seat, shipment]:
                kept -= 1
                kept_goods -= 1
                goods -= 1
            elif observation.shipments[seat, shipment] == UNKNOWN:
                goods -= 1
    # The goods that shipments drawn since are made of must be among the cards not kept.
    if kept != 0 or kept_goods < 0 or goods < kept_goods:
        forget(memory)


@jitable
def fill_from_memory(
    state: State, memory: Memory, guessing: int, guesses: NDArray[np.float32], rng: Generator
) -> None:
    """Makes an observation a state its viewer may imagine, kept cards in the places they are in.

    Args:
        state: an observation of the viewer, whose turn it is; changed in place.
        memory: what the viewer remembers, after `check`; used up.
        guessing: 1 to go by the guesses; 0: every card is as likely.
        guesses: how much likelier than elsewhere each card is in each seat's hand and shipments;
            see `fugger.bots.networks.Sight`.
        rng: draws.
    """
    if state.viewer == ALL_KNOWING:
        return
    kept, pool = 0, 0
    for card in range(KINDS):
        kept += int(memory.kept[card])
        pool += int(state.draw_pile[card])
        state.draw_pile[card] -= memory.kept[card]
    pool -= kept
    # Shipments first, since they hold goods only.
    for seat in range(state.players):
        for shipment in range(SHIPPING_ROUNDS):
            if state.shipments[seat, shipment] != UNKNOWN:
                continue
            if memory.in_shipment[seat, shipment]:
                goods = kept - int(memory.kept[MERCHANT])
                card = take(memory.kept, goods, guessing, guesses[1, seat], rng)
                kept -= 1
            else:
                goods = pool - int(state.draw_pile[MERCHANT])
                card = take(state.draw_pile, goods, guessing, guesses[1, seat], rng)
                pool -= 1
            state.shipments[seat, shipment] = card
    for seat in range(state.players):
        if seat == state.viewer:
            continue
        for place in range(state.hand_size[seat]):
            if place < memory.in_hand[seat]:
                card = take(memory.kept, kept, guessing, guesses[0, seat], rng)
                kept -= 1
            else:
                card = take(state.draw_pile, pool, guessing, guesses[0, seat], rng)
                pool -= 1
            state.hand[seat, card] += 1
            state.hand_kinds[seat] |= 1 << card
    state.viewer = ALL_KNOWING


@called
def take(
    pool: NDArray[np.int16], size: int, guessing: int, guess: NDArray[np.float32], rng: Generator
) -> int:
    """Takes one of the first `size` cards of a pool, each as likely or as a guess has it."""
    if not guessing:
        return take_from_pool(pool, below(rng, size))
    total = np.float32(0)
    for card in range(KINDS):
        total += np.float32(pool[card]) * guess[card]
    left = total * np.float32(below(rng, _PARTS) / _PARTS)
    taken = -1
    for card in range(KINDS):
        if pool[card] > 0 and guess[card] > 0:
            taken = card
            left -= np.float32(pool[card]) * guess[card]
            if left < 0:
                break
    pool[taken] -= 1
    return taken


@jitable
def forget(memory: Memory) -> None:
    """Back to what an observation says by itself."""
    for card in range(KINDS):
        memory.kept[card] = 0
    for seat in range(MAX_PLAYERS):
        memory.in_hand[seat] = 0
        for shipment in range(SHIPPING_ROUNDS):
            memory.in_shipment[seat, shipment] = 0
