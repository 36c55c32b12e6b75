"""An org is erased with everything that it has; nothing of another one goes."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import psycopg
import pytest

from commonplace.errors import InvalidArgument, NotFound
from commonplace.model.activity import CallCount, Outcome, QuestionDraft
from tests.generate import ALICE, EVE
from tests.stores import START, Database
from tests.transfer.places import Server, fill


def rows_of(database: Database, org: str) -> dict[str, int]:
    """How many rows each table has of an org, whatever the table is."""
    if database.dialect == "sqlite":
        with closing(sqlite3.connect(database.address)) as file:
            tables = [
                name
                for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
                if "org" in {row[1] for row in file.execute(f"PRAGMA table_info({name})")}
            ]
            counts = {
                table: file.execute(f"SELECT count(*) FROM {table} WHERE org = ?", (org,))
                for table in tables
            }
            return {table: count.fetchone()[0] for table, count in counts.items()}
    with psycopg.connect(database.address) as connection:
        found = connection.execute(
            "SELECT table_name FROM information_schema.columns "
            "WHERE table_schema = 'commonplace' AND column_name = 'org'"
        ).fetchall()
        return {
            table: connection.execute(
                f"SELECT count(*) FROM commonplace.{table} WHERE org = %s".encode(),
                (org,),
            ).fetchone()[0]  # type: ignore[index]
            for (table,) in found
        }


@pytest.fixture
def server(database: Database) -> Server:
    made = Server(database)
    fill(made)
    with made.store.write(ALICE) as tx:
        tx.questions.add([QuestionDraft("a", "c", START, "recall", "q", Outcome.FOUND, ())])
        tx.call_counts.add([CallCount(START, "recall", "ok", 1, 1)])
    return made


def test_everything_of_an_org_goes_and_nothing_of_another(server: Server) -> None:
    before = rows_of(server.database, EVE.org)
    held = rows_of(server.database, ALICE.org)
    assert held["entries"] > 1
    assert held["chunks"] > 1
    erased = server.transfer.erase_org(EVE, ALICE.org)
    assert erased >= held["entries"] + held["changes"]
    assert not any(rows_of(server.database, ALICE.org).values())
    assert rows_of(server.database, EVE.org) == before
    assert ALICE.org not in server.store.orgs()
    with server.store.read(ALICE) as tx:
        assert tx.questions.newest(9) == []


def test_nobody_erases_their_own_org_or_one_that_is_not_there(server: Server) -> None:
    with pytest.raises(InvalidArgument):
        server.transfer.erase_org(ALICE, ALICE.org)
    with pytest.raises(InvalidArgument):
        server.transfer.erase_org(ALICE, "system")
    with pytest.raises(NotFound):
        server.transfer.erase_org(ALICE, "nobody")
