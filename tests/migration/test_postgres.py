"""Migrations of a PostgreSQL database: the schema they give, failures, newer databases."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest

from commonplace.errors import SchemaTooNew, StorageError
from commonplace.storage.migrations import Migration, migrations_of
from commonplace.storage.port import Store
from commonplace.storage.postgres import migrate as migrating
from tests.generate import ALICE, entry_draft
from tests.processes import add_entries, running
from tests.stores import PostgresDatabases, SteppingClock, open_store

PACKAGE = "commonplace.storage.postgres"
SCHEMA = Path(migrating.__file__).with_name("schema.sql")
NEWEST = migrations_of(PACKAGE)[-1].version
NEXT = NEWEST + 1
WORKS = Migration(NEXT, "works", "CREATE TABLE later (x int); INSERT INTO later VALUES (7)")
FAILS = Migration(NEXT, "fails", "CREATE TABLE later (x int); INSERT INTO absent VALUES (1)")

# Everything that a schema is made of, each as (what, its definition).
SHAPE = """
WITH home AS (SELECT 'commonplace'::regnamespace AS oid),
relations AS (SELECT c.* FROM pg_class c, home WHERE c.relnamespace = home.oid)
SELECT 'relation ' || relname,
       concat_ws(' ', relkind, relrowsecurity, relforcerowsecurity,
                 pg_get_userbyid(relowner), relacl::text)
FROM relations WHERE relkind IN ('r', 'v', 'm', 'S', 'p')
UNION ALL
SELECT 'column ' || r.relname || '.' || a.attname,
       concat_ws(' ', a.attnum, format_type(a.atttypid, a.atttypmod), a.attnotnull,
                 a.attidentity, a.attgenerated, k.collname, pg_get_expr(d.adbin, d.adrelid),
                 a.attacl::text)
FROM relations r
JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN pg_attrdef d ON d.adrelid = r.oid AND d.adnum = a.attnum
LEFT JOIN pg_collation k ON k.oid = a.attcollation
WHERE r.relkind IN ('r', 'v', 'm', 'p')
UNION ALL
SELECT 'constraint ' || coalesce(r.relname, '') || '.' || c.conname, pg_get_constraintdef(c.oid)
FROM home JOIN pg_constraint c ON c.connamespace = home.oid
LEFT JOIN relations r ON r.oid = c.conrelid
UNION ALL
SELECT 'index ' || relname, pg_get_indexdef(oid) FROM relations WHERE relkind = 'i'
UNION ALL
SELECT 'function ' || p.oid::regprocedure,
       concat_ws(' ', pg_get_functiondef(p.oid), pg_get_userbyid(p.proowner), p.proacl::text)
FROM pg_proc p, home WHERE p.pronamespace = home.oid
UNION ALL
SELECT 'policy ' || tablename || '.' || policyname,
       concat_ws(' ', permissive, roles::text, cmd, qual, with_check)
FROM pg_policies WHERE schemaname = 'commonplace'
UNION ALL
SELECT 'trigger ' || r.relname || '.' || t.tgname, pg_get_triggerdef(t.oid)
FROM relations r JOIN pg_trigger t ON t.tgrelid = r.oid WHERE NOT t.tgisinternal
UNION ALL
SELECT 'schema', concat_ws(' ', pg_get_userbyid(n.nspowner), n.nspacl::text)
FROM pg_namespace n, home WHERE n.oid = home.oid
"""


def shape(address: str) -> dict[str, str]:
    with psycopg.connect(address) as connection:
        connection.execute("SET search_path = commonplace, public")
        return dict(connection.execute(SHAPE).fetchall())


def rows(address: str, query: str) -> list[tuple[object, ...]]:
    with psycopg.connect(address) as connection:
        connection.execute("SET search_path = commonplace, public")
        return connection.execute(query.encode()).fetchall()


def version(address: str) -> object:
    return rows(address, "SELECT max(version) FROM migrations")[0][0]


@pytest.fixture
def address(postgres_databases: PostgresDatabases) -> str:
    return postgres_databases.migrated()


def opened(address: str) -> Store:
    return open_store(address, SteppingClock())


def add_migration(monkeypatch: pytest.MonkeyPatch, migration: Migration) -> None:
    known = [*migrations_of(PACKAGE), migration]
    monkeypatch.setattr(migrating, "migrations_of", lambda _: known)


def test_migrations_reproduce_the_schema(
    address: str, postgres_databases: PostgresDatabases, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The schema is applied where the first migration would be, by the same hand."""
    direct = postgres_databases.bare()
    whole = Migration(1, "whole", SCHEMA.read_text())
    monkeypatch.setattr(migrating, "migrations_of", lambda _: [whole])
    migrating.migrate(direct)
    assert shape(address) == shape(direct)
    assert {name.split()[0] for name in shape(address)} >= {
        "relation",
        "column",
        "constraint",
        "index",
        "function",
        "policy",
    }


def test_a_migrated_database_is_left_alone(address: str) -> None:
    before = shape(address)
    assert migrating.migrate(address) == NEWEST
    assert shape(address) == before


def test_a_later_migration_commits_with_its_record(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_migration(monkeypatch, WORKS)
    assert migrating.migrate(address) == version(address) == NEXT
    assert rows(address, "SELECT x FROM later") == [(7,)]


def test_a_failing_migration_changes_nothing(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = shape(address)
    add_migration(monkeypatch, FAILS)
    with pytest.raises(StorageError):
        migrating.migrate(address)
    assert version(address) == NEWEST
    assert shape(address) == before
    monkeypatch.undo()
    opened(address).close()


def test_a_newer_database_is_refused_when_it_is_opened(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_migration(monkeypatch, WORKS)
    migrating.migrate(address)
    monkeypatch.undo()
    with pytest.raises(SchemaTooNew, match=f"{NEXT}.*{NEWEST}.*Upgrade Commonplace"):
        opened(address)
    assert version(address) == NEXT


def test_a_database_that_becomes_newer_is_refused_by_whoever_has_it_open(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = opened(address)
    with store.write(ALICE) as tx:
        tx.entries.insert(entry_draft("n-1"))
    add_migration(monkeypatch, WORKS)
    migrating.migrate(address)
    for begin in (store.read, store.write):
        with pytest.raises(SchemaTooNew, match="Upgrade Commonplace"), begin(ALICE):
            raise AssertionError("the transaction opened")
    with pytest.raises(SchemaTooNew):
        store.due_work()
    store.close()


def test_processes_open_one_new_database_at_once(postgres_databases: PostgresDatabases) -> None:
    bare = postgres_databases.bare()
    with running(add_entries, *((bare, f"process{number}", 2) for number in range(4))):
        pass
    assert rows(bare, "SELECT count(*) FROM entries") == [(8,)]
    assert rows(bare, "SELECT max(version) FROM migrations") == [(NEWEST,)]
