"""Matches kept in a folder, deal by deal, so that they can be stopped and go on.

A match is a file of JSON lines: first what is played, then a line for each deal, in order. A line
that was cut off when the arena was killed is dropped, and its deal played again.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, Protocol

from fugger.arena.contest import new_seed
from fugger.arena.deals import Played
from fugger.errors import ArenaError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path
    from typing import TextIO

    from fugger.arena.contest import Contest

FORMAT: Final = 1


def settings(contest: Contest) -> dict[str, Any]:
    """What fixes a contest's games, for the first line."""
    return {
        "fugger-match": FORMAT,
        "bots": list(contest.bots),
        "players": contest.players,
        "edition": contest.edition,
        "target": contest.gulden,
        "seed": contest.seed,
    }


def seed_kept(path: Path) -> int:
    """The seed of a match kept there; a new one if there is none."""
    try:
        with path.open(encoding="utf-8") as lines:
            return int(json.loads(lines.readline())["seed"])
    except (OSError, ValueError, KeyError, TypeError):
        return new_seed()


class Keeper(Protocol):
    """Where deals are kept."""

    def deals(self) -> Iterable[tuple[Played, ...]]:
        """The deals that had been played before, in order."""

    def add(self, games: tuple[Played, ...]) -> None:
        """Keeps one more deal."""


class Kept:
    """A match's file. A context manager, which closes it.

    Args:
        path: where it is, or will be.
        contest: what is played.

    Raises:
        ArenaError: the file is another match's, or can't be read or written.
    """

    def __init__(self, path: Path, contest: Contest) -> None:
        self._path = path
        self._deals: list[tuple[Played, ...]] = []
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            whole = self._read(contest) if path.exists() else 0
            self._file: TextIO = path.open("a", encoding="utf-8")
            self._file.truncate(whole)
            if not whole:
                self._line(settings(contest))
        except OSError as error:
            raise ArenaError(f"{path}: {error.strerror or error}") from None

    def _read(self, contest: Contest) -> int:
        """Reads what has been played; how many bytes of it are whole lines."""
        whole = 0
        for number, line in enumerate(self._path.read_bytes().splitlines(keepends=True)):
            if not line.endswith(b"\n"):
                break
            try:
                found = json.loads(line)
                if number:
                    self._deals.append(tuple(_played(game) for game in found["games"]))
            except (ValueError, KeyError, TypeError, IndexError):
                raise ArenaError(
                    f"{self._path}, line {number + 1}: expected a deal of a match kept by fugger"
                ) from None
            if not number and found != settings(contest):
                raise ArenaError(
                    f"{self._path} holds another match, {_told(found)}: "
                    f"expected {_told(settings(contest))}"
                )
            whole += len(line)
        return whole

    def deals(self) -> Iterator[tuple[Played, ...]]:
        """The deals that had been played when the file was opened."""
        return iter(self._deals)

    def add(self, games: tuple[Played, ...]) -> None:
        """Keeps one more deal."""
        self._line(
            {
                "games": [
                    {
                        "money": game.money,
                        "winners": game.winners,
                        "rounds": game.rounds,
                        "decisions": game.decisions,
                        "forfeits": game.forfeits,
                    }
                    for game in games
                ]
            }
        )

    def _line(self, value: dict[str, Any]) -> None:
        try:
            self._file.write(json.dumps(value, separators=(",", ":")) + "\n")
            self._file.flush()
        except OSError as error:
            raise ArenaError(f"{self._path}: {error.strerror or error}") from None

    def __enter__(self) -> Kept:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


def _played(game: dict[str, Any]) -> Played:
    return Played(
        money=tuple(map(int, game["money"])),
        winners=tuple(map(int, game["winners"])),
        rounds=int(game["rounds"]),
        decisions=int(game["decisions"]),
        forfeits={int(seat): str(reason) for seat, reason in game["forfeits"].items()},
    )


def _told(found: Any) -> str:
    if not isinstance(found, dict) or "bots" not in found:
        return "or no match at all"
    return ", ".join(f"{key} {value}" for key, value in found.items() if key != "fugger-match")
