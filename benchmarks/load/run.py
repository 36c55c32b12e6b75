"""Many clients at once on a team's installation: is anything refused or lost, and how fast is it.

python -m benchmarks load [--clients 64] [--seconds 120] [--servers 2] [--workers 2]
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from typing import Any

import anyio
import numpy as np
import psutil
from pydantic import SecretStr

from benchmarks.databases import databases_as_they_come
from benchmarks.latency.serving import started
from benchmarks.load.ceiling import Ceiling, measure
from benchmarks.load.clients import Plan, connected, uri_of
from benchmarks.report import Cell, Report, Table, now
from commonplace.access.rules import NewToken
from commonplace.bootstrap import running
from commonplace.model.actor import Actor, Scope
from commonplace.settings import Settings

_ORG, _AGENT = "bench", "load"
_PROCESSES = 4
_READERS = 16
_CATCH_UP_SECONDS = 600.0


class Spent:
    """Processor time since it was made: what does not depend on who else uses the machine."""

    def __init__(self) -> None:
        self._before = self._now()

    def table(self, calls: int) -> Table:
        spent = {name: after - self._before[name] for name, after in self._now().items()}
        rows = tuple((name, seconds, 1000 * seconds / calls) for name, seconds in spent.items())
        return Table("Processor time", ("", "seconds", "ms per call"), rows, 1)

    def _now(self) -> dict[str, float]:
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        clients = ended.ru_utime + ended.ru_stime
        return {"servers": _used("serve"), "workers": _used("worker"), "clients": clients}


def _used(command: str) -> float:
    """Of the children that run this command."""
    running = [p for p in psutil.Process().children() if command in p.cmdline()]
    return sum(p.cpu_times().user + p.cpu_times().system for p in running)


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks load", description=__doc__)
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--seconds", type=int, default=120)
    parser.add_argument("--servers", type=int, default=2)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args(arguments)
    began = now()
    with databases_as_they_come("ceiling", "product") as (bench, url):
        ceilings = measure(bench, given.clients, max(5, given.seconds // 6))
        token = _token(url)
        with _installation(url, given.servers, given.workers) as addresses:
            spent = Spent()
            seconds, acknowledged, errors = _loaded(addresses, token, given)
            costs = spent.table(sum(map(len, seconds.values())))
            lost = anyio.run(_missing, addresses, acknowledged, token)
            behind = anyio.run(_caught_up_after, addresses[0], token)
    tables = (_calls(seconds, given.seconds), costs, _ceilings(ceilings))
    setting = (
        f"{given.clients} clients in {_PROCESSES} processes, {given.servers} servers, "
        f"{given.workers} workers, PostgreSQL with synchronous commit, all on this machine."
    )
    outcome = (
        f"{len(errors)} errors; {len(acknowledged)} writes acknowledged and read back at the end, "
        f"{len(lost)} of them missing; everything was embedded {behind:.0f} s after the last call."
    )
    notes = (setting, outcome, *sorted(set(errors))[:5])
    Report("load", tables, notes).save(began)
    if errors or lost:
        sys.exit("There were errors or losses.")


def _token(url: str) -> str:
    with running(Settings(database_url=SecretStr(url))) as application:
        new = NewToken(_ORG, _AGENT, frozenset({Scope.READ, Scope.WRITE}))
        return application.access.create(Actor(_ORG, _AGENT), new).shown


@contextmanager
def _installation(url: str, servers: int, workers: int) -> Iterator[list[str]]:
    told = {
        "COMMONPLACE_DATABASE_URL": url,
        "COMMONPLACE_ORG": _ORG,
        "COMMONPLACE_AGENT": _AGENT,
        "COMMONPLACE_WORKER": "false",
        "COMMONPLACE_LOG_LEVEL": "error",
        "COMMONPLACE_RATE_LIMIT": "1000000",
    }
    with ExitStack() as stack:
        addresses = [stack.enter_context(started(told)) for _ in range(servers)]
        for _ in range(workers):
            stack.enter_context(_worker(told))
        yield addresses


@contextmanager
def _worker(told: Mapping[str, str]) -> Iterator[None]:
    command = [sys.executable, "-m", "commonplace", "worker"]
    process = subprocess.Popen(command, env={**os.environ, **told})
    try:
        yield
    finally:
        process.terminate()
        process.wait(60)


def _loaded(
    addresses: list[str], token: str, given: argparse.Namespace
) -> tuple[dict[str, list[float]], dict[str, str], list[str]]:
    each = given.clients // _PROCESSES
    plans = [
        Plan(addresses, each, given.seconds, 1000 * number, token) for number in range(_PROCESSES)
    ]
    commands = [
        [sys.executable, "-m", "benchmarks.load.clients", json.dumps(asdict(p))] for p in plans
    ]
    loading = [subprocess.Popen(command, stdout=subprocess.PIPE) for command in commands]
    records: list[dict[str, Any]] = [json.loads(process.communicate()[0]) for process in loading]
    seconds: dict[str, list[float]] = {}
    for record in records:
        for name, taken in record["seconds"].items():
            seconds.setdefault(name, []).extend(taken)
    acknowledged = {id: title for r in records for id, title in r["acknowledged"].items()}
    return seconds, acknowledged, [error for r in records for error in r["errors"]]


async def _missing(addresses: list[str], acknowledged: dict[str, str], token: str) -> list[str]:
    """What was acknowledged and cannot be read, or reads otherwise."""
    waiting, missing = list(acknowledged.items()), list[str]()

    async def read(number: int) -> None:
        async with connected(addresses[number % len(addresses)], token) as client:
            while waiting:
                id, title = waiting.pop()
                (shown,) = (await client.read_resource(uri_of(id))).contents
                if title not in shown.model_dump_json():
                    missing.append(id)

    async with anyio.create_task_group() as group:
        for number in range(_READERS):
            group.start_soon(read, number)
    return missing


async def _caught_up_after(address: str, token: str) -> float:
    """How long the workers still need until everything is embedded."""
    began = time.monotonic()
    async with connected(address, token) as client:
        while time.monotonic() < began + _CATCH_UP_SECONDS:
            found = await client.call_tool("search_knowledge", {"query": "harvest"})
            if found.structured_content and found.structured_content["pending"] == 0:
                break
            await anyio.sleep(1.0)
    return time.monotonic() - began


def _calls(seconds: Mapping[str, list[float]], duration: int) -> Table:
    everything = [one for taken in seconds.values() for one in taken]
    rows = [_row(name, taken, duration) for name, taken in sorted(seconds.items())]
    columns = ("calls", "number", "per second", "p50 ms", "p95 ms", "p99 ms", "longest ms")
    return Table("Calls over MCP", columns, (*rows, _row("all", everything, duration)), 1)


def _row(name: str, taken: list[float], duration: int) -> tuple[Cell, ...]:
    quantiles = [1000 * float(q) for q in np.quantile(taken, (0.5, 0.95, 0.99, 1.0))]
    return (name, len(taken), len(taken) / duration, *quantiles)


def _ceilings(ceilings: Sequence[Ceiling]) -> Table:
    rows = tuple((one.name, one.per_second, one.milliseconds) for one in ceilings)
    return Table("The database alone", ("", "per second", "mean ms"), rows, 1)
