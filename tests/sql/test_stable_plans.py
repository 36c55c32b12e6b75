"""SQLite compiles a statement once for each connection, whichever org is bound to it."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from commonplace.storage.sqlite.connections import open_connection
from commonplace.storage.sqlite.migrate import migrate
from commonplace.storage.statements import Statement
from tests.sql.folders import bare, load

READING = [
    name
    for name, statement in load("sqlite").items()
    if "org" in statement.parameters
    and re.match(r"\s*SELECT", bare(statement))
    # The text index compiles statements of its own.
    and "passages_fts" not in statement.sql
]
VALUES: dict[str, object] = {
    "limit": 1,
    "offset": 0,
    "most": 1,
    "steps": 1,
    "tokens": 1,
    "span": 1,
    "after": 0,
}


@pytest.fixture(scope="module")
def connection(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    file: Path = tmp_path_factory.mktemp("planned") / "commonplace.db"
    migrate(file)
    with closing(open_connection(file)) as opened:
        yield opened


def test_a_plan_outlives_the_org_that_it_was_made_for(connection: sqlite3.Connection) -> None:
    compiled = {name: compiled_for_another(connection, load("sqlite")[name]) for name in READING}
    assert {name: parts for name, parts in compiled.items() if parts} == {}


def compiled_for_another(connection: sqlite3.Connection, statement: Statement) -> list[str]:
    """What SQLite looks up to compile a statement for an org after it ran for a first one."""
    values = {parameter: VALUES.get(parameter, "[]") for parameter in statement.parameters}
    sql = statement.with_stable_plan()
    connection.execute(sql, values | {"org": "one"}).fetchall()
    compiled: list[str] = []

    def allowed(_action: int, *named: str | None) -> int:
        compiled.append(" ".join(filter(None, named)))
        return sqlite3.SQLITE_OK

    connection.set_authorizer(allowed)
    # Setting an authorizer makes every statement stale once.
    connection.execute(sql, values | {"org": "one"}).fetchall()
    compiled.clear()
    connection.execute(sql, values | {"org": "another"}).fetchall()
    connection.set_authorizer(None)
    return compiled
