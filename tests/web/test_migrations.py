"""The database's history: any start brings it to the present tables."""

from __future__ import annotations

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, event, inspect

from fugger.web.migrations import FOLDER, migrate, newest, upgrade, version_of
from fugger.web.store import metadata


@pytest.fixture
def connection(tmp_path):
    engine = create_engine(f"sqlite:///{tmp_path / 'a b%c.sqlite'}")
    with engine.begin() as opened:
        yield opened
    engine.dispose()


@pytest.mark.parametrize("way", [upgrade, migrate])
def test_a_fresh_database_gets_the_present_tables(connection, way):
    way(connection)

    assert newest() == version_of(connection)
    assert [] == compare_metadata(MigrationContext.configure(connection), metadata)
    assert {*metadata.tables, "alembic_version"} == set(inspect(connection).get_table_names())


def test_a_database_that_is_up_to_date_is_left_alone(connection):
    upgrade(connection)
    statements = []
    event.listen(connection, "before_cursor_execute", lambda *told: statements.append(told[2]))
    upgrade(connection)

    assert newest() == version_of(connection)
    assert not [one for one in statements if one.split()[0] not in {"SELECT", "PRAGMA"}]


def test_both_ways_make_the_same_tables(tmp_path):
    made = []
    for way in (upgrade, migrate):
        engine = create_engine(f"sqlite:///{tmp_path / way.__name__}")
        with engine.begin() as connection:
            way(connection)
            found = inspect(connection)
            made.append(
                {
                    name: (
                        [str(column) for column in found.get_columns(name)],
                        found.get_indexes(name),
                        found.get_foreign_keys(name),
                        found.get_pk_constraint(name),
                    )
                    for name in metadata.tables
                }
            )
        engine.dispose()

    assert made[0] == made[1]


def test_a_database_made_at_once_takes_later_changes(connection):
    upgrade(connection)
    migrate(connection)

    assert newest() == version_of(connection)


def test_the_newest_file_is_the_newest_revision():
    assert newest() == ScriptDirectory(str(FOLDER)).get_current_head()
