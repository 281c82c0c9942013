"""Where games are kept: running ones after every action, finished ones for good.

In the user's data folder, or the folder that FUGGER_DATA_DIR names:

===============  ================================================================
``unfinished/``  one record for each running game, and a lock while it is played
``games/``       the records of finished games
``damaged/``     running games that could not be read: set aside, never deleted
===============  ================================================================
"""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

import platformdirs

from fugger import record
from fugger.errors import FuggerError

if TYPE_CHECKING:
    from fugger.game import Game

try:
    import fcntl
except ImportError:  # no such locks on Windows: there one game must not be played twice at once
    fcntl = None  # type: ignore[assignment]  # None is asked for below

RUNNING: Final = "unfinished"
FINISHED: Final = "games"
DAMAGED: Final = "damaged"


def data_folder() -> Path:
    """The folder all games are kept in."""
    named = os.environ.get("FUGGER_DATA_DIR")
    return Path(named) if named else Path(platformdirs.user_data_dir("fugger", appauthor=False))


class InUse(FuggerError):  # noqa: N818 (named like IllegalAction)
    """The game is being played in another terminal."""


class Autosave:
    """The file of one running game, which this process alone may write.

    Args:
        path: the file, new or of a game to be resumed.

    Raises:
        InUse: another process plays this game.
        FuggerError: the folder can't be written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock_path = path.with_suffix(".lock")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._lock: IO[str] = self._lock_path.open("w")
        except OSError as error:
            raise FuggerError(
                f"no game can be saved in {path.parent}: {error.strerror}; "
                "name another folder in FUGGER_DATA_DIR"
            ) from error
        if fcntl is not None:
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                self._lock.close()
                raise InUse(f"{path} is being played in another terminal") from None

    @classmethod
    def of_new_game(cls) -> Autosave:
        """The file for a game that begins now."""
        name = f"{datetime.now():%Y-%m-%d-%H%M%S}-{secrets.token_hex(3)}.fgr"
        return cls(data_folder() / RUNNING / name)

    def write(self, game: Game) -> None:
        """Writes the game as it is now: the file holds either this or what it held before.

        Raises:
            OSError: it could not be written.
        """
        record.dump(game, self.path)

    def finish(self, game: Game) -> Path:
        """Moves the finished game to its place; the file's new path.

        Raises:
            OSError: it could not be written.
        """
        kept = data_folder() / FINISHED / self.path.name
        kept.parent.mkdir(parents=True, exist_ok=True)
        record.dump(game, kept)
        self.path.unlink(missing_ok=True)
        self.release()
        return kept

    def release(self) -> None:
        """Lets other processes play the game."""
        # The lock's file stays with the game: were it removed, two processes could each lock one.
        self._lock.close()
        if not self.path.exists():
            self._lock_path.unlink(missing_ok=True)


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A game that was left unfinished.

    Attributes:
        path: its file.
        saved: when it was last written.
        game: the game.
        lost: text at the end of the file that couldn't be read.
    """

    path: Path
    saved: datetime
    game: Game
    lost: str


def unfinished_games() -> tuple[list[Unfinished], list[str]]:
    """The games left unfinished, the latest first, and a line for each file that was set aside.

    Games being played in other terminals aren't among them.
    """
    games, set_aside = [], []
    folder = data_folder() / RUNNING
    for path in sorted(folder.glob("*.fgr")) if folder.is_dir() else ():
        if not path.is_file():  # a folder can't be read, reading a pipe might never end
            continue
        try:
            lock = Autosave(path)
        except InUse:
            continue
        try:
            found = _read(path)
            if found.game.is_over:  # the process was killed before it could move the file
                lock.finish(found.game)
            else:
                games.append(found)
        except FileNotFoundError:  # another process has just finished it
            continue
        except FuggerError as error:
            set_aside.append(f"{_kept_as_damaged(path)}: {error}")
            path.unlink()
        finally:
            lock.release()
    return sorted(games, key=lambda found: found.saved, reverse=True), set_aside


def taken_up(path: Path) -> tuple[Autosave, Unfinished]:
    """Locks an unfinished game's file and reads it, as others may have left it since it was found.

    Raises:
        InUse: another process plays this game.
        FuggerError: it has been finished, or damaged, in the meantime.
    """
    autosave = Autosave(path)
    try:
        return autosave, _read(path)
    except FileNotFoundError:
        autosave.release()
        raise FuggerError(f"{path} has been finished in another terminal") from None
    except BaseException:
        autosave.release()
        raise


def _read(path: Path) -> Unfinished:
    saved = datetime.fromtimestamp(path.stat().st_mtime)
    game, lost = record.recover(path.read_bytes())
    if lost:
        _kept_as_damaged(path)
    return Unfinished(path, saved, game, lost)


def _kept_as_damaged(path: Path) -> Path:
    """Copies a file that can't be read, or not to its end, to where damaged ones are kept."""
    kept = data_folder() / DAMAGED / path.name
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_bytes(path.read_bytes())
    return kept
