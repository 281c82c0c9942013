"""Who may play in an arena: this package's bots, installed ones, Python classes and programs.

A name is, in this order, one of `fugger.bots`, an entry point of the group ``fugger.bots``, a path
``module:Class``, or a command that starts a program. All but the first play in processes of their
own and speak the line protocol, Python bots through `fugger.bots.adapter`: so one that errs, hangs
or crashes forfeits, whatever it is written in.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Final, Self

from fugger.bots import NAMES, SEARCH
from fugger.bots.players import Forfeit, LevelPlayer
from fugger.bots.programs import Program
from fugger.errors import BotError, quoted

if TYPE_CHECKING:
    from types import TracebackType

    from fugger.bots.players import Player
    from fugger.bots.programs import Limits

GROUP: Final = "fugger.bots"
"""The entry points that are bots: each a class, or a function from a seed to a bot."""

_SHOWN: Final = 80
_SEPARATORS: Final = tuple(filter(None, (os.sep, os.altsep)))


def player_named(text: str, limits: Limits | None = None) -> Player:
    """A player by the name of its bot, which isn't started yet.

    Args:
        text: the name, see above.
        limits: how long it may take, unless it is one of this package's.

    Raises:
        BotError: it names nothing; the message says what would.
    """
    text = str(text)  # whatever else it is, is no bot's name either
    if text in NAMES or text.startswith(SEARCH):
        return LevelPlayer(text)
    return Program(_command_of(text), limits)


def check_bot(text: str, limits: Limits | None = None) -> None:
    """Refuses a bot that can't be had; a program is started, and ended once it is ready.

    Args:
        text: its name, as for `player_named`.
        limits: how long it may take.

    Raises:
        BotError: what is wrong with it.
    """
    player = player_named(text, limits)
    if isinstance(player, Program):
        try:
            player.start()
        except Forfeit as forfeit:
            raise BotError(f"{quoted(text, _SHOWN)} can't play: {forfeit}") from None
        finally:
            player.close()


class Company:
    """Players who have come to an arena and wait to be seated.

    A context manager, which sends them home in the end.

    Args:
        limits: how long those may take that aren't this package's.
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits
        self._players: dict[tuple[str, int], Player] = {}

    def sit(self, bot: str, copy: int) -> Player:
        """A copy of a bot, the same one whenever it is asked for.

        Raises:
            BotError: there is no such bot.
        """
        if (bot, copy) not in self._players:
            self._players[bot, copy] = player_named(bot, self._limits)
        return self._players[bot, copy]

    def close(self) -> None:
        """Sends everyone home."""
        while self._players:
            self._players.popitem()[1].close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def _command_of(text: str) -> tuple[str, ...]:
    for entry in entry_points(group=GROUP, name=text):
        return _adapted(f"{entry.module}:{entry.attr}")
    if _is_path_of_class(text):
        return _adapted(text)
    has_words = bool(text.split()[1:]) or any(sign in text for sign in _SEPARATORS)
    if not has_words and not (text and shutil.which(text)):
        raise BotError(
            f"{quoted(text, _SHOWN)} is no bot: expected {', '.join(NAMES)}, {_installed()}"
            "module:Class for a Python class, or a command that starts a program"
        )
    try:
        words = shlex.split(text, posix=os.name != "nt")
    except ValueError as error:
        raise BotError(f"{quoted(text, _SHOWN)} is no command: {str(error).lower()}") from None
    found = shutil.which(words[0]) if words else None
    if found:
        return (found, *words[1:])
    if words and os.path.exists(words[0]):  # noqa: PTH110 (a Path objects to long names)
        raise BotError(
            f"{quoted(words[0], _SHOWN)} can't be executed: make it executable, or say what runs "
            'it, as in "python3 bot.py"'
        )
    raise BotError(f"there is no program {quoted(words[0] if words else text, _SHOWN)}")


def _adapted(path: str) -> tuple[str, ...]:
    return (sys.executable, "-m", "fugger.bots.adapter", path)


def _is_path_of_class(text: str) -> bool:
    module, _, names = text.partition(":")
    return all(part.isidentifier() for part in (*module.split("."), *names.split(".")))


def _installed() -> str:
    names = sorted(entry_points(group=GROUP).names)
    return "".join(f"{name}, " for name in names)
