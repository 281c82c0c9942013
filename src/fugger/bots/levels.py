"""The levels: five opponents, each stronger than the one before, with their measured strength.

`docs/bots.md` tells how strong they are and how each choice was made.
"""

from __future__ import annotations

import time
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from fugger.bots import readiness
from fugger.bots.simple import apprentice, greedy, journeyman, trader, uniform
from fugger.bots.thinking import Budget, Prospect, Style, think
from fugger.chance import Generator, generator
from fugger.rules.actions import Action
from fugger.rules.fields import fields_of
from fugger.rules.state import State, states_from_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fugger.bots.memory import Past

    Policy = Callable[[State, Generator], int]
    """A function that may be compiled: from an observation it may change, and a generator, to an
    action's number."""

LEVELS: Final = ("apprentice", "journeyman", "trader", "factor", "banker")
"""The levels, from the weakest to the strongest."""

POLICIES: Final[Mapping[str, Policy]] = MappingProxyType(
    {
        "random": uniform,
        "greedy": greedy,
        "apprentice": apprentice,
        "journeyman": journeyman,
        "trader": trader,
    }
)
"""The bots that are a policy and nothing else, by name."""

PATIENCE: Final = 1.0
"""Seconds a level thinks at most, on one core."""
SIMULATIONS: Final[Mapping[str, int]] = MappingProxyType({"factor": 100, "banker": 8_000})
"""What the levels that think are allowed for a decision."""
STYLES: Final[Mapping[str, Style]] = MappingProxyType(
    {"factor": Style("greedy"), "banker": Style()}
)
"""How they search; `docs/bots.md` has the matches with other styles."""

_LEAST: Final = 0.001
"""Seconds that a search is given at least."""
_LOADING: Final = 0.6
"""How much of its time a bot waits for compiled code to be loaded, before it does without."""


class PolicyBot:
    """A bot that follows a policy.

    Args:
        name: what it is called.
        policy: what it follows.
        rng: settles what the policy leaves open.
    """

    def __init__(self, name: str, policy: Policy, rng: Generator) -> None:
        self._name = name
        self._policy = policy
        self._rng = rng

    @property
    def name(self) -> str:
        """What the bot is called."""
        return self._name

    def choose(self, observation: State) -> int:
        """The number of the action the policy takes."""
        own = fields_of(states_from_bytes(observation.tobytes()))
        return int(self._policy(own, self._rng))


class SearchBot:
    """A bot that searches, and remembers if it is told the past.

    When its time is limited and the compiled code isn't ready, it has that made ready aside, and
    follows the greedy policy meanwhile.

    Args:
        name: what it is called.
        budget: of each decision.
        style: how it searches.
        seed: settles what it leaves to chance.
    """

    remembers: Final = True

    def __init__(self, name: str, budget: Budget, style: Style, seed: int = 0) -> None:
        self._name = name
        self._budget = budget
        self._style = style
        self._seed = seed

    @property
    def name(self) -> str:
        """What the bot is called."""
        return self._name

    def choose(self, observation: State, past: Past | None = None) -> int:
        """The number of the action that most simulations take."""
        return int(self.advise(observation, past).action)

    def advise(self, observation: State, past: Past | None = None) -> Prospect:
        """The action it would take and what it expects; of no simulations if it can't say."""
        budget = self._budget
        if budget.seconds is not None and not readiness.is_ready():
            begun = time.perf_counter()
            readiness.prepare_aside()
            if not readiness.wait(_LOADING * budget.seconds):
                simple = PolicyBot(self._name, greedy, generator(self._seed))
                return Prospect(Action(simple.choose(observation)), 0, 0.0)
            left = budget.seconds - (time.perf_counter() - begun)
            budget = replace(budget, seconds=max(_LEAST, left))  # on a busy machine none is left
        return self.prospects(observation, past, budget)[0]

    def prospects(
        self, observation: State, past: Past | None = None, budget: Budget | None = None
    ) -> list[Prospect]:
        """What it thinks of each legal action, the best first."""
        return think(
            observation,
            None if past is None else past.memories(),
            budget=self._budget if budget is None else budget,
            style=self._style,
            seed=self._seed,
        )


def thinker(level: str, seed: int = 0, seconds: float | None = PATIENCE) -> SearchBot:
    """A level that thinks, at most so many seconds; None: however long its simulations take."""
    return SearchBot(level, Budget(SIMULATIONS[level], seconds), STYLES[level], seed)


def strongest(seed: int = 0, seconds: float = PATIENCE) -> SearchBot:
    """The strongest level, to be asked for advice; it thinks at most so many seconds."""
    return thinker(LEVELS[-1], seed, seconds)
