"""Who may play in an arena: this package's bots, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from fugger.bots import bot_named
from fugger.bots.players import LevelPlayer

if TYPE_CHECKING:
    from types import TracebackType

    from fugger.bots.players import Player


def check_bot(text: str) -> None:
    """Refuses a bot that can't be had.

    Raises:
        BotError: what is wrong with it.
    """
    bot_named(text)


class Company:
    """Players who have come to an arena and wait to be seated.

    A context manager, which sends them home in the end.
    """

    def __init__(self) -> None:
        self._players: dict[tuple[str, int], Player] = {}

    def sit(self, bot: str, copy: int) -> Player:
        """A copy of a bot, the same one whenever it is asked for."""
        if (bot, copy) not in self._players:
            self._players[bot, copy] = LevelPlayer(bot)
        return self._players[bot, copy]

    def close(self) -> None:
        """Sends everyone home."""
        for player in self._players.values():
            player.close()
        self._players.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
