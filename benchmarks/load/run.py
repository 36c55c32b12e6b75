"""Many clients at once on a team's installation: is anything refused or lost, and how fast is it.

python -m benchmarks load [--clients 64] [--seconds 120] [--store postgres|sqlite] [--rates 10,20]
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
from dataclasses import asdict, dataclass, field

import anyio
import numpy as np
import psutil
from pydantic import SecretStr

from benchmarks.databases import DIALECTS, databases_as_they_come, settings_for
from benchmarks.latency.serving import started
from benchmarks.load.ceiling import Ceiling, measure
from benchmarks.load.clients import Plan, connected, uri_of
from benchmarks.report import Cell, Report, Table, now
from commonplace.access.rules import NewToken
from commonplace.bootstrap import running_application
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
        """What a call costs, and how many calls a second these processors could do if they did
        nothing else."""
        spent = self.seconds()
        spent["all of them"] = sum(spent.values())
        rows = tuple(
            (name, seconds, 1000 * seconds / calls, _cores() * calls / seconds)
            for name, seconds in spent.items()
            if seconds
        )
        columns = ("", "seconds", "ms per call", "calls a second at most")
        return Table("Processor time", columns, rows, 1)

    def seconds(self) -> dict[str, float]:
        return {name: after - self._before[name] for name, after in self._now().items()}

    def _now(self) -> dict[str, float]:
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        clients = ended.ru_utime + ended.ru_stime
        return {"servers": _used("serve"), "workers": _used("worker"), "clients": clients}


def _cores() -> int:
    return os.cpu_count() or 1


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
    parser.add_argument("--store", choices=DIALECTS, default="postgres")
    told = "so many calls begin in a second, whatever is answered; one rate after the other"
    parser.add_argument("--rates", default="", help=told)
    given = parser.parse_args(arguments)
    rates = [float(rate) for rate in given.rates.split(",") if rate]
    began, whole = now(), Load()
    with ExitStack() as stack:
        settings, ceilings = stack.enter_context(_database(given))
        token = _token(settings)
        addresses = stack.enter_context(_installation(settings, given))
        tables = []
        if rates:
            tables.append(_held(addresses, token, given, rates, whole))
        else:
            spent = Spent()
            whole.add(_loaded(addresses, token, given, 0.0))
            tables += [_calls(whole, given.seconds), spent.table(whole.answered)]
        lost = anyio.run(_missing, addresses, whole.acknowledged, token)
        behind = anyio.run(_caught_up_after, addresses[0], token)
    if ceilings:
        tables.append(_ceilings(ceilings))
    outcome = (
        f"{len(whole.errors)} errors; {len(whole.refused)} calls refused with `server.busy`; "
        f"{len(whole.acknowledged)} writes acknowledged and read back at the end, {len(lost)} of "
        f"them missing; everything was embedded {behind:.0f} s after the last call."
    )
    notes = (_setting(given), outcome, *sorted(set(whole.errors))[:5])
    Report(_name(given), tuple(tables), notes).save(began)
    if whole.errors or lost:
        sys.exit("There were errors or losses.")


def _held(
    addresses: list[str],
    token: str,
    given: argparse.Namespace,
    rates: Sequence[float],
    whole: Load,
) -> Table:
    """The quantiles of all calls at each rate; what was stored stays for the next."""
    rows = []
    for rate in rates:
        spent = Spent()
        load = _loaded(addresses, token, given, rate)
        seconds = [one for taken in load.seconds.values() for one in taken]
        answered, _, *quantiles = _row("", seconds, given.seconds)[1:]
        servers = 1000 * spent.seconds()["servers"] / load.answered
        rows.append((f"{rate:g}", answered, len(load.refused), *quantiles, servers))
        whole.add(load)
    columns = ("calls a second", "answered", "refused", "p50 ms", "p95 ms", "p99 ms")
    more = ("longest ms", "servers, ms of processor time a call")
    return Table("Calls over MCP, begun at a rate that is held", (*columns, *more), tuple(rows), 1)


def _name(given: argparse.Namespace) -> str:
    held = "-held" if given.rates else ""
    return f"load{'' if given.store == 'postgres' else '-sqlite'}{held}"


def _setting(given: argparse.Namespace) -> str:
    store = (
        f"{given.servers} servers, {given.workers} workers, PostgreSQL with synchronous commit"
        if given.store == "postgres"
        else "one server with its worker, SQLite"
    )
    pace = "calls begin at a rate" if given.rates else "each without a pause"
    return f"{given.clients} clients in {_PROCESSES} processes, {pace}; {store}; on this machine."


@contextmanager
def _database(given: argparse.Namespace) -> Iterator[tuple[Settings, list[Ceiling]]]:
    if given.store == "sqlite":
        with settings_for("sqlite") as settings:
            yield settings, []
        return
    with databases_as_they_come("ceiling", "product") as (bench, url):
        ceilings = measure(bench, given.clients, max(5, given.seconds // 6))
        yield Settings(database_url=SecretStr(url)), ceilings


def _token(settings: Settings) -> str:
    with running_application(settings) as application:
        new = NewToken(_ORG, _AGENT, frozenset({Scope.READ, Scope.WRITE}))
        return application.access.create(Actor(_ORG, _AGENT), new).text


@contextmanager
def _installation(settings: Settings, given: argparse.Namespace) -> Iterator[list[str]]:
    team = settings.database_url is not None
    told = {
        "COMMONPLACE_ORG": _ORG,
        "COMMONPLACE_AGENT": _AGENT,
        "COMMONPLACE_WORKER": "false" if team else "true",
        "COMMONPLACE_LOG_LEVEL": "error",
        "COMMONPLACE_RATE_LIMIT": "1000000",
    }
    if settings.database_url:
        told["COMMONPLACE_DATABASE_URL"] = settings.database_url.get_secret_value()
    else:
        told["COMMONPLACE_HOME"] = str(settings.home)
    with ExitStack() as stack:
        servers = given.servers if team else 1
        addresses = [stack.enter_context(started(told)) for _ in range(servers)]
        for _ in range(given.workers if team else 0):
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


@dataclass(slots=True)
class Load:
    """What all processes of clients together did."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    acknowledged: dict[str, str] = field(default_factory=dict)
    refused: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def add(self, other: Load) -> None:
        for name, taken in other.seconds.items():
            self.seconds.setdefault(name, []).extend(taken)
        self.acknowledged |= other.acknowledged
        self.refused += other.refused
        self.errors += other.errors

    @property
    def answered(self) -> int:
        return sum(map(len, self.seconds.values())) + len(self.refused)


def _loaded(addresses: list[str], token: str, given: argparse.Namespace, rate: float) -> Load:
    each = given.clients // _PROCESSES
    plans = [
        Plan(addresses, each, given.seconds, 1000 * number, token, rate / _PROCESSES)
        for number in range(_PROCESSES)
    ]
    commands = [
        [sys.executable, "-m", "benchmarks.load.clients", json.dumps(asdict(p))] for p in plans
    ]
    loading = [subprocess.Popen(command, stdout=subprocess.PIPE) for command in commands]
    load = Load()
    for process in loading:
        load.add(Load(**json.loads(process.communicate()[0])))
    return load


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


def _calls(load: Load, duration: int) -> Table:
    everything = [one for taken in load.seconds.values() for one in taken]
    rows = [_row(name, taken, duration) for name, taken in sorted(load.seconds.items())]
    if load.refused:
        rows.append(_row("refused", load.refused, duration))
    columns = ("calls", "number", "per second", "p50 ms", "p95 ms", "p99 ms", "longest ms")
    return Table("Calls over MCP", columns, (*rows, _row("answered", everything, duration)), 1)


def _row(name: str, taken: list[float], duration: int) -> tuple[Cell, ...]:
    quantiles = [1000 * float(q) for q in np.quantile(taken, (0.5, 0.95, 0.99, 1.0))]
    return (name, len(taken), len(taken) / duration, *quantiles)


def _ceilings(ceilings: Sequence[Ceiling]) -> Table:
    rows = tuple((one.name, one.per_second, one.milliseconds) for one in ceilings)
    return Table("The database alone", ("", "per second", "mean ms"), rows, 1)
