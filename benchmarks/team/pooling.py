"""Many server processes through pgbouncer: connections and memory at rest and under load.

python -m benchmarks pooling [--servers 100] [--calls 8]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import httpx
import psutil
import psycopg
from pydantic import SecretStr

from benchmarks.report import Report, Table, now
from commonplace.bootstrap import running_application
from commonplace.model.actor import Scope
from commonplace.settings import Settings
from tests.loopback import free_port
from tests.pgbouncer import Pooler, pooler
from tests.surfaces.clients import token_for
from tests.surfaces.nearness import answer, embedded_at
from tests.surfaces.processes import environment
from tests.team.cluster import Cluster, running_cluster
from tests.unit.embedding.local_endpoint import local_endpoint
from tests.waiting import eventually

_BATCH = 5
_AT_ONCE = 200
_SESSIONS = 20
_ACCEPT = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"}
_DATABASE = "team_1"
_BACKENDS = f"SELECT count(*) FROM pg_stat_activity WHERE datname = '{_DATABASE}'"
_COLUMNS = (
    "servers",
    "calls answered",
    "sessions of PostgreSQL",
    "clients of pgbouncer",
    "MB a server (PSS)",
)
_NOTE = (
    f"pgbouncer in transaction mode with {_SESSIONS} sessions; each server may have 8 connections. "
    "An endpoint embeds, so no server has a model in memory."
)
_MEGABYTE = 1024 * 1024


class Servers:
    """Processes of `commonplace serve`, each on a port of its own."""

    def __init__(self, settings: Settings, stack: ExitStack) -> None:
        self._settings, self._stack = settings, stack
        self._token = _token(settings)
        self._ports: list[int] = []
        self._processes: list[subprocess.Popen[bytes]] = []

    def start(self, count: int) -> None:
        for begin in range(0, count, _BATCH):
            ports = [free_port() for _ in range(min(_BATCH, count - begin))]
            for port in ports:
                command = [sys.executable, "-m", "commonplace", "serve", "--port", str(port)]
                process = subprocess.Popen(
                    command, env=environment(self._settings), stderr=subprocess.DEVNULL
                )
                self._stack.callback(_end, process)
                self._processes.append(process)
            for port in ports:
                eventually(lambda port=port: _healthy(port))  # type: ignore[misc]
            self._ports += ports

    def call(self, rounds: int) -> int:
        """All of them at once, so many times each; how many were answered as they should be."""
        with ThreadPoolExecutor(min(_AT_ONCE, len(self._ports) * rounds)) as pool:
            return sum(pool.map(self._call, self._ports * rounds))

    def megabytes(self) -> float:
        """What is theirs alone, and their share of what they have together."""
        found = [psutil.Process(p.pid).memory_full_info().pss for p in self._processes]
        return sum(found) / len(found) / _MEGABYTE

    def _call(self, port: int) -> bool:
        asked = {"name": "search_knowledge", "arguments": {"query": "harvest"}}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": asked}
        headers = {**_ACCEPT, "Authorization": f"Bearer {self._token}"}
        address = f"http://127.0.0.1:{port}/mcp"
        answered = httpx.post(address, json=message, headers=headers, timeout=300.0)
        return answered.status_code == httpx.codes.OK and '"isError":true' not in answered.text


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()


def _healthy(port: int) -> bool:
    try:
        address = f"http://127.0.0.1:{port}/healthz"
        return httpx.get(address, timeout=60.0).status_code == httpx.codes.OK
    except httpx.HTTPError:
        return False


def _token(settings: Settings) -> str:
    with running_application(settings) as application:
        return token_for(application, "bench", "caller", (Scope.READ, Scope.WRITE))


def _connected(primary: Cluster, pool: Pooler | None) -> tuple[int, int | None]:
    """Sessions of PostgreSQL, and clients of the pooler."""
    sessions = int(str(primary.asked(_BACKENDS)))
    if pool is None:
        return sessions, None
    with psycopg.connect(pool.administration(), autocommit=True) as connection:
        rows = connection.execute("SHOW CLIENTS").fetchall()
    return sessions, sum(row[2] == _DATABASE for row in rows)


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks pooling")
    parser.add_argument("--servers", type=int, default=100)
    parser.add_argument("--calls", type=int, default=8)
    given, started = parser.parse_args(arguments), now()
    rows: list[tuple[str | float | int | None, ...]] = []
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        endpoint = stack.enter_context(local_endpoint(answer))
        primary = stack.enter_context(running_cluster())
        database = primary.database()
        pool = stack.enter_context(pooler(database, size=_SESSIONS))
        settings = Settings(
            home=home,
            database_url=SecretStr(database),
            worker=False,
            rate_limit=1_000_000,
            **embedded_at(endpoint.url),
        )
        pooled = {"database_url": SecretStr(pool.address(database))}
        measured = _measured(primary, None, settings, 1, given.calls)
        rows += [(f"1 directly, {when}", *row) for when, *row in measured]
        through = settings.model_copy(update=pooled)
        measured = _measured(primary, pool, through, given.servers, given.calls)
        rows += [(f"{given.servers} through pgbouncer, {when}", *row) for when, *row in measured]
    Report("pooling", (Table("Connections", _COLUMNS, tuple(rows), 1),), (_NOTE,)).save(started)


def _measured(
    primary: Cluster, pool: Pooler | None, settings: Settings, count: int, calls: int
) -> list[tuple[str | float | int | None, ...]]:
    rows: list[tuple[str | float | int | None, ...]] = []
    with ExitStack() as stack:
        servers = Servers(settings, stack)
        servers.start(count)
        for when, rounds in (
            ("started", 0),
            ("one call each", 1),
            (f"{calls} at once each", calls),
        ):
            answered = servers.call(rounds) if rounds else 0
            rows.append((when, answered, *_connected(primary, pool), servers.megabytes()))
    return rows
