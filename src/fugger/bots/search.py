"""Information-set Monte-Carlo tree search, compiled: one tree over what a seat can tell apart.

The single-observer search of Cowling, Powley and Whitehouse ("Information Set Monte Carlo Tree
Search", 2012). Every simulation imagines the cards its observer doesn't see, goes down the tree by
the actions that are legal among these, adds a node, plays on to a horizon and counts on the way
back what every mover got. An action's upper confidence bound looks at how often it was *available*,
not at how often its node was visited.

Cards dealt are no part of the tree: a node stands for a row of actions, whatever was dealt between
them. Nor are cards that others ship, which their observer can't tell apart: for another player all
shipments are one edge, and any of the goods is shipped.

A search may be *led* by networks (`fugger.bots.networks`): then actions are taken in the order of
how likely they are, a new node's worth is what a network thinks of it, and nothing is played on.
"""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from fugger.bots.memory import Memories, check, fill_from_memory
from fugger.bots.network import Sight, new_sight
from fugger.bots.networks import Networks, write_chances, write_guesses, write_shares
from fugger.bots.simple import greedy, uniform
from fugger.bots.tree import (
    AVAILABLE,
    CHILD,
    COLUMNS,
    ITSELF,
    REWARD,
    VISITS,
    WHOLE,
    WIDTH,
    choose_edge,
    choose_likely_edge,
    new_node,
)
from fugger.cards import GOOD_KINDS
from fugger.compiled import entry, jitable
from fugger.playouts import Deck, next_of_deck, one_of
from fugger.rules.actions import SHIP, legal_actions
from fugger.rules.evaluation import winners
from fugger.rules.play import apply
from fugger.rules.play import deal as deal_card
from fugger.rules.state import MAX_PLAYERS, NOBODY, OVER, State, States, empty_states

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fugger.chance import Generator

DEPTH: Final = 64
"""Actions at most from the root to a leaf."""
_REWARDS: Final = 2 * DEPTH
NUMBERS: Final = _REWARDS + MAX_PLAYERS
"""Length of `Room.numbers`."""

PLAYOUTS: Final = 0
"""Setting: playouts take any legal action (RANDOM), follow `greedy` (GREEDY), or networks lead the
search (LED)."""
ROUNDS: Final = 1
"""Setting: playouts stop after so many round ends, and guess who wins; 0: they go to the end."""
GUESSES: Final = 2
"""Setting: hidden cards are imagined as a network guesses them (1), or uniformly (0)."""
SETTINGS: Final = 3

RANDOM: Final = 0
GREEDY: Final = 1
LED: Final = 2

_SHIPMENTS: Final = (1 << GOOD_KINDS) - 1 << SHIP

# Who wins is guessed from what everybody has when a round begins. The weights are those of a
# logistic regression over a million rounds that greedy played with itself, in gulden.

_CARD: Final = 3
"""A card in hand is worth so much,"""
_STARTING: Final = 2
"""and beginning the round so much."""
_FEWEST: Final = 8
"""A lead of so many gulden makes one e times as likely to win when somebody is at the target;"""
_PER_GULDEN: Final = 12
"""and for so many gulden that the leader still needs, it takes one more."""
_STEPS: Final = 16
_POWERS: Final = np.array([exp(-step / _STEPS) for step in range(16 * _STEPS)])

_WIN: Final = 0.9
"""How much of a game's reward is for winning it; the rest is for the margin."""

_FOREVER: Final = 1 << 14
"""More rounds than a game has."""


class Room(NamedTuple):
    """The memory a search works in.

    Attributes:
        tree: see `fugger.bots.tree`. When it is full, its leaves grow no more.
        chances: how likely each of its actions is, by row.
        size: an array of one: the number of nodes; 0 to begin a new tree.
        states: an array of one state.
        deck: see `fugger.playouts`.
        numbers: `DEPTH` rows' places, then their movers, then a reward for each seat.
        sight: what networks work in.
    """

    tree: NDArray[np.int32]
    chances: NDArray[np.float32]
    size: NDArray[np.int64]
    states: States
    deck: Deck
    numbers: NDArray[np.int64]
    sight: Sight


def new_room(deck: Deck, nodes: int) -> Room:
    """Memory for searches with a tree of so many nodes."""
    return Room(
        np.empty((nodes * WIDTH, COLUMNS), np.int32),
        np.empty(nodes * WIDTH, np.float32),
        np.zeros(1, np.int64),
        empty_states(1),
        deck,
        np.zeros(NUMBERS, np.int64),
        new_sight(),
    )


@entry
def search(  # noqa: PLR0913, PLR0917 (whoever calls it provides all memory)
    observations: States,
    memories: Memories,
    simulations: int,
    settings: NDArray[np.int64],
    networks: Networks,
    rng: Generator,
    room: Room,
) -> None:
    """Makes simulations; those of several calls grow one tree.

    Args:
        observations: an array of one observation, of the seat whose turn it is.
        memories: an array of two: what that seat remembers, and one to work on.
        simulations: how many.
        settings: see `PLAYOUTS`, `ROUNDS` and `GUESSES`.
        networks: what leads and guesses, if the settings say so.
        rng: imagines, deals and decides.
        room: to work in.
    """
    if room.size[0] == 0:
        check(memories[0], observations[0])
        new_node(room.tree, room.size)
        if settings[GUESSES]:
            room.states[0] = observations[0]  # other threads read the observation itself
            write_guesses(room.states[0], networks.guess, room.sight)
    for _ in range(simulations):
        room.states[0] = observations[0]
        memories[1] = memories[0]
        guesses = room.sight.guesses
        fill_from_memory(room.states[0], memories[1], settings[GUESSES], guesses, rng)
        room.deck[0] = 0
        simulate(settings, networks, rng, room)


@jitable
def simulate(settings: NDArray[np.int64], networks: Networks, rng: Generator, room: Room) -> None:
    """One simulation of a state that has been imagined: goes down the tree, plays on, counts."""
    state, tree, numbers = room.states[0], room.tree, room.numbers
    observer = state.player
    led = settings[PLAYOUTS] == LED
    horizon = _FOREVER
    if settings[ROUNDS] > 0 and not led:
        horizon = state.round_number + settings[ROUNDS]
    node, depth = 0, 0
    while goes_on(state, horizon) and depth < DEPTH:
        legal = legal_actions(state)
        mover = state.player
        edges = legal
        if mover != observer and legal & _SHIPMENTS:
            edges = legal & ~_SHIPMENTS | 1 << SHIP
        first = node * WIDTH
        if led:
            learn_chances(state, legal, edges, networks, room, first)
            edge, new = choose_likely_edge(tree, first, edges, room.chances)
        else:
            edge, new = choose_edge(tree, first, edges, rng)
        place = first + edge
        numbers[depth] = place
        numbers[DEPTH + depth] = mover
        depth += 1
        if mover != observer and edge == SHIP:
            edge = one_of(legal & _SHIPMENTS, rng)
        apply(state, edge)
        deal_owed(state, rng, room.deck)
        if new:
            break
        if tree[place, CHILD] == 0:
            if (room.size[0] + 1) * WIDTH > len(tree):
                break
            tree[place, CHILD] = room.size[0]
            new_node(tree, room.size)
        node = int(tree[place, CHILD])
    if led and state.stage != OVER:
        write_shares(state, networks.value, room.sight, WHOLE, numbers[_REWARDS:])
    else:
        play_on(state, horizon, int(settings[PLAYOUTS]), rng, room.deck)
        reward(state, numbers)
    count(tree, numbers, depth, led)


@jitable
def learn_chances(  # noqa: PLR0913, PLR0917 (see above)
    state: State, legal: int, edges: int, networks: Networks, room: Room, first: int
) -> None:
    """Has a network say how likely edges are that a node hasn't met before."""
    itself = first + ITSELF
    unknown = edges & ~int(room.tree[itself, AVAILABLE])
    if unknown != 0:
        chances = room.chances[first : first + WIDTH]
        write_chances(state, legal, unknown, networks.policy, room.sight, chances)
        room.tree[itself, AVAILABLE] |= unknown


@jitable
def count(tree: NDArray[np.int32], numbers: NDArray[np.int64], depth: int, led: bool) -> None:
    """Counts a simulation at all edges it took: what their movers got."""
    for step in range(depth):
        place = numbers[step]
        got = numbers[_REWARDS + numbers[DEPTH + step]]
        tree[place, VISITS] += 1
        tree[place, REWARD] += got
        if led:
            itself = place - place % WIDTH + ITSELF
            tree[itself, VISITS] += 1
            tree[itself, REWARD] += got


@jitable
def play_on(state: State, horizon: int, guided: int, rng: Generator, deck: Deck) -> None:
    """Plays on to the end of a playout, by the greedy policy or at random.

    One loop for cards and actions is a third faster than a loop of cards inside one of actions,
    and one for each policy a twentieth faster than one that asks which.
    """
    if guided:
        while state.recipient != NOBODY or goes_on(state, horizon):
            if state.recipient != NOBODY:
                deal_card(state, next_of_deck(state, rng, deck))
            else:
                apply(state, greedy(state, rng))
    else:
        while state.recipient != NOBODY or goes_on(state, horizon):
            if state.recipient != NOBODY:
                deal_card(state, next_of_deck(state, rng, deck))
            else:
                apply(state, uniform(state, rng))


@jitable
def goes_on(state: State, horizon: int) -> bool:
    """Whether a playout hasn't come to its end."""
    return bool((state.stage != OVER) & (state.round_number < horizon))


@jitable
def deal_owed(state: State, rng: Generator, deck: Deck) -> None:
    """Deals whatever is owed."""
    while state.recipient != NOBODY:
        deal_card(state, next_of_deck(state, rng, deck))


@jitable
def reward(state: State, numbers: NDArray[np.int64]) -> None:
    """What every seat gets, at the end of `numbers`: its part of `WHOLE`.

    At the end of a game that is a part of the win, and a little for being close to it; before the
    end, how likely the seat seems to win.
    """
    over = state.stage == OVER
    won, winning, most = winners(state), 0, 0
    for seat in range(state.players):
        worth = int(state.money[seat])
        if not over:
            worth += _CARD * int(state.hand_size[seat])
            worth += _STARTING if seat == state.starter else 0
        numbers[_REWARDS + seat] = worth
        most = max(most, worth)
        winning += won >> seat & 1
    needed = 0 if over else max(0, int(state.target) - most)
    unit = _FEWEST + needed // _PER_GULDEN
    total = 0.0
    for seat in range(state.players):
        total += part(most - numbers[_REWARDS + seat], unit)
    for seat in range(state.players):
        likely = part(most - numbers[_REWARDS + seat], unit) / total
        if over:
            likely = _WIN * (won >> seat & 1) / winning + (1 - _WIN) * likely
        numbers[_REWARDS + seat] = int(WHOLE * likely)


@jitable
def part(behind: int, unit: int) -> float:
    """How likely one wins who is so many gulden behind the first: e times less for each unit."""
    return float(_POWERS[min(_STEPS * behind // unit, len(_POWERS) - 1)])
