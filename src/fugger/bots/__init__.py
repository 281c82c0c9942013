"""Bots: whoever maps an observation to an action.

>>> import random, fugger
>>> from fugger.bots import bot_named
>>> game = fugger.Game(players=2)
>>> game.deal_all(random.Random(1))
>>> bot = bot_named("greedy", seed=1)
>>> action = bot.choose(game.observe(game.player))
>>> action in game.legal_actions
True
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Protocol

from fugger.bots.simple import greedy, uniform
from fugger.chance import Generator, generator
from fugger.errors import BotError, quoted
from fugger.rules.fields import fields_from_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fugger.rules.state import State

    Policy = Callable[[State, Generator], int]
    """A function that may be compiled: from an observation it may change, and a generator, to an
    action's number."""


class Bot(Protocol):
    """A player who is no human: told what a seat knows, it says what the seat does."""

    @property
    def name(self) -> str:
        """What the bot is called."""

    def choose(self, observation: State) -> int:
        """The number of a legal action for the seat the observation is of, whose turn it is."""


POLICIES: Final[Mapping[str, Policy]] = MappingProxyType({"random": uniform, "greedy": greedy})
"""The bots that are a policy and nothing else, by name."""

NAMES: Final = tuple(POLICIES)
"""The bots there are, from the weakest to the strongest."""


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
        own = fields_from_bytes(observation.tobytes())
        return int(self._policy(own, self._rng))


def bot_named(name: str, seed: int = 0) -> Bot:
    """A bot by its name; with the same seed and the same observations it acts the same.

    Raises:
        BotError: there is none of this name.
    """
    if name not in POLICIES:
        raise BotError(f"{quoted(name)} is no bot: expected {' or '.join(NAMES)}")
    return PolicyBot(name, POLICIES[name], generator(seed))
