"""Records of simulated games: a game's events to its text, and the file that the texts go to."""

from __future__ import annotations

import os
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, Self

from fugger.arena.match import DEAL, EVENTS_END, MONEY, RECIPIENT_STEP, ROUND_END
from fugger.record import compose
from fugger.record.form import DEALS, RESULT, SETUP_TAGS
from fugger.rules import RULES_VERSION
from fugger.rules.actions import ACTION_TEXTS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

    import numpy as np
    from numpy.typing import NDArray

    from fugger.arena.simulation import Start

_TEXTS: Final = dict(enumerate(ACTION_TEXTS)) | {
    DEAL + RECIPIENT_STEP * recipient + card: text for text, (recipient, card) in DEALS.items()
}
"""The notation of every event but the end of a round."""
_ROUND_END: Final = bytes([ROUND_END])


def game_texts(
    events: NDArray[np.uint8], outcomes: NDArray[np.int64], headers: Iterator[dict[str, str]]
) -> Iterator[str]:
    """The records of games played.

    Args:
        events: as `fugger.arena.match.play_games` writes them.
        outcomes: a row for each game.
        headers: each game's tags but for its result.
    """
    begin = 0
    for outcome, tags in zip(outcomes.tolist(), headers, strict=True):
        end = outcome[EVENTS_END]
        # Every game ends with a round, so nothing follows the last round's end.
        *rounds, _ = events[begin:end].tobytes().split(_ROUND_END)
        begin = end
        tokens = [_TEXTS[event] for events_of_round in rounds for event in events_of_round]
        players = int(tags["Players"])
        tags[RESULT] = " ".join(map(str, outcome[MONEY : MONEY + players]))
        yield compose(tags, tokens, accumulate(map(len, rounds)))


def header(start: Start, seed: int, game: int) -> dict[str, str]:
    """A simulated game's tags but for its result; `game` is counted from 0."""
    setup = (start.edition, len(start.bots), start.first(game) + 1, start.target, RULES_VERSION)
    tags = dict(zip(SETUP_TAGS, map(str, setup), strict=True))
    tags["Event"] = f"simulation, seed {seed}"
    tags["Game"] = str(game + 1)
    tags |= {f"Seat{seat + 1}": bot for seat, bot in enumerate(start.bots)}
    return tags


class RecordFile:
    """Where the records of a simulation go: a context manager.

    A path's file is replaced as a whole when the context is left; an error inside leaves it as it
    was. What can't be replaced, a pipe or a device, is written as it comes, and so is a file
    already open.

    Args:
        target: a path, or a binary file open for writing.

    Raises:
        OSError: it can't be written; every error tells which file.
    """

    def __init__(self, target: str | os.PathLike[str] | BinaryIO) -> None:
        self._path: Path | None = None
        self._part: Path | None = None
        self._opened: BinaryIO | None = None
        if not isinstance(target, str | os.PathLike):
            self._name = str(getattr(target, "name", "the file"))
            self._file = target
            return
        self._name = os.fspath(target)
        path = Path(target)
        try:
            if not path.exists() or path.is_file():
                path = self._path = path.resolve()  # a link stays, what it points to is replaced
                path = self._part = path.with_name(f"{path.name}.part")
            # Unbuffered, so that an interruption leaves nothing in a buffer to be written later.
            self._file = self._opened = path.open("wb", buffering=0)
        except OSError as error:
            raise self._explained(error) from None

    def write(self, text: bytes) -> None:
        """Adds to the file."""
        left = memoryview(text)
        try:
            while left:
                left = left[self._file.write(left) :]
        except OSError as error:
            raise self._explained(error) from None

    def cut(self, size: int) -> None:
        """Keeps the first `size` bytes alone; of what can't be replaced, everything."""
        if self._part is not None:
            self._file.truncate(size)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            if self._part is None or self._path is None:
                self._file.flush()
            elif error is None:
                os.fsync(self._file.fileno())  # else a power cut could leave the name, but no text
                self._file.close()
                self._part.replace(self._path)
        except OSError as failure:
            raise self._explained(failure) from None
        finally:
            if self._opened is not None:
                self._opened.close()
            if self._part is not None:
                self._part.unlink(missing_ok=True)

    def _explained(self, error: OSError) -> OSError:
        why = f"the records can't be written: {error.strerror or error}"
        return OSError(error.errno, why, self._name)
