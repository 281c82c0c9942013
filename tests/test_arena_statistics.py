"""Intervals of simulations: known values, and coverage computed or simulated with a known truth."""

import math
import random
import statistics

import numpy as np
import pytest

from fugger.arena.match import COLUMNS, DECISIONS, MONEY, ROUNDS, WINNERS
from fugger.arena.results import Tally, estimate_mean, estimate_share, student_quantile


def share_of(values):
    return estimate_share(len(values), sum(values), sum(value * value for value in values))


def mean_of(values):
    return estimate_mean(len(values), sum(values), sum(value * value for value in values))


def coverage(games, win, tie):
    """How likely the interval of so many two-player games holds the truth: over all results."""
    truth = win + tie / 2
    loss = 1 - win - tie
    covered = 0.0
    for wins in range(games + 1):
        for ties in range(games - wins + 1):
            losses = games - wins - ties
            chance = math.comb(games, wins) * math.comb(games - wins, ties)
            chance *= win**wins * tie**ties * loss**losses
            estimate = estimate_share(games, wins + ties / 2, wins + ties / 4)
            covered += chance * (estimate.low <= truth <= estimate.high)
    return covered


def test_without_ties_the_interval_is_agresti_and_coulls():
    # 16 of 20: (16 + 1.9207) / (20 + 3.8415) = 0.75166; 1.96 * sqrt(0.18667 / 23.8415) = 0.17343
    estimate = share_of([1] * 16 + [0] * 4)

    assert 0.8 == estimate.mean
    assert pytest.approx([0.57823, 0.92509], abs=1e-4) == [estimate.low, estimate.high]


@pytest.mark.parametrize("games", [1, 5, 100])
@pytest.mark.parametrize("value", [0, 0.25, 0.5, 1])
def test_equal_values_leave_an_interval_that_holds_them_and_more(games, value):
    estimate = share_of([value] * games)

    assert 0 <= estimate.low <= value <= estimate.high <= 1
    assert estimate.high - estimate.low > 0.01


def test_ties_make_the_interval_narrower():
    ties = share_of([0.5] * 100)
    wins = share_of([1] * 50 + [0] * 50)

    assert ties.high - ties.low < (wins.high - wins.low) / 3


@pytest.mark.parametrize("games", [5, 20, 60])
@pytest.mark.parametrize(
    ("win", "tie"),
    [(0.5, 0), (0.9, 0.02), (0.02, 0.01), (0.45, 0.1), (0.1, 0.8), (0.0, 0.5), (0.25, 0.3)],
)
def test_the_interval_holds_the_true_share_as_often_as_it_says(games, win, tie):
    assert coverage(games, win, tie) > 0.93


def test_the_interval_is_no_wider_than_it_must_be():
    assert 0.94 < coverage(100, 0.45, 0.1) < 0.965


def test_coverage_of_shares_of_four():
    values, weights = [0, 1 / 4, 1 / 3, 1 / 2, 1], [70, 1, 2, 7, 20]
    truth = sum(map(math.prod, zip(values, weights, strict=True))) / 100
    rng = random.Random(3)
    held = 0
    for _ in range(2000):
        estimate = share_of(rng.choices(values, weights, k=40))
        held += estimate.low <= truth <= estimate.high

    assert 0.94 < held / 2000 < 0.98


def test_student_s_interval_of_known_numbers():
    # Mean 3, variance 2.5, quantile for 4 degrees of freedom 2.776.
    estimate = mean_of([1, 2, 3, 4, 5])

    assert 3 == estimate.mean
    assert pytest.approx([1.037, 4.963], abs=0.01) == [estimate.low, estimate.high]


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.7062), (2, 4.30265), (3, 3.18245), (4, 2.77645), (10, 2.22814), (30, 2.04227)],
)
def test_student_s_quantiles_of_the_tables(freedom, quantile):
    assert pytest.approx(quantile, rel=0.01) == student_quantile(freedom)


def test_student_s_quantile_becomes_the_normal_one():
    assert pytest.approx(statistics.NormalDist().inv_cdf(0.975)) == student_quantile(10**8)


def test_one_number_tells_no_interval():
    estimate = mean_of([117])

    assert (117, -math.inf, math.inf) == (estimate.mean, estimate.low, estimate.high)


@pytest.mark.parametrize("games", [3, 10, 50])
def test_coverage_of_the_mean(games):
    rng = random.Random(4)
    held = 0
    for _ in range(2000):
        estimate = mean_of([round(rng.gauss(110, 15)) for _ in range(games)])
        held += estimate.low <= 110 <= estimate.high

    assert 0.935 < held / 2000 < 0.965


def test_sums_are_exact_even_when_values_hardly_scatter():
    values = [10**6] * 999 + [10**6 + 1]

    assert pytest.approx(1 / 1000) == mean_of(values).mean - 10**6
    assert pytest.approx(2 * 1.9623 * 0.001, rel=1e-3) == mean_of(values).high - mean_of(values).low


def outcome(winners, *money):
    row = np.zeros(COLUMNS, np.int64)
    row[WINNERS], row[ROUNDS], row[DECISIONS] = winners, 5, 80
    row[MONEY : MONEY + len(money)] = money
    return row


def test_shared_wins_are_shared():
    tally = Tally.empty(3).plus(np.array([outcome(0b001, 9, 0, 0), outcome(0b110, 0, 9, 9)]))
    tally = tally.plus(np.array([outcome(0b111, 9, 9, 9), outcome(0b100, 0, 0, 9)]))

    shares = [tally.win_share(seat).mean for seat in range(3)]
    assert pytest.approx([(1 + 1 / 3) / 4, (1 / 2 + 1 / 3) / 4, (1 + 1 / 2 + 1 / 3) / 4]) == shares
    assert [4.5, 4.5, 6.75] == [tally.money(seat).mean for seat in range(3)]
    assert (4, 20, 320) == (tally.games, tally.rounds, tally.decisions)
