"""A real pgbouncer in transaction mode, in front of a PostgreSQL server of the tests."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import parse_qs, urlsplit

import psycopg

from tests.debian import program
from tests.loopback import free_port
from tests.team.cluster import SERVER_USER, server_folder
from tests.waiting import patiently

_PATIENCE = 60.0
_CONFIGURATION = """
[databases]
* = {server} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = {size}
max_client_conn = 5000
logfile = {folder}/pgbouncer.log
server_login_retry = 1
query_wait_timeout = {patience}
"""


class Pooler:
    """A running pgbouncer, which lends server sessions for one transaction each."""

    def __init__(self, port: int, process: subprocess.Popen[bytes]) -> None:
        self._port = port
        self.process = process

    def address(self, database: str) -> str:
        """The same database through the pooler."""
        name = urlsplit(database).path.lstrip("/")
        return f"postgresql://postgres@127.0.0.1:{self._port}/{name}"

    def administration(self) -> str:
        return f"postgresql://pgbouncer@127.0.0.1:{self._port}/pgbouncer"


@contextmanager
def pooler(database: str, *, size: int = 2, patience: int = 30) -> Iterator[Pooler]:
    """A pgbouncer in front of a database's server, with a number of server sessions."""
    found, port = program(("pgbouncer",), "pgbouncer"), free_port()
    with server_folder() as folder:
        file = folder / "pgbouncer.ini"
        values = {"server": _server(database), "port": port, "size": size, "patience": patience}
        file.write_text(_CONFIGURATION.format(**values, folder=folder))
        process = subprocess.Popen(
            [found, "-q", str(file)], user=SERVER_USER, stderr=subprocess.DEVNULL
        )
        running = Pooler(port, process)
        try:
            _await(running.address(database))
            yield running
        finally:
            process.kill()
            process.wait()


def _server(database: str) -> str:
    parts = urlsplit(database)
    host = parts.hostname or parse_qs(parts.query)["host"][0]
    return f"host={host} port={parts.port or 5432}"


def _await(address: str) -> None:
    for _ in patiently(_PATIENCE, look=0.02):
        with suppress(psycopg.OperationalError), psycopg.connect(address):
            return
    raise AssertionError("pgbouncer does not come up")
