"""Back to a moment: a base backup and the archived log, as the page on backups tells it."""

from __future__ import annotations

import os
import pwd
import shutil
from pathlib import Path

import psycopg
import pytest

from commonplace.storage.postgres.store import PostgresStore
from tests.generate import ALICE, entry_draft
from tests.stores import SteppingClock
from tests.team.cluster import SERVER_USER, Cluster, Standby, run_program, server_folder
from tests.waiting import eventually


@pytest.mark.soak
def test_what_was_there_at_a_moment_is_there_again(cluster: Cluster) -> None:
    database = cluster.database()
    with server_folder() as folder:
        archive = _archiving(cluster, folder)
        store = PostgresStore(database, SteppingClock(), 2)
        _add(store, "before the backup")
        address = database.replace("/team_1", "/postgres")
        run_program(
            "pg_basebackup", "-d", address, "-X", "stream", "-c", "fast", "-D", str(folder / "base")
        )
        _add(store, "after the backup")
        moment = cluster.asked("SELECT now()::text")
        with store.write(ALICE) as tx:
            entry = tx.entries.get("before the backup")
            assert entry is not None
            tx.entries.erase(entry)
        _add(store, "too late")
        store.close()
        _archived(cluster, archive)
        restored = _restored(folder, archive, str(moment))
        try:
            again = PostgresStore(restored.address(database), SteppingClock(), 2)
            with again.read(ALICE) as tx:
                assert tx.entries.get("before the backup") is not None
                assert tx.entries.get("after the backup") is not None
                assert tx.entries.get("too late") is None
            _add(again, "and it goes on")
            again.close()
        finally:
            restored.stop()


def _add(store: PostgresStore, id: str) -> None:
    with store.write(ALICE) as tx:
        tx.entries.insert(entry_draft(id))


def _archiving(cluster: Cluster, folder: Path) -> Path:
    archive = folder / "archive"
    archive.mkdir()
    if SERVER_USER:
        os.chown(archive, pwd.getpwnam(SERVER_USER).pw_uid, -1)
    cluster.command("ALTER SYSTEM SET archive_mode = on")
    command = f"test ! -f {archive}/%f && cp %p {archive}/%f"
    cluster.command(f"ALTER SYSTEM SET archive_command = '{command}'")
    cluster.stop()
    cluster.start()
    return archive


def _archived(cluster: Cluster, archive: Path) -> None:
    """Until the segment that holds the last write is in the archive."""
    name = str(cluster.asked("SELECT pg_walfile_name(pg_current_wal_lsn())"))
    cluster.asked("SELECT pg_switch_wal()")
    eventually((archive / name).is_file)


def _restored(folder: Path, archive: Path, moment: str) -> Standby:
    """A server of its own from the base backup, which replays the log up to the moment."""
    data = folder / "data"
    shutil.move(folder / "base", data)
    with (data / "postgresql.auto.conf").open("a") as settings:
        settings.write(f"restore_command = 'cp {archive}/%f %p'\n")
        settings.write(f"recovery_target_time = '{moment}'\n")
        settings.write("recovery_target_action = 'promote'\narchive_mode = off\n")
    (data / "recovery.signal").touch()
    restored = Standby(folder)
    restored.start()
    eventually(lambda: _writable(restored))
    return restored


def _writable(server: Standby) -> bool:
    with psycopg.connect(server.address("/postgres")) as connection:
        return connection.execute("SELECT pg_is_in_recovery()").fetchone() == (False,)
