"""A sequential test: plays on until one of two hypotheses can be believed.

The generalized sequential probability ratio test, as engines of chess are tested with: of each deal
the first bot's share of the wins is one observation, and the log-likelihood ratio of two means is
approximated from the sample's own mean and variance (Van den Bergh, "A practical introduction to
the GSPRT", 2019; Kai-Tai Fang and others call it the t-SPRT). It stops at Wald's bounds (1945), so
that the stated error rates hold approximately; a test simulates them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from fugger.arena.rating import expected_share
from fugger.errors import SetupError

if TYPE_CHECKING:
    from fugger.arena.standing import Standing

FEWEST: Final = 16
"""Deals before which nothing is decided: a variance needs some."""

Verdict = Literal["H0", "H1"]


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """What a sequential test decides between.

    Attributes:
        elo0: H0: the first bot is stronger than the second by no more than so many Elo points.
        elo1: H1: it is stronger by so many or more.
        alpha: the probability of believing H1 when H0 holds.
        beta: the probability of believing H0 when H1 holds.

    Raises:
        SetupError: elo1 isn't above elo0, or an error rate isn't between 0 and 0.5.
    """

    elo0: float = 0.0
    elo1: float = 30.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise SetupError(
                f"elo0 is {self.elo0:g} and elo1 {self.elo1:g}: expected elo1 to be higher"
            )
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise SetupError(
                    f"{name} is {getattr(self, name):g}: expected a number between 0 and 0.5"
                )

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 and H1 are believed."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, standing: Standing) -> float:
        """The log-likelihood ratio of H1 to H0 as a match stands."""
        share = standing.bots[0].wins
        if share.number < FEWEST:
            return 0.0
        whole = standing.whole
        mean = share.total / share.number / whole
        variance = share.squares / share.number / whole**2 - mean**2
        # As if one more deal had gone either way, so that a row of equal deals proves nothing.
        variance = (variance * share.number + 0.5) / (share.number + 2)
        low, high = (expected_share(elo, standing.seats) for elo in (self.elo0, self.elo1))
        return share.number * (high - low) * (2 * mean - low - high) / (2 * variance)

    def verdict(self, standing: Standing) -> Verdict | None:
        """Which hypothesis can be believed as a match stands; None if neither."""
        low, high = self.bounds
        ratio = self.ratio(standing)
        return "H0" if ratio <= low else "H1" if ratio >= high else None
