"""The tree of a search: a table of whole numbers, and the choice of an edge.

A node stands for a row of actions. It has `WIDTH` rows of the table, one for each action and a
last one for the node itself. Whole numbers make the same seed give the same action everywhere.

==========  =========================================================================
column      meaning
==========  =========================================================================
VISITS      simulations that took the action here; in the last row, that came here
AVAILABLE   simulations that could have taken it; in the last row, the actions whose
            chances are known, as a bit set
REWARD      what they brought the player who took it; a game won is `WHOLE`
CHILD       the node it leads to, 0 if there is none yet
==========  =========================================================================
"""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING, Final

import numpy as np

from fugger.compiled import jitable
from fugger.playouts import one_of, ones

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fugger.chance import Generator

VISITS: Final = 0
AVAILABLE: Final = 1
REWARD: Final = 2
CHILD: Final = 3
COLUMNS: Final = 4

WIDTH: Final = 24
"""Rows of a node."""
ITSELF: Final = WIDTH - 1
"""The row for the node itself."""
WHOLE: Final = 4096
"""What a game won alone brings."""

_EXPLORATION: Final = 0.5
"""The weight of the upper confidence bound's second term; a game won is 1."""
_LED_EXPLORATION: Final = 0.25
_EVEN_EXPLORATION: Final = 0.25
"""The same where a network says how likely actions are: by that, and for all alike."""
_UNTRIED: Final = 0.05
"""By how much an action nobody tried seems worse than what its node brought until now."""

_FEW: Final = 1 << 13
_LOGARITHMS: Final = np.array([log(max(1, number)) for number in range(_FEW)])


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
            mean = tree[place, REWARD] * part_of_one / WHOLE
            spread = logarithm(tree[place, AVAILABLE]) * part_of_one
            bound = mean + _EXPLORATION * np.sqrt(spread)
            if bound > highest:
                best, highest = edge, bound
    if new != 0:
        return one_of(new, rng), True
    return best, False


@jitable
def logarithm(number: int) -> float:
    """The natural logarithm of a whole number from 1; small ones are in a table."""
    return float(_LOGARITHMS[number] if number < _FEW else np.log(number))


@jitable
def choose_likely_edge(
    tree: NDArray[np.int32], first: int, edges: int, chances: NDArray[np.float32]
) -> tuple[int, bool]:
    """As `choose_edge`, where a network has said how likely each edge is: those first."""
    total = np.float32(0)
    left = edges
    while left != 0:
        total += chances[first + ones((left & -left) - 1)]
        left &= left - 1
    push = _LED_EXPLORATION / np.float64(total)
    best, highest, new = 0, -1e9, False
    visits = tree[first + ITSELF, VISITS]
    untried = 0.5
    if visits > 0:
        untried = tree[first + ITSELF, REWARD] / (visits * WHOLE) - _UNTRIED
    left = edges
    while left != 0:
        edge = ones((left & -left) - 1)
        left &= left - 1
        place = first + edge
        tree[place, AVAILABLE] += 1
        visits = tree[place, VISITS]
        mean = untried if visits == 0 else tree[place, REWARD] / (visits * WHOLE)
        available = tree[place, AVAILABLE]
        bound = mean + push * np.float64(chances[place]) * np.sqrt(float(available)) / (1 + visits)
        bound += _EVEN_EXPLORATION * np.sqrt(logarithm(available) / (1 + visits))
        if bound > highest:
            best, highest, new = edge, bound, visits == 0
    return best, new
