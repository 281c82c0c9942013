"""The database's history (Alembic): brings any database up to the present tables."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy import inspect, text

from fugger.web.store import metadata

if TYPE_CHECKING:
    from sqlalchemy import Connection

FOLDER: Final = Path(__file__).parent


def upgrade(connection: Connection) -> None:
    """Brings a database up to date, in the connection's transaction.

    A new one gets the present tables at once. So Alembic, which takes as long to import as much of
    a server's start, is needed only after an update of the program.

    Raises:
        ValueError: the database is at a revision that isn't one of ours.
    """
    version = version_of(connection)
    if version == newest():
        return
    if version is not None and not any((FOLDER / "versions").glob(f"{version}_*.py")):
        raise ValueError(f"its revision {version} is none of this fugger's: is it a newer one's?")
    if not inspect(connection).get_table_names():
        metadata.create_all(connection)
        connection.execute(
            text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)")
        )
        connection.execute(
            text("INSERT INTO alembic_version VALUES (:newest)"), {"newest": newest()}
        )
        return
    migrate(connection)


def migrate(connection: Connection) -> None:
    """Takes an empty or an older database through the changes it hasn't seen."""
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    # Alembic reads % as the beginning of a reference.
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def version_of(connection: Connection) -> str | None:
    """The revision a database is at; None for an empty one."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def newest() -> str:
    """The last revision; revisions are numbered, and so are their files."""
    return max(file.name for file in (FOLDER / "versions").glob("[0-9]*.py")).partition("_")[0]
