"""Information-set Monte-Carlo tree search, compiled: one tree over what a seat can tell apart.

The single-observer search of Cowling, Powley and Whitehouse ("Information Set Monte Carlo Tree
Search", 2012). Every simulation imagines the cards its observer doesn't see, goes down the tree by
the actions that are legal among these, adds a node, plays on to a horizon and counts on the way
back what every mover got. An action's upper confidence bound looks at how often it was *available*,
not at how often its node was visited.

Cards dealt are no part of the tree: a node stands for a row of actions, whatever was dealt between
them. Nor are cards that others ship, which their observer can't tell apart: for another player all
shipments are one edge, and any of the goods is shipped.

The tree is a table of whole numbers, so that the same seed gives the same action everywhere:
`WIDTH` rows for each node, one for each action.

==========  =========================================================================
column      meaning
==========  =========================================================================
VISITS      simulations that took the action here
AVAILABLE   simulations that could have taken it
REWARD      what they brought the player who took it; a game won is `WHOLE`
CHILD       the node it leads to, 0 if there is none yet
==========  =========================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from fugger.bots.memory import Memories, check, fill_from_memory
from fugger.bots.simple import greedy, uniform
from fugger.cards import GOOD_KINDS
from fugger.compiled import entry, jitable
from fugger.playouts import Deck, next_of_deck, one_of, ones
from fugger.rules.actions import SHIP, legal_actions
from fugger.rules.evaluation import winners
from fugger.rules.play import apply
from fugger.rules.play import deal as deal_card
from fugger.rules.state import MAX_PLAYERS, NOBODY, OVER, State, States

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fugger.chance import Generator

VISITS: Final = 0
AVAILABLE: Final = 1
REWARD: Final = 2
CHILD: Final = 3
COLUMNS: Final = 4

WIDTH: Final = 24
"""Rows of a node; the last is unused."""
DEPTH: Final = 64
"""Actions at most from the root to a leaf."""
WHOLE: Final = 4096
"""What a game won alone brings."""

GREEDY: Final = 0
"""Setting: playouts follow `greedy` (1) or take any legal action (0)."""
ROUNDS: Final = 1
"""Setting: playouts stop after so many round ends, and guess who wins; 0: they go to the end."""
SETTINGS: Final = 2

_EXPLORATION: Final = 0.5
"""The weight of the upper confidence bound's second term; a game won is 1."""
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
_POWERS: Final = np.exp(-np.arange(16 * _STEPS) / _STEPS)

_WIN: Final = 0.9
"""How much of a game's reward is for winning it; the rest is for the margin."""

_FEW: Final = 1 << 13
_LOGARITHMS: Final = np.log(np.maximum(1, np.arange(_FEW)))


@entry
def search(  # noqa: PLR0913, PLR0917 (whoever calls it provides all memory)
    observations: States,
    memories: Memories,
    simulations: int,
    settings: NDArray[np.int64],
    rng: Generator,
    tree: NDArray[np.int32],
    size: NDArray[np.int64],
    states: States,
    deck: Deck,
    numbers: NDArray[np.int64],
) -> None:
    """Makes simulations; those of several calls grow one tree.

    Args:
        observations: an array of one observation, of the seat whose turn it is.
        memories: an array of two: what that seat remembers, and one to work on.
        simulations: how many.
        settings: see `GREEDY` and `ROUNDS`.
        rng: imagines, deals and decides.
        tree: room for the tree. When it is full, its leaves grow no more.
        size: an array of one: the number of nodes; 0 to begin a new tree.
        states: an array of one state to work on.
        deck: to work on; see `fugger.playouts`.
        numbers: `DEPTH` rows' places, then their movers, then a reward for each seat, to work on.
    """
    if size[0] == 0:
        check(memories[0], observations[0])
        new_node(tree, size)
    for _ in range(simulations):
        simulate(observations, memories, settings, rng, tree, size, states, deck, numbers)


@jitable
def simulate(  # noqa: PLR0913, PLR0917 (see above)
    observations: States,
    memories: Memories,
    settings: NDArray[np.int64],
    rng: Generator,
    tree: NDArray[np.int32],
    size: NDArray[np.int64],
    states: States,
    deck: Deck,
    numbers: NDArray[np.int64],
) -> None:
    """One simulation: imagines, goes down the tree, plays on, counts."""
    states[0] = observations[0]
    memories[1] = memories[0]
    state = states[0]
    observer = state.player
    fill_from_memory(state, memories[1], rng)
    deck[0] = 0
    horizon = state.round_number + settings[ROUNDS] if settings[ROUNDS] > 0 else 1 << 14
    node, depth = 0, 0
    while goes_on(state, horizon) and depth < DEPTH:
        legal = legal_actions(state)
        mover = state.player
        edges = legal
        if mover != observer and legal & _SHIPMENTS:
            edges = legal & ~_SHIPMENTS | 1 << SHIP
        edge, new = choose_edge(tree, node * WIDTH, edges, rng)
        place = node * WIDTH + edge
        numbers[depth] = place
        numbers[DEPTH + depth] = mover
        depth += 1
        if mover != observer and edge == SHIP:
            edge = one_of(legal & _SHIPMENTS, rng)
        apply(state, edge)
        deal_owed(state, rng, deck)
        if new:
            break
        if tree[place, CHILD] == 0:
            if (size[0] + 1) * WIDTH > len(tree):
                break
            tree[place, CHILD] = size[0]
            new_node(tree, size)
        node = int(tree[place, CHILD])
    play_on(state, horizon, int(settings[GREEDY]), rng, deck)
    reward(state, numbers)
    for step in range(depth):
        place = numbers[step]
        tree[place, VISITS] += 1
        tree[place, REWARD] += numbers[2 * DEPTH + numbers[DEPTH + step]]


@jitable
def play_on(state: State, horizon: int, guided: int, rng: Generator, deck: Deck) -> None:
    """Plays on to the end of a playout, by the greedy policy or at random.

    One loop for cards and actions is a third faster than a loop of cards inside one of actions.
    """
    while True:
        if state.recipient != NOBODY:
            deal_card(state, next_of_deck(state, rng, deck))
        elif not goes_on(state, horizon):
            break
        elif guided:
            apply(state, greedy(state, rng))
        else:
            apply(state, uniform(state, rng))


@jitable
def goes_on(state: State, horizon: int) -> bool:
    """Whether a playout hasn't come to its end."""
    return bool((state.stage != OVER) & (state.round_number < horizon))


@jitable
def new_node(tree: NDArray[np.int32], size: NDArray[np.int64]) -> None:
    """Adds a node that nobody has been to."""
    first = size[0] * WIDTH
    for place in range(first, first + WIDTH):
        for column in range(COLUMNS):
            tree[place, column] = 0
    size[0] += 1


@jitable
def choose_edge(
    tree: NDArray[np.int32], first: int, edges: int, rng: Generator
) -> tuple[int, bool]:
    """The edge to take from the node whose rows begin at `first`; whether it is a new one.

    Each new one is as likely. When there is none, the one with the highest upper confidence bound.
    """
    new, best, highest = 0, 0, -1.0
    left = edges
    while left != 0:
        edge = ones((left & -left) - 1)
        left &= left - 1
        place = first + edge
        tree[place, AVAILABLE] += 1
        visits = tree[place, VISITS]
        if visits == 0:
            new |= 1 << edge
        elif new == 0:
            part_of_one = 1.0 / visits
            available = tree[place, AVAILABLE]
            log = _LOGARITHMS[available] if available < _FEW else np.log(available)
            mean = tree[place, REWARD] * part_of_one / WHOLE
            bound = mean + _EXPLORATION * np.sqrt(log * part_of_one)
            if bound > highest:
                best, highest = edge, bound
    if new != 0:
        return one_of(new, rng), True
    return best, False


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
        numbers[2 * DEPTH + seat] = worth
        most = max(most, worth)
        winning += won >> seat & 1
    needed = 0 if over else max(0, int(state.target) - most)
    unit = _FEWEST + needed // _PER_GULDEN
    total = 0.0
    for seat in range(state.players):
        total += part(most - numbers[2 * DEPTH + seat], unit)
    for seat in range(state.players):
        likely = part(most - numbers[2 * DEPTH + seat], unit) / total
        if over:
            likely = _WIN * (won >> seat & 1) / winning + (1 - _WIN) * likely
        numbers[2 * DEPTH + seat] = int(WHOLE * likely)


@jitable
def part(behind: int, unit: int) -> float:
    """How likely one wins who is so many gulden behind the first: e times less for each unit."""
    return float(_POWERS[min(_STEPS * behind // unit, len(_POWERS) - 1)])


NUMBERS: Final = 2 * DEPTH + MAX_PLAYERS
"""Length of the array of numbers to work on."""
