"""What a learner's environment is asked for: its opponents, and what an illegal action does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fugger.bots import POLICIES
from fugger.bots.players import LevelPlayer
from fugger.envs.rewards import WIN_SHARE, reward_named
from fugger.errors import BotError, SetupError, is_whole, quoted
from fugger.rules.state import MAX_PLAYERS

if TYPE_CHECKING:
    from fugger.bots import Bot
    from fugger.editions import Edition

ILLEGAL_ACTIONS: Final = ("lose", "error")
"""What an illegal action can do: end the game, or raise an error."""


def opponents_of(opponents: object, players: object) -> list[str | Bot]:
    """Who plays against the learner, clockwise from its left neighbour.

    Raises:
        BotError: no such bots, or not as many as there are others.
    """
    if not is_whole(players, 2, MAX_PLAYERS):
        return []  # which is refused by whoever knows how many can play
    others = int(players) - 1
    listed = [opponents] * others if isinstance(opponents, str) else opponents
    if not isinstance(listed, list | tuple):
        raise BotError(f"opponents is {quoted(opponents)}: expected a bot's name, or a list")
    if len(listed) != others:
        raise BotError(f"opponents is {quoted(opponents)}: expected {others}, one for each other")
    for bot in listed:
        if isinstance(bot, str):
            LevelPlayer(bot)  # which says what is wrong with the name
        elif not callable(getattr(bot, "choose", None)):
            raise BotError(f"{quoted(bot)} is no bot: expected a name, or what has a method choose")
    return list(listed)


def is_policy(bot: object) -> bool:
    """Whether it is the name of a bot that acts in compiled code."""
    return isinstance(bot, str) and bot in POLICIES


def illegal_reward(
    illegal_action: object, reward: str, edition: Edition, target: int | None
) -> float | None:
    """What an illegal action brings who takes it, if that is no error.

    Raises:
        SetupError: no such thing can be done about it, or there is no such reward.
    """
    if illegal_action not in ILLEGAL_ACTIONS:
        expected = " or ".join(ILLEGAL_ACTIONS)
        raise SetupError(f"illegal_action is {quoted(illegal_action)}: expected {expected}")
    return None if illegal_action == "error" else penalty(reward, edition, target)


def penalty(reward: str, edition: Edition, target: int | None) -> float:
    """What an illegal action that ends the game brings: -1, or as a margin minus the target.

    Raises:
        SetupError: there is no such reward.
    """
    if reward_named(reward) == WIN_SHARE:
        return -1.0
    return -float(edition.target if target is None else target)
