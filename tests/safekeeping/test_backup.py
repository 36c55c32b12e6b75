"""Backups of both stores: taken while others write, put back whole, refused when they are not."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from commonplace.errors import (
    BackupUnusable,
    InvalidArgument,
    StorageDamaged,
    StorageError,
    StorageNotEmpty,
    StorageUnavailable,
)
from commonplace.model.entry import EntryKind
from commonplace.model.query import ANYTHING, Filter
from commonplace.storage.port import Store
from commonplace.storage.port.archive import Backups
from commonplace.storage.postgres.backups import PostgresBackups
from commonplace.storage.sqlite.backups import SqliteBackups
from tests.generate import ALICE, EVE, MODEL, axis, embed_all, entry_draft, put_chunk, source_draft
from tests.stores import Database, MakeDatabase, SteppingClock

VERSION = "1.2.3"


def backups_of(database: Database) -> Backups:
    if database.dialect == "sqlite":
        return SqliteBackups(Path(database.address), database.clock)
    return PostgresBackups(database.address, database.clock)


def fill(store: Store) -> None:
    for actor in (ALICE, EVE):
        with store.write(actor) as tx:
            for number in range(3):
                entry = tx.entries.insert(entry_draft(f"n-{number}"))
                tx.accesses.count([entry.key])
            put_chunk(tx, 1, "zebra\tstripes\\N \n and more")
            digest = tx.blobs.put(bytes(range(256)), "application/octet-stream")
            files = {"files": [{"path": "a", "digest": digest, "size": 256}]}
            tx.entries.insert(entry_draft("s-1", EntryKind.SKILL, attributes=files))
            tx.sources.insert(source_draft("ks_1"))
        embed_all(store, actor, lambda _: [axis(1)])


def ids(store: Store) -> list[str]:
    with store.read(ALICE) as tx:
        return sorted(entry.id for entry in tx.entries.page(ANYTHING, 100, 0))


@pytest.fixture
def target(dialect: str, make_database: MakeDatabase) -> Database:
    return make_database(dialect)


@pytest.fixture
def backup(database: Database, tmp_path: Path) -> Path:
    """A backup of a database with something of everything in it."""
    fill(database.open())
    file = tmp_path / "one.backup"
    backups_of(database).back_up(file, VERSION)
    return file


def test_everything_comes_back(database: Database, target: Database, backup: Path) -> None:
    manifest = backups_of(target).restore(backup, replace=False)
    assert (manifest.product, manifest.counts["entries"]) == (VERSION, 8)
    store = target.open()
    assert ids(store) == ["n-0", "n-1", "n-2", "s-1"]
    with store.read(ALICE) as tx:
        assert len(tx.changes.since(0, 100)) == 6
        assert tx.vectors.nearest(MODEL, axis(1), Filter(), 10, 10).hits
        assert tx.sources.get("ks_1") is not None
        with database.open().read(ALICE) as original:
            assert original.entries.page(ANYTHING, 9, 0) == tx.entries.page(ANYTHING, 9, 0)
            assert original.changes.since(0, 100) == tx.changes.since(0, 100)
    again = backup.with_name("two.backup")
    counts = dict(backups_of(target).back_up(again, VERSION).counts)
    assert counts.pop("vector_removals", 0) <= 1, "indexes in memory are told to read anew"
    assert counts == {k: v for k, v in manifest.counts.items() if k != "vector_removals"}


def test_a_restored_database_goes_on(target: Database, backup: Path) -> None:
    """Keys and the feed of changes continue; a process that had it open sees the new content."""
    before = target.open()
    with before.read(ALICE) as tx:
        assert not tx.vectors.nearest(MODEL, axis(1), Filter(), 10, 10).hits
    backups_of(target).restore(backup, replace=False)
    with before.write(ALICE) as tx:
        tx.entries.insert(entry_draft("later"))
        put_chunk(tx, 2, "another")
    embed_all(before, ALICE, lambda _: [axis(1)])
    assert ids(before) == ["later", "n-0", "n-1", "n-2", "s-1"]
    with before.read(ALICE) as tx:
        assert len(tx.vectors.nearest(MODEL, axis(1), Filter(), 10, 10).hits) == 2
        assert [c.entity_id for c in tx.changes.since(0, 100)][-1] == "note/later"
    assert before.take_lease("worker", "me", 1), "leases are not restored"


def test_a_backup_sees_one_moment_while_others_write(
    database: Database, target: Database, tmp_path: Path
) -> None:
    """Each write adds an entry to both orgs' books; a backup never has one without its change."""
    store, stop, wrote = database.open(), threading.Event(), threading.Event()
    numbers = iter(range(100_000))

    def write() -> None:
        while not stop.is_set():
            with store.write(ALICE) as tx:
                tx.entries.insert(entry_draft(f"w-{next(numbers)}"))
            wrote.set()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        assert wrote.wait(30)
        counts = [
            backups_of(database).back_up(tmp_path / f"{n}.backup", VERSION).counts for n in range(3)
        ]
    finally:
        stop.set()
        writer.join()
    for number, counted in enumerate(counts):
        assert counted["entries"] == counted["changes"]
        backups_of(target).restore(tmp_path / f"{number}.backup", replace=True)
        assert len(ids_of_all(target.open())) == counted["entries"]


def ids_of_all(store: Store) -> list[str]:
    with store.read(ALICE) as tx:
        return [entry.id for entry in tx.entries.page(ANYTHING, 100_000, 0)]


def test_what_is_there_is_replaced_only_when_that_is_meant(target: Database, backup: Path) -> None:
    store = target.open()
    with store.write(EVE) as tx:
        tx.entries.insert(entry_draft("mine"))
    with pytest.raises(StorageNotEmpty):
        backups_of(target).restore(backup, replace=False)
    with store.read(EVE) as tx:
        assert tx.entries.get("mine") is not None
    backups_of(target).restore(backup, replace=True)
    with store.read(EVE) as tx:
        assert tx.entries.get("mine") is None
        assert tx.entries.get("n-1") is not None


def rewritten(file: Path, change: Callable[[dict[str, bytes]], None]) -> Path:
    """The same backup with other members; checksums inside a ZIP are made right again."""
    with zipfile.ZipFile(file) as before:
        members = {name: before.read(name) for name in before.namelist()}
    change(members)
    other = file.with_name("other.backup")
    with zipfile.ZipFile(other, "w") as after:
        for name, data in members.items():
            after.writestr(name, data)
    return other


def with_manifest(**fields: object) -> Callable[[dict[str, bytes]], None]:
    def change(members: dict[str, bytes]) -> None:
        members["manifest.json"] = json.dumps(
            json.loads(members["manifest.json"]) | fields
        ).encode()

    return change


def cut_a_member(members: dict[str, bytes]) -> None:
    name = next(name for name in members if name != "manifest.json")
    members[name] = members[name][:-1]


def lose_a_member(members: dict[str, bytes]) -> None:
    del members[next(name for name in members if name != "manifest.json")]


def _written(file: Path, data: bytes) -> Path:
    other = file.with_name("other.backup")
    other.write_bytes(data)
    return other


def _flipped(file: Path) -> Path:
    """In the middle of what the largest member holds: not every byte of a ZIP means something."""
    with zipfile.ZipFile(file) as opened:
        largest = max(opened.infolist(), key=lambda member: member.compress_size)
    data = bytearray(file.read_bytes())
    start = data.index(largest.filename.encode(), largest.header_offset)
    data[start + len(largest.filename) + largest.compress_size // 2] ^= 0xFF
    return _written(file, bytes(data))


DAMAGE: dict[str, Callable[[Path], Path]] = {
    "flipped byte": _flipped,
    "cut short": lambda file: _written(file, file.read_bytes()[:-100]),
    "not a backup": lambda file: _written(file, b"something else"),
    "empty": lambda file: _written(file, b""),
    "absent": lambda file: file.with_name("absent"),
    "a folder": lambda file: file.parent,
    "another zip": lambda file: rewritten(file, dict.clear),
    "a member cut": lambda file: rewritten(file, cut_a_member),
    "a member lost": lambda file: rewritten(file, lose_a_member),
    "newer schema": lambda file: rewritten(file, with_manifest(schema_version=999)),
    "newer format": lambda file: rewritten(file, with_manifest(format=2)),
    "another store": lambda file: rewritten(file, with_manifest(store="clay tablets")),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_an_unusable_backup_changes_nothing(damage: str, target: Database, backup: Path) -> None:
    store = target.open()
    with store.write(ALICE) as tx:
        tx.entries.insert(entry_draft("mine"))
    with pytest.raises(BackupUnusable) as refused:
        backups_of(target).restore(DAMAGE[damage](backup), replace=True)
    assert str(backup.parent) not in refused.value.message
    assert ids(store) == ["mine"]


def test_rows_that_do_not_fit_roll_everything_back(
    target: Database, backup: Path, dialect: str
) -> None:
    """The last table is wrong when all the others are in already."""

    def spoil(members: dict[str, bytes]) -> None:
        name = "database.sqlite" if dialect == "sqlite" else "tables/verdicts"
        members[name] = b"nonsense"
        manifest = json.loads(members["manifest.json"])
        manifest["members"][name]["sha256"] = hashlib.sha256(b"nonsense").hexdigest()
        members["manifest.json"] = json.dumps(manifest).encode()

    store = target.open()
    with store.write(ALICE) as tx:
        tx.entries.insert(entry_draft("mine"))
    with pytest.raises(StorageError):
        backups_of(target).restore(rewritten(backup, spoil), replace=True)
    assert ids(store) == ["mine"]


def test_a_backup_overwrites_no_file(database: Database, backup: Path) -> None:
    before = backup.read_bytes()
    with pytest.raises(BackupUnusable):
        backups_of(database).back_up(backup, VERSION)
    assert backup.read_bytes() == before
    assert backup.stat().st_mode & 0o077 == 0, "everybody's content is in it"


def test_a_place_that_cannot_be_written_is_told(database: Database, tmp_path: Path) -> None:
    database.open()
    with pytest.raises(StorageUnavailable):
        backups_of(database).back_up(tmp_path / "no" / "such" / "folder", VERSION)
    assert list(tmp_path.glob("**/*.partial")) == []


def older_sqlite(file: Path, version: int) -> None:
    from commonplace.storage.migrations import migrations_of
    from commonplace.storage.sqlite.migrate import PACKAGE, statements_of

    connection = sqlite3.connect(file, isolation_level=None)
    for migration in migrations_of(PACKAGE)[:version]:
        for statement in statements_of(migration.sql):
            connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {version}")
    connection.execute("INSERT INTO orgs VALUES ('acme', 1)")
    connection.execute(
        "INSERT INTO changes (org, agent, client, at, operation, entity, entity_id, revision)"
        " VALUES ('acme', 'a', 'c', 1, 'create', 'entry', 'note/old', 1)"
    )
    connection.close()


@pytest.fixture
def older(dialect: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Database]:
    """A database of an earlier version with one change in it."""
    if dialect == "sqlite":
        older_sqlite(tmp_path / "older.db", 1)
        yield Database(dialect, str(tmp_path / "older.db"), SteppingClock())
        return
    from commonplace.storage.migrations import migrations_of
    from commonplace.storage.postgres.connections import PACKAGE, connect, owned
    from commonplace.storage.postgres.migrate import apply_migration, prepare

    address = request.getfixturevalue("postgres_databases").bare()
    with connect(address) as connection:
        prepare(connection)
    with owned(address) as connection:
        apply_migration(connection, migrations_of(PACKAGE)[0])
        connection.execute("INSERT INTO orgs VALUES ('acme', 1)")
        connection.execute(
            "INSERT INTO changes (org, agent, client, at, operation, entity, entity_id, revision)"
            " VALUES ('acme', 'a', 'c', 1, 'create', 'entry', 'note/old', 1)"
        )
    yield Database(dialect, address, SteppingClock())


def test_an_older_backup_is_brought_to_the_newest_schema(
    older: Database, target: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "older.backup"
    with monkeypatch.context() as patch:
        # As the older version did: it knew no newer schema to migrate to.
        patch.setattr("commonplace.storage.postgres.backups.migrate", lambda _url: 1)
        manifest = backups_of(older).back_up(file, VERSION)
    assert manifest.schema_version == 1
    backups_of(target).restore(file, replace=False)
    store = target.open()
    assert store.orgs() == ["acme"]
    fill(store)


def test_a_damaged_database_is_set_aside(make_database: MakeDatabase, tmp_path: Path) -> None:
    source, broken = make_database("sqlite"), tmp_path / "broken.db"
    fill(source.open())
    backups_of(source).back_up(tmp_path / "good.backup", VERSION)
    broken.write_bytes(b"not a database" * 1000)
    target = Database("sqlite", str(broken), SteppingClock())
    with pytest.raises(StorageDamaged):
        backups_of(target).restore(tmp_path / "good.backup", replace=False)
    backups_of(target).restore(tmp_path / "good.backup", replace=True)
    assert ids(target.open()) == ["n-0", "n-1", "n-2", "s-1"]
    (aside,) = tmp_path.glob("broken.db.damaged-*")
    assert aside.read_bytes() == b"not a database" * 1000
    target.close()


def test_who_has_the_database_open_is_noticed(database: Database) -> None:
    backups = backups_of(database)
    assert not backups.is_used()
    store = database.open()
    assert store.orgs() == []
    assert backups.is_used()
    database.close()
    assert not backups.is_used()


def test_a_database_of_a_server_has_means_of_its_own_against_damage(
    make_database: MakeDatabase, tmp_path: Path
) -> None:
    backups = backups_of(make_database("postgres"))
    assert backups.damage(deep=True) == []
    with pytest.raises(InvalidArgument, match="pg_dump"):
        backups.salvage(tmp_path / "saved.db")


def test_a_backup_of_one_store_does_not_go_into_the_other(
    make_database: MakeDatabase, tmp_path: Path
) -> None:
    sqlite, postgres = make_database("sqlite"), make_database("postgres")
    sqlite.open()
    backups_of(sqlite).back_up(tmp_path / "a.backup", VERSION)
    with pytest.raises(BackupUnusable, match="export"):
        backups_of(postgres).restore(tmp_path / "a.backup", replace=True)


def test_a_restore_leaves_the_application_its_rights_and_no_more(
    make_database: MakeDatabase, tmp_path: Path
) -> None:
    database = make_database("postgres")
    fill(database.open())
    backups_of(database).back_up(tmp_path / "a.backup", VERSION)
    backups_of(database).restore(tmp_path / "a.backup", replace=True)
    with psycopg.connect(database.address) as connection:
        connection.execute("SET ROLE commonplace_app")
        with pytest.raises(psycopg.DatabaseError, match="no tenant"):
            connection.execute("SELECT * FROM commonplace.entries")
    assert ids(database.open()) == ["n-0", "n-1", "n-2", "s-1"]


def test_nothing_to_back_up_is_told(tmp_path: Path) -> None:
    backups = SqliteBackups(tmp_path / "absent.db", SteppingClock())
    with pytest.raises(StorageUnavailable, match="nothing to back up"):
        backups.back_up(tmp_path / "x", VERSION)
    assert list(tmp_path.iterdir()) == []
