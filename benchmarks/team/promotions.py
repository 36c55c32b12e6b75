"""Promotions under load: a primary is killed and Patroni promotes its standby, again and again.

python -m benchmarks promotions [--times 20]
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from anyio.from_thread import start_blocking_portal
from pydantic import SecretStr

from benchmarks.report import Cell, Report, Table, now
from commonplace.settings import Settings
from tests.surfaces.clients import Connections
from tests.surfaces.nearness import answer, embedded_at
from tests.surfaces.processes import Processes
from tests.team.patroni import patroni_team
from tests.team.promotions import Promotions, promoted
from tests.unit.embedding.local_endpoint import local_endpoint

_NOTES = (
    "Two servers with an agent each that stores and searches without a pause, and a worker.",
    "Two PostgreSQL under Patroni with the configuration of deploy/, synchronous, on one machine.",
    "The primary's postmaster is killed (SIGKILL) as soon as the other one follows synchronously.",
    "Seconds without writes: the longest time in which nothing was acknowledged, each time.",
    "Lost: acknowledged, and not there or not as it was after the last promotion.",
)


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks promotions", description=__doc__)
    parser.add_argument("--times", type=int, default=20)
    times, started = parser.parse_args(arguments).times, now()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cp-bench-")))
        portal = stack.enter_context(start_blocking_portal())
        endpoint = stack.enter_context(local_endpoint(answer))
        team = stack.enter_context(patroni_team())
        settings = Settings(
            home=folder / "home",
            database_url=SecretStr(team.address("team")),
            org="acme",
            worker=False,
            rate_limit=1_000_000,
            **embedded_at(endpoint.url),
        )
        processes = Processes(folder, Connections(portal, stack), stack)
        found = promoted(times, team, processes, settings)
    table = Table(f"{times} promotions", ("what", "figure"), _rows(found), digits=1)
    Report("promotions", (table,), _NOTES).save(started)


def _rows(found: Promotions) -> tuple[tuple[Cell, ...], ...]:
    refused = ", ".join(f"{code} {count}" for code, count in sorted(found.errors.items()))
    return (
        ("writes acknowledged", len(found.acknowledged)),
        ("of them lost", len(found.lost)),
        ("seconds without writes, p50", found.percentile(50)),
        ("seconds without writes, p95", found.percentile(95)),
        ("seconds without writes, longest", max(found.pauses)),
        ("calls refused, by code", refused or "none"),
        ("refusals that did not say when to try again", int(0 in found.waits)),
        ("servers and workers that ended", sum(code is not None for code in found.ended)),
    )
