"""What matches say: known cases, and simulated ones of known strengths."""

from __future__ import annotations

import math
import random

import pytest

from fugger.arena.contest import Contest
from fugger.arena.deals import Played
from fugger.arena.ladder import ANCHOR, Group, Meeting, openskill_ratings, rate
from fugger.arena.rating import elo_of_share, expected_share
from fugger.arena.sequential import FEWEST, Hypotheses
from fugger.arena.standing import Standing
from fugger.errors import SetupError


def played(winners, players=2, forfeits=None):
    money = tuple(100 + 10 * (seat in winners) for seat in range(players))
    return Played(money, tuple(winners), 5, 60, forfeits or {})


def a_game(contest, lineup, strength, rng):
    """A game of Luce's model: everybody wins with the share that their strength has."""
    weights = [strength[contest.bots[bot]] for bot in lineup]
    (winner,) = rng.choices(range(len(lineup)), weights)
    return played([winner], contest.players)


def simulated(bots, players, deals, strength, seed):
    contest = Contest(bots, players)
    standing, kept, rng = Standing(contest), [], random.Random(seed)
    for deal in range(deals):
        games = tuple(a_game(contest, one, strength, rng) for one in contest.lineups(deal))
        standing.add(games)
        kept.append(games)
    return Meeting(Group("adlung", players), standing, tuple(kept))


@pytest.mark.parametrize(
    ("share", "elo"), [(0.5, 0), (0.75, 190.85), (0.6, 70.44), (0.25, -190.85)]
)
def test_elo_of_two_players_is_the_usual_one(share, elo):
    assert elo == pytest.approx(elo_of_share(share, [(1, 2)]), abs=0.01)


@pytest.mark.parametrize("seats", [[(1, 2)], [(1, 3), (2, 3)], [(1, 4), (3, 4)], [(1, 4)]])
@pytest.mark.parametrize("elo", [-300, -20, 0, 75, 400])
def test_elo_and_share_are_inverse(elo, seats):
    assert elo == pytest.approx(elo_of_share(expected_share(elo, seats), seats), abs=1e-6)


def test_who_won_all_is_infinitely_stronger():
    assert math.inf == elo_of_share(1, [(1, 3), (2, 3)])
    assert -math.inf == elo_of_share(0, [(1, 3), (2, 3)])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_both_of_two_bots_have_every_seat_equally_often(players):
    contest = Contest(("greedy", "random"), players)
    for seat in range(players):
        at_seat = [lineup[seat] for lineup in contest.lineups(0)]
        assert at_seat.count(0) == at_seat.count(1)


def test_a_shared_win_is_shared_and_a_forfeit_is_told():
    standing = Standing(Contest(("greedy", "random"), 2))
    standing.add((played([0, 1]), played([0], forfeits={1: "it crashed"})))

    assert 0.25 == standing.share(0).mean
    assert [1, 0] == [bot.forfeits for bot in standing.bots]
    assert "it crashed" == standing.bots[0].reasons[0].text
    assert standing.money(0) is None


def test_intervals_of_a_share_cover_the_truth():
    strength = {"greedy": 2.0, "random": 1.0}
    truth = 2 / 3
    covered = sum(
        (share := simulated(("greedy", "random"), 2, 60, strength, seed).standing.share(0)).low
        <= truth
        <= share.high
        for seed in range(300)
    )

    assert 0.92 <= covered / 300 <= 1


def verdicts(elo, hypotheses, runs, most=3000):
    """How sequential tests of simulated matches end, when the first bot is so much stronger."""
    ends = []
    for seed in range(runs):
        contest, rng = Contest(("greedy", "random"), 2), random.Random(seed)
        standing = Standing(contest)
        strength = {"greedy": 10 ** (elo / 400), "random": 1.0}
        verdict = None
        while verdict is None and standing.deals < most:
            standing.add(tuple(a_game(contest, one, strength, rng) for one in contest.lineups(0)))
            verdict = hypotheses.verdict(standing)
        ends.append(verdict)
    return ends


def test_a_sequential_test_keeps_its_error_rates():
    hypotheses = Hypotheses(elo0=0, elo1=60, alpha=0.05, beta=0.05)

    assert verdicts(0, hypotheses, 200).count("H1") <= 0.1 * 200
    assert verdicts(60, hypotheses, 200).count("H0") <= 0.1 * 200


def test_a_sequential_test_is_sooner_sure_of_what_is_clear():
    assert ["H1"] * 20 == verdicts(400, Hypotheses(), 20, most=200)
    assert ["H0"] * 20 == verdicts(-400, Hypotheses(), 20, most=200)


def test_nothing_is_decided_by_a_few_deals():
    standing = Standing(Contest(("greedy", "random"), 2))
    for _ in range(FEWEST - 1):
        standing.add((played([0]), played([1])))

    assert Hypotheses(elo1=1000).verdict(standing) is None


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"elo0": 30, "elo1": 30}, "elo0 is 30 and elo1 30: expected elo1 to be higher"),
        ({"elo1": math.nan}, "expected elo1 to be higher"),
        ({"alpha": 0}, "alpha is 0: expected a number between 0 and 0.5"),
        ({"beta": 0.7}, "beta is 0.7: expected a number between 0 and 0.5"),
    ],
)
def test_hypotheses_that_cant_be(wrong, message):
    with pytest.raises(SetupError, match=message):
        Hypotheses(**wrong)


def test_ratings_find_the_strengths_that_games_were_made_with():
    elo = {"random": 0, "greedy": 150, "trader": 250}
    strength = {bot: 10 ** (points / 400) for bot, points in elo.items()}
    pairs = [("random", "greedy"), ("random", "trader"), ("greedy", "trader")]
    meetings = [
        simulated(pair, players, 300, strength, 10 * players + number)
        for players in (2, 3, 4)
        for number, pair in enumerate(pairs)
    ]
    ratings = {one.bot: one for one in rate(tuple(elo), meetings, 1)}

    assert ANCHOR == ratings["random"].elo.mean
    for bot in ("greedy", "trader"):
        assert ratings[bot].elo.low <= ANCHOR + elo[bot] <= ratings[bot].elo.high
        assert ratings[bot].elo.high - ratings[bot].elo.low < 60
    assert ratings["random"].mu < ratings["greedy"].mu < ratings["trader"].mu


def test_equals_are_rated_equal():
    meeting = simulated(("greedy", "random"), 3, 400, {"greedy": 1.0, "random": 1.0}, 6)
    _, other = rate(("greedy", "random"), [meeting], 1)

    assert other.elo.low <= ANCHOR <= other.elo.high


def test_openskill_rates_who_forfeits_last():
    contest = Contest(("greedy", "random"), 2)
    standing, deals = Standing(contest), []
    for _ in range(20):
        games = (played([1], forfeits={0: "it hung"}), played([0], forfeits={1: "it hung"}))
        standing.add(games)
        deals.append(games)
    (greedy, _), (other, _) = openskill_ratings(
        ("greedy", "random"), [Meeting(Group("adlung", 2), standing, tuple(deals))], 1
    )

    assert greedy < other
