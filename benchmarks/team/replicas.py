"""Searches with no replica, one and two, in turns: how many a second, and whose processor they use.

python -m benchmarks replicas [--entries 2000] [--searches 300] [--rounds 3]
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import psutil
from pydantic import SecretStr

from benchmarks.report import Report, Table, now
from commonplace.application import Application
from commonplace.bootstrap import build
from commonplace.model.actor import Actor
from commonplace.model.entry import EntryContent, EntryKind
from commonplace.model.query import SearchRequest
from commonplace.settings import Settings
from tests.surfaces.nearness import answer, embedded_at
from tests.team.cluster import running_cluster
from tests.unit.embedding.local_endpoint import local_endpoint

_ACTOR = Actor("bench", "searcher")
_THREADS = 4
_COLUMNS = (
    "replicas",
    "searches a second, best round",
    "share that left the primary",
    "primary, CPU ms a search",
    "first replica",
    "second replica",
)
_NOTE = (
    "In turns, by four threads of one process. The three databases and that process share this "
    "machine's cores, so that the rate cannot grow with replicas here: what leaves the primary "
    "shows in its processor time (the least of the rounds)."
)
_WORDS = [f"term{number}" for number in range(3000)]


class Installation:
    """One server's application with some of the replicas, and the processes of each database."""

    def __init__(self, application: Application, postmasters: Sequence[int]) -> None:
        self._application = application
        self._postmasters = postmasters
        self.rates: list[float] = []
        self.spent: list[list[float]] = []

    def search(self, count: int, dice: random.Random) -> None:
        queries = [" ".join(dice.sample(_WORDS, 3)) for _ in range(count)]
        before, started = self._used(), time.monotonic()
        with ThreadPoolExecutor(_THREADS) as pool:
            list(pool.map(self._one, queries))
        self.rates.append(count / (time.monotonic() - started))
        spent = zip(before, self._used(), strict=True)
        self.spent.append([1000 * (after - earlier) / count for earlier, after in spent])

    def share(self) -> float:
        found = self._application.status.vitals().replication
        return found.on_replicas / max(1, found.on_primary + found.on_replicas)

    def _one(self, query: str) -> None:
        self._application.retrieval.search(_ACTOR, SearchRequest(query))

    def _used(self) -> list[float]:
        return [_seconds(pid) for pid in self._postmasters]


def _seconds(postmaster: int) -> float:
    """Of a server's processes that live; connections are kept while it is measured."""
    times = [child.cpu_times() for child in psutil.Process(postmaster).children()]
    return sum(one.user + one.system for one in times)


def _fill(application: Application, entries: int, dice: random.Random) -> None:
    for number in range(entries):
        body = " ".join(dice.choices(_WORDS, k=60))
        text = f"{body} nearness {dice.randrange(90)}"
        content = EntryContent(title=f"Entry {number}", body=text)
        application.knowledge.add(_ACTOR, EntryKind.NOTE, content)
    application.new_worker().drain(600.0)


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks replicas")
    parser.add_argument("--entries", type=int, default=2000)
    parser.add_argument("--searches", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=3)
    given, started, dice = parser.parse_args(arguments), now(), random.Random(7)
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        endpoint = stack.enter_context(local_endpoint(answer))
        primary = stack.enter_context(running_cluster())
        database = primary.database()
        alone = Settings(home=home, database_url=SecretStr(database), **embedded_at(endpoint.url))
        first = build(alone)
        _fill(first, given.entries, dice)
        standbys = [stack.enter_context(primary.standby()) for _ in range(2)]
        pids = [primary.pid(), *(standby.pid() for standby in standbys)]
        installations = [Installation(first, pids)]
        addresses = [standby.address(database) for standby in standbys]
        for number in (1, 2):
            listed = {"replica_url": SecretStr(" ".join(addresses[:number]))}
            installations.append(Installation(build(alone.model_copy(update=listed)), pids))
        for each in installations:
            each.search(20, dice)
            each.rates.clear()
            each.spent.clear()
        for _ in range(given.rounds):
            for each in installations:
                each.search(given.searches, dice)
        _report(installations, given).save(started)


def _report(installations: Sequence[Installation], given: argparse.Namespace) -> Report:
    rows: list[tuple[float, ...]] = []
    for number, each in enumerate(installations):
        least = [min(column) for column in zip(*each.spent, strict=True)]
        rows.append((number, max(each.rates), each.share(), *least))
    title = f"{given.entries} entries, {given.searches} searches a round"
    return Report("replicas", (Table(title, _COLUMNS, tuple(rows), 2),), (_NOTE,))
