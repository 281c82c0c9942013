"""Strengths from results: Elo at tables of any size.

The model is Luce's (1959), which for two players is that of Bradley and Terry (1952), and Elo's:
everyone at a table has a strength, and wins with the probability that it is of the sum of the
strengths there. In Elo it is ``400 * log10(strength)``; only differences mean anything.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

ELO: Final = 400 / math.log(10)
"""Elo points of a strength e times as high."""
_FARTHEST: Final = 10_000.0
"""Elo differences beyond are infinite."""


def expected_share(elo: float, seats: Sequence[tuple[int, int]]) -> float:
    """A bot's share of the wins, if it is so much stronger than everyone else.

    >>> expected_share(0, [(1, 3), (2, 3)]), round(expected_share(200, [(1, 2)]), 3)
    (0.5, 0.76)

    Args:
        elo: by how much.
        seats: for each game how many seats are the bot's, and how many there are.
    """
    weaker = math.exp(-elo / ELO)
    return sum(own / (own + (of - own) * weaker) for own, of in seats) / len(seats)


def elo_of_share(share: float, seats: Sequence[tuple[int, int]]) -> float:
    """By how much a bot is stronger than everyone else, if that is its share of the wins.

    The inverse of `expected_share`, and the most likely difference: that is where the share
    expected is the one observed. For two players it is ``400 * log10(share / (1 - share))``.

    >>> round(elo_of_share(0.75, [(1, 2)]), 1), elo_of_share(1, [(1, 2)])
    (190.8, inf)
    """
    low, high = -_FARTHEST, _FARTHEST
    if share <= expected_share(low, seats):
        return -math.inf
    if share >= expected_share(high, seats):
        return math.inf
    while True:
        middle = (low + high) / 2
        if middle in {low, high}:
            return middle
        if expected_share(middle, seats) < share:
            low = middle
        else:
            high = middle
