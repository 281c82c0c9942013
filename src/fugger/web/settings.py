"""What a server is told when it starts, and the folder where it keeps what must survive."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import platformdirs

from fugger.errors import FuggerError, quoted

_SECRET_BYTES: Final = 32
_SECRET_FILE: Final = "secret.key"  # noqa: S105 (its name alone)


class ServerError(FuggerError):
    """A server that can't start: what is in its way, and what to do about it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a server is told when it starts.

    Attributes:
        data_dir: the folder of the secret key and of the SQLite database.
        database: an SQLAlchemy URL; by default SQLite in the data folder.
        public_url: where others reach the site, without a slash at the end; by default each
            request's own address.
        secure: whether browsers reach the site by https alone.
        bot_pause: seconds a bot waits before it acts, so that people can follow.
        rate: requests a second one client may make in the long run.
        burst: requests one client may make at once.
        table_rate: tables a second one address may make in the long run.
        table_burst: tables one address may make at once.
        streams: streams one address may have open at once.
        body_seconds: a request's body that takes longer to arrive is given up.
    """

    data_dir: Path
    database: str | None = None
    public_url: str | None = None
    secure: bool = False
    bot_pause: float = 0.9
    rate: float = 50.0
    burst: int = 400
    table_rate: float = 0.5
    table_burst: int = 120
    streams: int = 256
    body_seconds: float = 10.0

    @property
    def database_url(self) -> str:
        """The database's URL, with the driver that is used."""
        if self.database is None:
            return f"sqlite:///{self.data_dir / 'fugger.sqlite'}"
        scheme, separator, rest = self.database.partition("://")
        drivers = {
            "sqlite": "sqlite",
            "postgresql": "postgresql+asyncpg",
            "postgres": "postgresql+asyncpg",
            "postgresql+asyncpg": "postgresql+asyncpg",
        }
        if not separator or scheme not in drivers:
            raise ServerError(
                f"{quoted(self.database)} is no database this can use: "
                "expected sqlite:///FILE or postgresql://USER@HOST/NAME"
            )
        return f"{drivers[scheme]}://{rest}"

    @property
    def database_shown(self) -> str:
        """The database's URL without its password."""
        return re.sub(r"(//[^/@]*):[^/]*@", r"\1:***@", self.database or self.database_url)

    @property
    def is_sqlite(self) -> bool:
        """Whether the database is a file of this machine."""
        return self.database_url.startswith("sqlite")

    @property
    def database_file(self) -> Path:
        """The SQLite database's file.

        Raises:
            ServerError: the URL names none.
        """
        name = self.database_url.partition(":///")[2].partition("?")[0]
        if name in {"", ":memory:"}:
            raise ServerError(
                f"{quoted(self.database)} names no file: expected sqlite:///FILE "
                "(a fourth slash for a path from the root)"
            )
        return Path(name)


def default_data_dir() -> Path:
    """Where this user's data goes, like saved games: FUGGER_DATA_DIR if that is set."""
    named = os.environ.get("FUGGER_DATA_DIR")
    return Path(named) if named else platformdirs.user_data_path("fugger", appauthor=False)


def make_data_dir(folder: Path) -> None:
    """Makes the data folder if need be.

    Raises:
        ServerError: it can't be made or written to.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        probe = folder / f".writable-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise ServerError(
            f"the data folder {folder} can't be written: {error.strerror}; "
            "choose another one with --data-dir"
        ) from None


def secret_key(folder: Path) -> bytes:
    """The server's secret key, made at the first start in a file that only its owner can read.

    Raises:
        ServerError: the file is there but can't be read, or isn't a key.
    """
    file = folder / _SECRET_FILE
    try:
        # Made under another name first: two servers starting at once must not read half a key.
        if not file.exists():
            part = folder / f"{_SECRET_FILE}.{os.getpid()}"
            descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            try:
                with os.fdopen(descriptor, "w", encoding="ascii") as opened:
                    opened.write(secrets.token_hex(_SECRET_BYTES))
                with contextlib.suppress(FileExistsError):
                    os.link(part, file)
            except OSError as error:
                raise ServerError(
                    f"the secret key {file} can't be made: {error.strerror}; "
                    "make room, or choose another folder with --data-dir"
                ) from None
            finally:
                part.unlink()
        key = bytes.fromhex(file.read_text(encoding="ascii").strip())
    except (OSError, ValueError) as error:
        raise ServerError(
            f"the secret key {file} can't be read: {error}; "
            "put it back, or remove it to make a new one (everybody is then signed out)"
        ) from None
    if len(key) != _SECRET_BYTES:
        raise ServerError(
            f"the secret key {file} has {len(key)} bytes: expected {_SECRET_BYTES}; "
            "put it back, or remove it to make a new one (everybody is then signed out)"
        )
    return key
