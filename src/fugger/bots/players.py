"""Players: bots at the table of an arena, told when a game begins and ends, who may fail.

A `Bot` only maps observations to actions; a program that joins from outside is also started,
stopped, and may crash, hang or talk nonsense. Both play through a `Player`, and whatever goes wrong
with it is one `Forfeit`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from fugger import bots
from fugger.bots.levels import SIMULATIONS, thinker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fugger.bots import Bot, Past
    from fugger.rules.state import State

_LONGEST_REASON: Final = 300


@dataclass(frozen=True, slots=True)
class Place:
    """Where a player sits in a game, before its first card.

    Attributes:
        players: how many play.
        edition: the edition's name.
        target: gulden that end the game, as the user asks for them.
        seat: the player's, from 0; seat 0 begins.
        seed: for whatever the player leaves to chance: a whole number from 0, below 2**63.
    """

    players: int
    edition: str
    target: int
    seat: int
    seed: int


class Forfeit(Exception):  # noqa: N818 (what happens, not what is wrong)
    """A player can't play on in this game; the text says what it did, on one line.

    Attributes:
        stderr: the end of what a program wrote there, at most 2 kB.
    """

    def __init__(self, reason: str, stderr: str = "") -> None:
        super().__init__(one_line(reason, _LONGEST_REASON))
        self.stderr = stderr


class Player(Protocol):
    """Somebody who plays games, one after the other. Every method may raise a `Forfeit`."""

    def begin(self, place: Place) -> None:
        """A game begins; one that was going on is over."""

    def choose(self, observation: State, past: Past) -> int:
        """The number of an action, which may be an illegal one.

        Args:
            observation: what the seat sees; it is the seat's turn.
            past: what the seat remembers, for bots that use it.
        """

    def end(self, money: Sequence[int], winners: Sequence[int]) -> None:
        """The game is over: each seat's gulden, and the seats that won."""

    def close(self) -> None:
        """There will be no more games."""


class LevelPlayer:
    """One of this package's own bots.

    A level that thinks does so for all its simulations, however long they take: with a limit in
    seconds its actions would be those of a busy machine or an idle one, not of its seed alone. Who
    wants a limit asks for one, as in ``search:seconds=0.1``.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._bot = self._with_seed(0)

    def begin(self, place: Place) -> None:
        """The bot afresh, with the seed of its place."""
        self._bot = self._with_seed(place.seed)

    def _with_seed(self, seed: int) -> Bot:
        if self._name in SIMULATIONS:
            return thinker(self._name, seed, seconds=None)
        return bots.bot_named(self._name, seed)

    def choose(self, observation: State, past: Past) -> int:
        """The bot's action."""
        try:
            return bots.act(self._bot, observation, past)
        except Exception as error:
            raise Forfeit(f"{type(error).__name__}: {error}") from error

    def end(self, money: Sequence[int], winners: Sequence[int]) -> None:
        """Nothing to learn from it."""

    def close(self) -> None:
        """Nothing to give back."""


def one_line(text: str, limit: int) -> str:
    """A stranger's text as a report may show it: on one line, printable, of at most `limit`."""
    line = " ".join(text.split())
    line = "".join(sign if sign.isprintable() else "�" for sign in line)
    return line if len(line) <= limit else f"{line[: limit - 1]}…"
