"""Migrations of the SQLite file: the schema they give, backups, failures, newer files."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from commonplace.errors import SchemaTooNew, StorageError
from commonplace.storage.migrations import Migration, migrations_of
from commonplace.storage.sqlite import migrate as migrating
from commonplace.storage.sqlite.migrate import PACKAGE, migrate
from tests.generate import ALICE, entry_draft
from tests.processes import add_entries, running
from tests.stores import SteppingClock, open_store

SCHEMA = Path(migrating.__file__).with_name("schema.sql")
NEWEST = migrations_of(PACKAGE)[-1].version
NEXT = NEWEST + 1
WORKS = Migration(NEXT, "works", "CREATE TABLE later (x INTEGER);\nINSERT INTO later VALUES (7);\n")
FAILS = Migration(
    NEXT, "fails", "CREATE TABLE later (x INTEGER);\nINSERT INTO absent VALUES (1);\n"
)


def rows(file: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute(query).fetchall()


def shape(file: Path) -> dict[str, str]:
    """What the file has, in words that spacing and comments do not change."""
    found = rows(file, "SELECT type || ' ' || name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    return {str(name): _normalised(str(text)) for name, text in found}


def _normalised(text: str) -> str:
    plain = re.sub(r"\s+", " ", re.sub(r"--[^\n]*", "", text))
    return re.sub(r" ?([,()]) ?", r"\1", plain).strip()


def version(file: Path) -> object:
    return rows(file, "PRAGMA user_version")[0][0]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


def add_migration(monkeypatch: pytest.MonkeyPatch, migration: Migration) -> None:
    known = [*migrations_of(PACKAGE), migration]
    monkeypatch.setattr(migrating, "migrations_of", lambda _: known)


def written(file: Path) -> Path:
    store = open_store(str(file), SteppingClock())
    with store.write(ALICE) as tx:
        tx.entries.insert(entry_draft("n-1"))
    store.close()
    return file


def test_migrations_reproduce_the_schema(tmp_path: Path) -> None:
    migrated, direct = tmp_path / "migrated.db", tmp_path / "direct.db"
    migrate(migrated)
    with closing(sqlite3.connect(direct)) as connection:
        connection.executescript(SCHEMA.read_text())
    assert shape(migrated) == shape(direct)
    assert "table entries" in shape(migrated)


def test_a_migrated_file_is_left_alone(file: Path) -> None:
    assert migrate(file) == migrate(file) == NEWEST
    assert [found.name for found in file.parent.glob("*.before-*")] == []


def test_a_later_migration_applies_after_a_backup(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = shape(written(file))
    add_migration(monkeypatch, WORKS)
    assert migrate(file) == NEXT
    assert rows(file, "SELECT x FROM later") == [(7,)]
    assert rows(file, "SELECT id FROM entries") == [("n-1",)]
    backup = file.with_name(f"store.db.before-v{NEXT}")
    assert version(backup) == NEWEST
    assert shape(backup) == before
    assert rows(backup, "SELECT id FROM entries") == [("n-1",)]


def test_a_backup_has_what_only_the_log_held(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_store(str(file), SteppingClock())
    with store.write(ALICE) as tx:
        tx.entries.insert(entry_draft("n-1"))
    add_migration(monkeypatch, WORKS)
    assert migrate(file) == NEXT
    store.close()
    assert rows(file.with_name(f"store.db.before-v{NEXT}"), "SELECT id FROM entries") == [("n-1",)]


def test_one_copy_is_kept_for_its_owner(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(file)
    old = file.with_name("store.db.before-v2")
    old.write_bytes(b"of the upgrade before")
    add_migration(monkeypatch, WORKS)
    assert migrate(file) == NEXT
    (copy,) = file.parent.glob("store.db.before-v*")
    assert copy.name == f"store.db.before-v{NEXT}"
    assert copy.stat().st_mode & 0o777 == 0o600


def test_a_copy_does_not_outlive_a_purge(file: Path) -> None:
    copy = file.with_name("store.db.before-v2")
    copy.write_bytes(b"what is purged may stand in it")
    store = open_store(str(file), SteppingClock())
    store.scrub()
    store.close()
    assert not copy.exists()


def test_a_failing_migration_changes_nothing(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = shape(written(file))
    add_migration(monkeypatch, FAILS)
    with pytest.raises(StorageError):
        migrate(file)
    assert version(file) == NEWEST
    assert shape(file) == before
    assert rows(file, "SELECT id FROM entries") == [("n-1",)]
    monkeypatch.undo()
    assert migrate(file) == NEWEST


def test_a_newer_file_is_refused_when_it_is_opened(file: Path) -> None:
    with closing(sqlite3.connect(written(file))) as connection:
        connection.execute(f"PRAGMA user_version = {NEXT}")
    with pytest.raises(SchemaTooNew, match=f"{NEXT}.*{NEWEST}.*Upgrade Commonplace"):
        open_store(str(file), SteppingClock())
    assert version(file) == NEXT


def test_a_file_that_becomes_newer_is_refused_by_whoever_has_it_open(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(str(file), SteppingClock())
    with store.write(ALICE) as tx:
        tx.entries.insert(entry_draft("n-1"))
    add_migration(monkeypatch, WORKS)
    migrate(file)
    for opened in (store.read, store.write):
        with pytest.raises(SchemaTooNew, match="Upgrade Commonplace"), opened(ALICE):
            raise AssertionError("the transaction opened")
    with pytest.raises(SchemaTooNew):
        store.due_work()
    with pytest.raises(SchemaTooNew):
        store.take_lease("worker", "old version", 10)
    store.close()


def test_eight_processes_open_one_new_file_at_once(file: Path) -> None:
    with running(add_entries, *((str(file), f"process{number}", 5) for number in range(8))):
        pass
    assert rows(file, "SELECT count(*) FROM entries") == [(40,)]
    assert rows(file, "PRAGMA integrity_check") == [("ok",)]
    assert version(file) == NEWEST
