"""Ladders: every bot against every other, at tables of every size, and the ratings that follow.

Two bots meet in a contest of their own for each edition and number of players; see
`fugger.arena.contest` for who sits where. From all of them follow

- Elo ratings, the most likely ones in Luce's model (`fugger.arena.rating`), with intervals from
  resampling the deals of every contest (Efron's bootstrap, 1979), and
- ratings by Plackett and Luce's model as openskill has it (Weng and Lin 2011), which looks at the
  order of everybody's money at the end of a game, not only at who won.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np

from fugger.arena.contest import Contest
from fugger.arena.keeping import Kept
from fugger.arena.matches import play_match
from fugger.arena.rating import ELO
from fugger.arena.results import WHOLE, Estimate
from fugger.errors import ArenaError, SetupError, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from fugger.arena.deals import Played
    from fugger.arena.standing import Standing
    from fugger.bots.programs import Limits

ANCHOR: Final = 1000.0
"""Elo of the first bot."""
RESAMPLES: Final = 400
"""Resampled ladders from which intervals are read."""
_STEPS: Final = 300
"""Steps of the iteration that finds strengths; each halves what is left, and more."""
_EDGE: Final = 0.5
"""Wins that everybody is given against everybody, so that who never won is rated too."""


@dataclass(frozen=True, slots=True)
class Group:
    """Tables of one kind.

    Attributes:
        edition: the edition's name.
        players: 2 to 4.
    """

    edition: str
    players: int

    def __str__(self) -> str:
        return f"{self.edition}, {self.players} players"


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two bots at tables of one kind: how it stands, and every game of it."""

    group: Group
    standing: Standing
    deals: tuple[tuple[Played, ...], ...]

    @property
    def wins(self) -> NDArray[np.float64]:
        """The first bot's wins in every deal."""
        contest = self.standing.contest
        won = []
        for number, games in enumerate(self.deals):
            twelfths = sum(
                WHOLE // len(game.winners)
                for game, lineup in zip(games, contest.lineups(number), strict=True)
                for seat in game.winners
                if lineup[seat] == 0
            )
            won.append(twelfths / WHOLE)
        return np.array(won)


@dataclass(frozen=True, slots=True)
class Rating:
    """A bot's rating.

    Attributes:
        elo: with its interval; the first bot has `ANCHOR`.
        mu, sigma: openskill's, a mean and its uncertainty.
    """

    bot: str
    elo: Estimate
    mu: float
    sigma: float


@dataclass(frozen=True, slots=True)
class Ladder:
    """What came of a ladder.

    Attributes:
        bots: from the first to the last asked for.
        seed: of all contests.
        meetings: all of them.
        overall: ratings over all tables.
        by_group: ratings at tables of one kind.
    """

    bots: tuple[str, ...]
    seed: int
    meetings: tuple[Meeting, ...]
    overall: tuple[Rating, ...]
    by_group: dict[Group, tuple[Rating, ...]]

    def share(self, group: Group, bot: int, other: int) -> Estimate:
        """A bot's share of the wins against another one; equals have a half."""
        first = min(bot, other)
        for meeting in self.meetings:
            names = meeting.standing.contest.bots
            if meeting.group == group and names == (self.bots[first], self.bots[max(bot, other)]):
                return meeting.standing.share(0 if bot == first else 1)
        raise KeyError(group, bot, other)


def play_ladder(  # noqa: PLR0913 (what a ladder can be told)
    bots: Sequence[str],
    groups: Sequence[Group],
    deals: int,
    *,
    seed: int,
    folder: Path | None = None,
    limits: Limits | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
    on_progress: Callable[[int, Standing], None] = lambda _, __: None,
) -> Ladder:
    """Plays every bot against every other.

    Args:
        bots: two or more, all different; the first one anchors the ratings.
        groups: at which tables.
        deals: of each contest.
        seed: of all of them.
        folder: where the matches are kept, to stop and go on; nowhere by default.
        limits: how long bots from elsewhere may take.
        jobs: how many processes play.
        cluster: the address of a Ray cluster.
        on_progress: told how many deals have been played, and how the contest stands.

    Raises:
        BotError, SetupError, ArenaError: as `play_match`.
        MatchStopped: by Ctrl-C; what was played is kept in the folder.
    """
    if len(bots) < 2 or len(set(bots)) < len(bots):
        raise SetupError(f"bots are {quoted(list(bots))}: expected two or more, all different")
    meetings = []
    played = 0
    for group in groups:
        for first, second in combinations(bots, 2):
            contest = Contest((first, second), group.players, group.edition, seed=seed)
            name = f"{group.edition}-{group.players}-{_plain(first)}-{_plain(second)}.jsonl"
            kept = _Listening(folder / name, contest) if folder else None
            games: list[tuple[Played, ...]] = []

            def tell(standing: Standing, before: int = played) -> None:
                on_progress(before + standing.deals, standing)

            with kept or nullcontext():
                listener = kept or _Heard()
                standing = play_match(
                    contest,
                    deals,
                    kept=listener,
                    limits=limits,
                    jobs=jobs,
                    cluster=cluster,
                    on_progress=tell,
                )
                games.extend(listener.heard[:deals])
            meetings.append(Meeting(group, standing, tuple(games)))
            played += deals
    by_group = {
        group: rate(bots, [one for one in meetings if one.group == group], seed) for group in groups
    }
    return Ladder(tuple(bots), seed, tuple(meetings), rate(bots, meetings, seed), by_group)


def rate(bots: Sequence[str], meetings: Sequence[Meeting], seed: int) -> tuple[Rating, ...]:
    """The bots' ratings from some of their meetings."""
    rng = np.random.default_rng(seed)
    wins = [meeting.wins for meeting in meetings]
    ratings = _elo(bots, meetings, wins)
    samples = np.array(
        [_elo(bots, meetings, [rng.choice(of, len(of)) for of in wins]) for _ in range(RESAMPLES)]
    )
    low, high = np.quantile(samples, [0.025, 0.975], axis=0)
    skills = openskill_ratings(bots, meetings, seed)
    return tuple(
        Rating(bot, Estimate(float(elo), float(least), float(most)), *skill)
        for bot, elo, least, most, skill in zip(bots, ratings, low, high, skills, strict=True)
    )


def _elo(
    bots: Sequence[str], meetings: Sequence[Meeting], wins: Sequence[NDArray[np.float64]]
) -> NDArray[np.float64]:
    """The most likely strengths, in Elo: by Hunter's iteration (2004) for Luce's model."""
    won = np.zeros(len(bots))
    rows, games = [], []
    for meeting, of in zip(meetings, wins, strict=True):
        contest = meeting.standing.contest
        first, second = (bots.index(bot) for bot in contest.bots)
        total = len(of) * contest.games_per_deal
        won[first] += of.sum() + _EDGE
        won[second] += total - of.sum() + _EDGE
        seats = [lineup.count(0) for lineup in contest.lineups(0)]
        for own in set(seats):
            row = np.zeros(len(bots))
            row[first], row[second] = own, contest.players - own
            rows.append(row)
            share = seats.count(own) / len(seats)
            games.append(share * (total + 2 * _EDGE))
    at_table, number = np.array(rows), np.array(games)
    strength = np.ones(len(bots))
    for _ in range(_STEPS):
        strength = won / (at_table.T @ (number / (at_table @ strength)))
        strength /= strength[0]
    elo: NDArray[np.float64] = ANCHOR + ELO * np.log(strength)
    return elo


def openskill_ratings(
    bots: Sequence[str], meetings: Sequence[Meeting], seed: int
) -> list[tuple[float, float]]:
    """Every bot's mu and sigma after all games, in a random order.

    A bot with several seats in a game plays each of them with the same rating; afterwards it has
    the mean of what they became.

    Raises:
        ArenaError: openskill isn't installed.
    """
    try:
        from openskill.models import PlackettLuce  # noqa: PLC0415 (an extra)
    except ImportError:
        raise ArenaError("openskill isn't installed: install fugger[arena] for ladders") from None

    model = PlackettLuce()
    ratings = [(float(model.mu), float(model.sigma)) for _ in bots]
    games = []
    for meeting in meetings:
        contest = meeting.standing.contest
        names = [bots.index(bot) for bot in contest.bots]
        for number, deal in enumerate(meeting.deals):
            for game, lineup in zip(deal, contest.lineups(number), strict=True):
                games.append(([names[bot] for bot in lineup], _ranks(game)))
    order = np.random.default_rng(seed).permutation(len(games))
    for place in order:
        seats, ranks = games[place]
        teams = [[model.rating(*ratings[bot])] for bot in seats]
        after = model.rate(teams, ranks=list(ranks))
        for bot in set(seats):
            own = [team[0] for team, seat in zip(after, seats, strict=True) if seat == bot]
            ratings[bot] = (
                sum(one.mu for one in own) / len(own),
                sum(one.sigma for one in own) / len(own),
            )
    return ratings


def _ranks(game: Played) -> list[float]:
    """Everybody's place, 1 for the winners; ties share one, and who forfeited comes last."""
    worth = [
        -1 if seat in game.forfeits else money + 1_000_000 * (seat in game.winners)
        for seat, money in enumerate(game.money)
    ]
    return [float(1 + sum(other > own for other in worth)) for own in worth]


def _plain(bot: str) -> str:
    """A bot's name as part of a file's."""
    return "".join(sign if sign.isalnum() or sign in "._=" else "_" for sign in bot)[-60:]


class _Heard:
    """A match that is kept in memory alone."""

    def __init__(self) -> None:
        self.heard: list[tuple[Played, ...]] = []

    def deals(self) -> list[tuple[Played, ...]]:
        """None had been played."""
        return []

    def add(self, games: tuple[Played, ...]) -> None:
        """One more deal."""
        self.heard.append(games)


class _Listening(Kept):
    """A match's file, and all its deals."""

    def __init__(self, path: Path, contest: Contest) -> None:
        super().__init__(path, contest)
        self.heard = list(self.deals())

    def add(self, games: tuple[Played, ...]) -> None:
        """One more deal."""
        super().add(games)
        self.heard.append(games)
