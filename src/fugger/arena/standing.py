"""How a contest stands: deals added up, and what they say of each bot.

The games of a deal share their cards, so they tell less than as many games apart, or more. All
intervals are therefore of deals: each gives one number, and those are independent.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from fugger.arena.rating import elo_of_share
from fugger.arena.results import WHOLE, Estimate, Sums

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fugger.arena.contest import Contest
    from fugger.arena.deals import Played

REASONS: Final = 3
"""Forfeits of a bot of which the reason is kept."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a bot forfeited: the deal and game, counted from 0, its seat, and what it did."""

    deal: int
    game: int
    seat: int
    text: str


@dataclass(slots=True)
class BotStanding:
    """What came of a bot.

    Attributes:
        games: games' seats it sat at.
        wins: of each deal its wins, in twelfths.
        money: of each deal without a forfeit its gulden, over all its seats.
        wins_at: by seat, as `wins`.
        forfeits: how many.
        reasons: of the first ones.
    """

    wins: Sums
    money: Sums
    wins_at: list[Sums]
    forfeits: int = 0
    reasons: list[Reason] = field(default_factory=list)


class Standing:
    """A contest's deals so far, which are added in order."""

    def __init__(self, contest: Contest) -> None:
        self.contest = contest
        self.deals = 0
        self.games = 0
        self.rounds = 0
        self.decisions = 0
        self.bots = [
            BotStanding(Sums(), Sums(), [Sums() for _ in range(contest.players)])
            for _ in contest.bots
        ]
        lineup_seats = [lineup.count(0) for lineup in contest.lineups(0)]
        self._seats = [(own, contest.players) for own in lineup_seats]
        self._games_at_seat = sum(lineup[0] == 0 for lineup in contest.lineups(0))

    def add(self, games: Sequence[Played]) -> int:
        """One more deal; the first bot's wins in it, in twelfths."""
        contest, deal = self.contest, self.deals
        wins = [[0] * contest.players for _ in contest.bots]
        money = [0] * len(contest.bots)
        for number, (game, lineup) in enumerate(zip(games, contest.lineups(deal), strict=True)):
            for seat in game.winners:
                wins[lineup[seat]][seat] += WHOLE // len(game.winners)
            for seat, bot in enumerate(lineup):
                money[bot] += game.money[seat]
                if seat in game.forfeits:
                    of = self.bots[bot]
                    of.forfeits += 1
                    if len(of.reasons) < REASONS:
                        of.reasons.append(Reason(deal, number, seat, game.forfeits[seat]))
            self.rounds += game.rounds
            self.decisions += game.decisions
        for bot, of in enumerate(self.bots):
            of.wins.add(sum(wins[bot]))
            for seat, sums in enumerate(of.wins_at):
                sums.add(wins[bot][seat])
            if not any(game.forfeits for game in games):
                of.money.add(money[bot])
        self.deals += 1
        self.games += len(games)
        return sum(wins[0])

    @property
    def whole(self) -> int:
        """All wins of a deal, in twelfths."""
        return WHOLE * self.contest.games_per_deal

    def share(self, bot: int) -> Estimate:
        """A bot's share of all wins; `fair_share` of them if all are equally strong."""
        return self.bots[bot].wins.share(self.whole)

    @property
    def fair_share(self) -> float:
        """A bot's share of all seats, and so of the wins of equals."""
        return 1 / len(self.contest.bots)

    def share_at(self, bot: int, seat: int) -> Estimate:
        """A bot's share of the wins in the games in which it sat there."""
        return self.bots[bot].wins_at[seat].share(WHOLE * self._games_at_seat)

    def money(self, bot: int) -> Estimate | None:
        """A bot's gulden at the end of a game; None if every deal had a forfeit."""
        sums = self.bots[bot].money
        seats = self._games_at_seat * self.contest.players
        return sums.mean(seats) if sums.number else None

    def elo(self, bot: int) -> Estimate:
        """By how much a bot is stronger than the others, taken as one."""
        share = self.share(bot)
        return Estimate(
            *(elo_of_share(end, self._seats) for end in (share.mean, share.low, share.high))
        )

    @property
    def seats(self) -> Sequence[tuple[int, int]]:
        """For each game of a deal how many seats a bot has, and how many there are."""
        return self._seats
