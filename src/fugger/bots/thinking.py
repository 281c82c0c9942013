"""Thinking: the compiled search within a budget of time or of simulations."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

import numpy as np

from fugger.bots.memory import Memories, no_memories
from fugger.bots.networks import networks
from fugger.bots.search import (
    GREEDY,
    GUESSES,
    LED,
    PLAYOUTS,
    RANDOM,
    ROUNDS,
    SETTINGS,
    Room,
    new_room,
    search,
)
from fugger.bots.tree import COLUMNS, REWARD, VISITS, WHOLE
from fugger.chance import generator
from fugger.errors import BotError, is_whole, quoted
from fugger.playouts import new_deck_for
from fugger.rules.actions import ACTIONS, Action, actions_in, legal_actions
from fugger.rules.state import (
    ALL_KNOWING,
    NOBODY,
    TURNS,
    State,
    States,
    states_from_bytes,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from fugger.chance import Generator

NODES: Final = 20_000
"""Nodes a tree has room for: 10 MB, of which the system provides what is used."""
MAX_SIMULATIONS: Final = 500_000
"""In one search: so many times `WHOLE` is the most that the numbers of the tree can count."""
MAX_ROUNDS: Final = 1000

_BATCH_SECONDS: Final = 0.005
"""How long at most the compiled code runs before the time is looked at again,"""
_BATCHES: Final = 16
"""or that part of a limit, when it is a short one."""
_DELAY: Final = 1 / 8
"""The part of a limit that is left unused at most, for another delay such as there has been."""
_FIRST_BATCH: Final = 1
_UNTIMED_BATCH: Final = 4096


@dataclass(frozen=True, slots=True)
class Prospect:
    """What a search thinks of an action.

    Attributes:
        action: the action.
        simulations: how many took it.
        expected: what they brought on average: 1 is a win, a half one shared by two.
    """

    action: Action
    simulations: int
    expected: float


@dataclass(frozen=True, slots=True)
class Budget:
    """When a search ends: at whichever comes first.

    Attributes:
        simulations: so many, 1 to `MAX_SIMULATIONS`.
        seconds: after so long; None: however long it takes.
        threads: trees grown side by side, each with its share of the simulations.

    Raises:
        BotError: a number out of its range.
    """

    simulations: int = MAX_SIMULATIONS
    seconds: float | None = None
    threads: int = 1

    def __post_init__(self) -> None:
        for name, most in (("simulations", MAX_SIMULATIONS), ("threads", 64)):
            if not is_whole(getattr(self, name), 1, most):
                raise BotError(
                    f"{name} is {quoted(getattr(self, name))}: "
                    f"expected a whole number from 1 to {most}"
                )
        seconds: object = self.seconds
        if seconds is not None and not (
            isinstance(seconds, int | float) and seconds is not True and 0 < seconds <= 3600
        ):
            raise BotError(f"seconds is {quoted(seconds)}: expected a number above 0, up to 3600")


PLAYOUT_SETTINGS: Final = {"networks": LED, "greedy": GREEDY, "random": RANDOM}
"""What a search can do beyond its tree, and how it is told so."""


@dataclass(frozen=True, slots=True)
class Style:
    """How a search goes on from its tree, and what it imagines.

    Attributes:
        playouts: ``"networks"`` lead the search and nothing is played on; else what playouts
            follow: ``"greedy"``, the policy, or ``"random"``, any legal action.
        rounds: round ends until playouts stop and guess who wins, up to `MAX_ROUNDS`; 0: they go
            to the end of the game.
        remembers: the search imagines only what fits what its seat remembers.
        guesses: it imagines rather what fits what the others have played, as a network guesses.

    Raises:
        BotError: rounds out of its range, or no such playouts.
    """

    playouts: str = "networks"
    rounds: int = 2
    remembers: bool = True
    guesses: bool = False

    def __post_init__(self) -> None:
        if self.playouts not in PLAYOUT_SETTINGS:
            raise BotError(
                f"playouts is {quoted(self.playouts)}: expected {', '.join(PLAYOUT_SETTINGS)}"
            )
        if not is_whole(self.rounds, 0, MAX_ROUNDS):
            raise BotError(
                f"rounds is {quoted(self.rounds)}: expected a whole number from 0 to {MAX_ROUNDS}"
            )

    @property
    def settings(self) -> NDArray[np.int64]:
        """The same as the compiled search is told it."""
        settings = np.zeros(SETTINGS, np.int64)
        settings[PLAYOUTS] = PLAYOUT_SETTINGS[self.playouts]
        settings[ROUNDS], settings[GUESSES] = self.rounds, self.guesses
        return settings


@dataclass(frozen=True, slots=True)
class _Limit:
    """When a search has to end by a clock, how often it looks at it, what delays it expects."""

    clock: Callable[[], float]
    deadline: float
    batch: float
    delay: float

    @classmethod
    def after(cls, seconds: float, clock: Callable[[], float]) -> Self:
        batch = min(_BATCH_SECONDS, seconds / _BATCHES)
        return cls(clock, clock() + seconds, batch, _DELAY * seconds)


class _Kept(threading.local):
    """The memory of a thread's searches, kept from one to the next."""

    def __init__(self) -> None:
        self._room = new_room(np.zeros(1, np.uint16), NODES)

    def room_for(self, observation: State) -> Room:
        """Room for a new search."""
        self._room.size[0] = 0
        return self._room._replace(deck=new_deck_for(observation))


_kept: Final = _Kept()


def think(  # noqa: PLR0913 (all but two have defaults)
    observation: State,
    memories: Memories | None = None,
    *,
    budget: Budget,
    style: Style = Style(),
    seed: int = 0,
    clock: Callable[[], float] = time.perf_counter,
) -> list[Prospect]:
    """Searches for the best action, from what a seat knows.

    With a budget of simulations alone, the same arguments give the same prospects.

    Args:
        observation: of the seat whose turn it is; see `fugger.rules.information.observe`.
        memories: what the seat remembers, an array of one; nothing by default.
        budget: when to end.
        style: how to play on from the tree.
        seed: settles what the search leaves to chance.
        clock: tells the seconds since some moment.

    Returns:
        A prospect for every legal action, the best first: the one taken most often.

    Raises:
        BotError: it isn't the turn of the seat that observes.
    """
    if not (
        observation.stage == TURNS
        and observation.recipient == NOBODY
        and observation.viewer in {observation.player, ALL_KNOWING}
    ):
        raise BotError(
            "there is nothing to think about: expected an observation of whose turn it is"
        )
    observations = states_from_bytes(observation.tobytes())
    legal = legal_actions(observation)
    remembered = no_memories(1) if memories is None or not style.remembers else memories
    shares = _shares(budget.simulations, budget.threads)
    limit = None if budget.seconds is None else _Limit.after(budget.seconds, clock)

    def grow(thread: int) -> NDArray[np.int64]:
        rng = generator(seed, thread)
        return _grow(observations, remembered, shares[thread], limit, style, rng)

    if legal & (legal - 1) == 0:
        roots = [np.zeros((ACTIONS, COLUMNS), np.int64)]
    elif len(shares) == 1:
        roots = [grow(0)]
    else:
        with ThreadPoolExecutor(len(shares)) as threads:
            roots = list(threads.map(grow, range(len(shares))))
    root = sum(roots[1:], roots[0])
    prospects = [
        Prospect(
            action,
            int(root[action, VISITS]),
            float(root[action, REWARD] / (WHOLE * max(1, root[action, VISITS]))),
        )
        for action in actions_in(legal)
    ]
    return sorted(prospects, key=lambda one: (-one.simulations, -one.expected, one.action))


def _shares(simulations: int, threads: int) -> Sequence[int]:
    threads = min(threads, simulations)
    return [(simulations + thread) // threads for thread in range(threads)]


def _grow(  # noqa: PLR0913, PLR0917 (as `think`)
    observations: States,
    remembered: Memories,
    simulations: int,
    limit: _Limit | None,
    style: Style,
    rng: Generator,
) -> NDArray[np.int64]:
    """A tree grown by one thread: its root's rows."""
    memories = no_memories(2)
    memories[0] = remembered[0]
    room, settings, leading = _kept.room_for(observations[0]), style.settings, networks()
    batch = _UNTIMED_BATCH if limit is None else _FIRST_BATCH
    done, slowest = 0, 0.0
    while done < simulations:
        batch = min(batch, simulations - done)
        begun = 0.0 if limit is None else limit.clock()
        if limit is not None and done and begun + max(limit.batch, slowest) > limit.deadline:
            break
        search(observations, memories, batch, settings, leading, rng, room)
        done += batch
        if limit is not None:
            taken = limit.clock() - begun
            slowest = min(max(slowest, taken), limit.delay)  # a busy machine is so again
            batch = max(1, int(batch * min(4.0, limit.batch / max(taken, 1e-6))))
    return room.tree[:ACTIONS].astype(np.int64)
