"""What a match plays: bots, table, and for each deal who sits where.

A *deal* is one order of the cards, and all games that are played from it. The k-th card dealt in
any of them is the same, to whomever it goes, until the draw pile has run out for the first time: so
luck of the cards meets every bot alike, and what differs is how it was played.

A *lineup* is who sits where in a game; seat 0 begins. A deal's lineups give every bot every seat
equally often:

===================  =======================================================================
bots                 lineups of a deal
===================  =======================================================================
as many as players   every rotation of a clockwise order; the orders take turns from deal to
                     deal, so that nobody keeps the same neighbours
two, 3 or 4 players  one of the first among the second's, and one of the second among the
                     first's, each in every rotation
===================  =======================================================================

With two bots both hold the same number of seats over a deal, so that the first one's share of its
wins is 50 % if both are equally strong, at a table of any size; a lineup of one among many alone
would have told 33 % or 25 %, and nothing of how the one plays when it is in the majority.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from typing import TYPE_CHECKING, Final, TypeAlias

from fugger.arena.simulation import NEW_SEEDS, SEEDS
from fugger.editions import edition_named
from fugger.errors import SeedError, SetupError, is_whole, quoted
from fugger.rules.state import MAX_PLAYERS, new_states

if TYPE_CHECKING:
    from fugger.rules.state import States

Lineup: TypeAlias = tuple[int, ...]
"""For each seat its bot, as its place among the contest's."""

_SEED_BITS: Final = 63


@dataclass(frozen=True, slots=True)
class Contest:
    """What is played; together with a deal's number it fixes every game.

    Attributes:
        bots: two bots or more, as they were asked for; the same one may be named again.
        players: 2 to 4; as many as there are bots, or any number for two bots.
        edition: the edition's name.
        target: gulden that end a game; the edition's own if None.
        seed: a whole number from 0, below 2**64.

    Raises:
        EditionError, SetupError, SeedError: numbers that make no contest.
    """

    bots: tuple[str, ...]
    players: int
    edition: str = "adlung"
    target: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        number = len(self.bots)
        if not is_whole(self.players, 2, MAX_PLAYERS):
            raise SetupError(
                f"players is {quoted(self.players)}: expected a whole number from 2 to 4"
            )
        if number not in {self.players, 2}:
            expected = "2" if self.players == 2 else f"2 or {self.players}"
            raise SetupError(
                f"{number} bot{'s' * (number != 1)} for {self.players} players: expected {expected}"
            )
        if not is_whole(self.seed, 0, SEEDS - 1):
            raise SeedError(
                f"seed is {quoted(self.seed)}: expected a whole number from 0 to 2**64 - 1"
            )
        new_states(edition_named(self.edition), self.players, 0, self.target)

    @property
    def gulden(self) -> int:
        """What ends a game."""
        return edition_named(self.edition).target if self.target is None else self.target

    @property
    def start(self) -> States:
        """An array of one state: a game before its first card."""
        return new_states(edition_named(self.edition), self.players, 0, self.target)

    @property
    def labels(self) -> tuple[str, ...]:
        """What to call the bots: ``greedy``, and ``greedy (2)`` if it is named again."""
        seen: dict[str, int] = {}
        labels = []
        for bot in self.bots:
            seen[bot] = seen.get(bot, 0) + 1
            labels.append(bot if seen[bot] == 1 else f"{bot} ({seen[bot]})")
        return tuple(labels)

    def lineups(self, deal: int) -> tuple[Lineup, ...]:
        """The lineups of a deal, in the order in which they are played."""
        orders = _orders(len(self.bots), self.players)
        return orders[deal % len(orders)]

    @property
    def games_per_deal(self) -> int:
        """How many lineups a deal has."""
        return len(self.lineups(0))

    def seed_of(self, deal: int, game: int, seat: int) -> int:
        """The seed of the bot at a seat, in a game of a deal; below 2**63."""
        text = f"fugger arena\n{self.seed} {deal} {game} {seat}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 64 - _SEED_BITS


def new_seed() -> int:
    """A seed for a new contest, easy to copy."""
    return secrets.randbelow(NEW_SEEDS)


@cache
def _orders(bots: int, players: int) -> tuple[tuple[Lineup, ...], ...]:
    """The lineups of one deal after the other, until they begin again."""
    orders: list[tuple[Lineup, ...]]
    if bots == players:
        orders = [((0, *others),) for others in permutations(range(1, players))]
    else:
        orders = [((0, *[1] * (players - 1)), (1, *[0] * (players - 1)))]
    return tuple(
        tuple(order[turn:] + order[:turn] for order in clockwise for turn in range(players))
        for clockwise in orders
    )
