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

from typing import TYPE_CHECKING, Final, Protocol

from fugger.bots.levels import (
    LEVELS,
    PATIENCE,
    POLICIES,
    SIMULATIONS,
    PolicyBot,
    SearchBot,
    strongest,
    thinker,
)
from fugger.bots.memory import Past
from fugger.bots.readiness import compile_aside, prepare, prepare_aside
from fugger.bots.thinking import PLAYOUT_SETTINGS, Budget, Prospect, Style, think
from fugger.chance import generator
from fugger.errors import BotError, quoted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fugger.rules.state import State

__all__ = [
    "LEVELS",
    "NAMES",
    "POLICIES",
    "Bot",
    "Budget",
    "Past",
    "PolicyBot",
    "Prospect",
    "SearchBot",
    "Style",
    "act",
    "bot_named",
    "compile_aside",
    "prepare",
    "prepare_aside",
    "strongest",
    "think",
]


class Bot(Protocol):
    """A player who is no human: told what a seat knows, it says what the seat does."""

    @property
    def name(self) -> str:
        """What the bot is called."""

    def choose(self, observation: State) -> int:
        """The number of a legal action for the seat the observation is of, whose turn it is."""


NAMES: Final = (*LEVELS, "greedy", "random")
"""The bots there are: the levels, from the weakest to the strongest, and two plain policies."""

SEARCH: Final = "search:"
"""``search:simulations=1000,rounds=0`` is a search with a budget and a style of one's own."""

_WORDS: Final[Mapping[str, Mapping[str, str | bool]]] = {
    "playouts": {name: name for name in PLAYOUT_SETTINGS},
    "memory": {"yes": True, "no": False},
    "guesses": {"yes": True, "no": False},
}


def bot_named(name: str, seed: int = 0, most_seconds: float | None = None) -> Bot:
    """A bot by its name; with the same seed and the same observations it acts the same.

    Besides `NAMES`, ``search:`` followed by options: ``simulations``, ``seconds``, ``threads``
    (see `Budget`), ``playouts`` (``networks``, ``greedy`` or ``random``), ``rounds``, ``memory``
    and ``guesses`` (``yes`` or ``no``; see `Style`), as in ``search:simulations=70,memory=no``.
    What isn't said is as the strongest level has it, but 1000 simulations without any budget.

    Args:
        name: what it is called.
        seed: settles what it leaves to chance.
        most_seconds: a level that thinks takes no longer for a decision; its own limit by default.

    Raises:
        BotError: there is none of this name.
    """
    if not isinstance(name, str):
        raise BotError(f"{quoted(name)} is no bot: expected a name such as {LEVELS[0]}")
    if name.startswith(SEARCH):
        return _search_bot(name, seed)
    if name in SIMULATIONS:
        return thinker(
            name, seed, PATIENCE if most_seconds is None else min(PATIENCE, most_seconds)
        )
    if name not in POLICIES:
        known = ", ".join(NAMES[:-1])
        raise BotError(f"{quoted(name)} is no bot: expected {known} or {NAMES[-1]}")
    return PolicyBot(name, POLICIES[name], generator(seed))


def act(bot: Bot, observation: State, past: Past | None = None) -> int:
    """The number of the action that a bot takes.

    Args:
        bot: who is asked.
        observation: what its seat knows.
        past: what has happened, for bots that remember; without it they go by what they see.
    """
    if isinstance(bot, SearchBot):
        return bot.choose(observation, past)
    return int(bot.choose(observation))


def _search_bot(name: str, seed: int) -> SearchBot:
    budget: dict[str, float] = {}
    style: dict[str, object] = {}
    given = set()
    for option in name.removeprefix(SEARCH).split(","):
        key, _, value = option.partition("=")
        if key in given:
            raise BotError(f"{quoted(option)}: {key} has been given already, expected it once")
        given.add(key)
        try:
            if key in {"simulations", "threads"}:
                budget[key] = int(value)
            elif key == "seconds":
                budget[key] = float(value)
            elif key == "rounds":
                style[key] = int(value)
            else:
                style["remembers" if key == "memory" else key] = _WORDS[key][value]
        except (KeyError, ValueError):
            raise BotError(
                f"{quoted(option)} is no option of a search: expected simulations=NUMBER, "
                "seconds=NUMBER, threads=NUMBER, rounds=NUMBER, "
                f"playouts={' or '.join(PLAYOUT_SETTINGS)}, memory=yes or no, guesses=yes or no"
            ) from None
    if not given & {"simulations", "seconds"}:
        budget["simulations"] = 1000
    return SearchBot(name, Budget(**budget), Style(**style), seed)  # type: ignore[arg-type]  # checked by them
