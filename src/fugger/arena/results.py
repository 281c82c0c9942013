"""What many games say: means with honest 95 % intervals.

Sums are whole numbers, so that results don't depend on the order in which they are added up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

import numpy as np

from fugger.arena.match import DECISIONS, MONEY, ROUNDS, WINNERS

if TYPE_CHECKING:
    from numpy.typing import NDArray

CONFIDENCE: Final = 0.95
_Z: Final = 1.959963984540054
"""The normal distribution's quantile for intervals of this confidence."""

WHOLE: Final = 12
"""A win is counted in twelfths: it may be shared by two, three or four."""
_SHARE, _SHARE_SQUARED, _MONEY, _MONEY_SQUARED = range(4)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean of games played, and an interval that covers the true mean 95 times out of 100.

    Attributes:
        mean: of the games played.
        low, high: the interval's ends, infinite if too few games were played for one.
    """

    mean: float
    low: float
    high: float


def estimate_share(number: int, total: float, squares: float) -> Estimate:
    """The mean of values between 0 and 1, with its interval.

    A share of a win is 0, 1/4, 1/3, 1/2 or 1. Intervals for counts of successes (Wilson's, say)
    are too wide for those, since ties scatter less; intervals from the sample's variance alone are
    too narrow when few games, or nearly all, were won, and have no width at all when all were. So
    the idea of Agresti and Coull (1998) is used with the sample's own variance: as if z²/2 more
    games had been won and z²/2 more lost. Without ties this is their interval; it never
    has zero width, and a test computes its coverage exactly.

    Args:
        number: how many values, 1 or more.
        total: their sum.
        squares: the sum of their squares.
    """
    more = _Z * _Z
    weight = number + more
    middle = (total + more / 2) / weight
    variance = (squares + more / 2) / weight - middle * middle
    half = _Z * math.sqrt(variance / weight)
    return Estimate(total / number, max(0.0, middle - half), min(1.0, middle + half))


@dataclass(slots=True)
class Sums:
    """What an estimate needs of whole numbers: how many, their sum, and that of their squares."""

    number: int = 0
    total: int = 0
    squares: int = 0

    def add(self, value: int) -> None:
        """One more."""
        self.number += 1
        self.total += value
        self.squares += value * value

    def share(self, whole: int) -> Estimate:
        """The mean, in parts of a whole that none of them exceeds."""
        return estimate_share(self.number, self.total / whole, self.squares / whole**2)

    def mean(self, parts: int = 1) -> Estimate:
        """The mean, if each number was the sum of so many parts."""
        whole = estimate_mean(self.number, self.total, self.squares)
        return Estimate(whole.mean / parts, whole.low / parts, whole.high / parts)


def estimate_mean(number: int, total: int, squares: int) -> Estimate:
    """The mean of whole numbers, with Student's interval; see `estimate_share` for the arguments.

    From one number alone nothing is known of how they scatter: its interval is infinite.
    """
    mean = total / number
    if number == 1:
        return Estimate(mean, -math.inf, math.inf)
    variance = (number * squares - total * total) / (number * (number - 1))
    half = student_quantile(number - 1) * math.sqrt(variance / number)
    return Estimate(mean, mean - half, mean + half)


def student_quantile(freedom: int) -> float:
    """Student's quantile for intervals of 95 %, to within 1 %.

    Exact for one and two degrees of freedom; above, the first terms of the expansion in powers of
    1 / freedom (Abramowitz and Stegun, 26.7.5).
    """
    if freedom == 1:
        return math.tan(math.pi * CONFIDENCE / 2)
    if freedom == 2:
        return CONFIDENCE * math.sqrt(2 / (1 - CONFIDENCE**2))
    z = _Z
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )


@dataclass(frozen=True, slots=True)
class Tally:
    """Sums over games played; adding to it makes a new one.

    Attributes:
        games: how many.
        rounds, decisions: of all of them together.
        seats: for each seat the sums of its shares of wins in twelfths and of their squares, of
            its money and its squares: an int64 array of shape (players, 4).
    """

    games: int
    rounds: int
    decisions: int
    seats: NDArray[np.int64]

    @classmethod
    def empty(cls, players: int) -> Self:
        """Before the first game."""
        return cls(0, 0, 0, np.zeros((players, 4), np.int64))

    def plus(self, outcomes: NDArray[np.int64]) -> Tally:
        """With the outcomes of more games, one a row as `fugger.arena.match` leaves them."""
        players = len(self.seats)
        won = outcomes[:, WINNERS, None] >> np.arange(players) & 1
        shares = won * WHOLE // won.sum(axis=1, keepdims=True)
        money = outcomes[:, MONEY : MONEY + players]
        sums = [values.sum(axis=0) for values in (shares, shares**2, money, money**2)]
        return Tally(
            self.games + len(outcomes),
            self.rounds + int(outcomes[:, ROUNDS].sum()),
            self.decisions + int(outcomes[:, DECISIONS].sum()),
            self.seats + np.stack(sums, axis=1),
        )

    def win_share(self, seat: int) -> Estimate:
        """A seat's share of the wins; a shared win counts as a half, a third or a quarter."""
        shares, squares = self.seats[seat, _SHARE], self.seats[seat, _SHARE_SQUARED]
        return estimate_share(self.games, int(shares) / WHOLE, int(squares) / WHOLE**2)

    def money(self, seat: int) -> Estimate:
        """A seat's money at the end."""
        money, squares = self.seats[seat, _MONEY], self.seats[seat, _MONEY_SQUARED]
        return estimate_mean(self.games, int(money), int(squares))
