"""Two orgs on one server: what the quiet one notices while the loud one does its worst.

Idle first, then under load, on a fresh server for each load and each checkout's `commonplace`.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path

import anyio
import numpy as np

from benchmarks.databases import DIALECTS, databases_as_they_come
from benchmarks.fairness.callers import Experience, live, settle
from benchmarks.fairness.installation import Installation, installation
from benchmarks.fairness.loud import LOADS
from benchmarks.report import Cell, Report, Table, now

_HEAD_START = 4.0


@dataclass(frozen=True, slots=True)
class Outcome:
    idle: Experience
    loaded: Experience
    answers: Counter[str]
    machine: tuple[float, float]


def main(arguments: Sequence[str]) -> None:
    given = _given(arguments)
    began = now()
    idle, loaded = (4.0, 10.0) if given.quick else (6.0, 20.0)
    commands = dict(one.split("=", 1) for one in given.command)
    rows: list[tuple[Cell, ...]] = []
    notes: list[str] = []
    for store in given.store:
        with ExitStack() as stack:
            names = [f"fair{number}" for number in range(len(LOADS) * len(commands))]
            urls: list[str] | None = None
            if store == "postgres":
                urls = stack.enter_context(databases_as_they_come(*names))
            for load in given.load:
                for label, command in commands.items():
                    with installation(command, urls.pop() if urls else None) as place:
                        outcome = anyio.run(_measured, place, load, idle, loaded)
                    rows.append(_row(store, load, label, outcome, loaded))
                    notes.append(_note(store, load, label, outcome))
                    print(rows[-1], notes[-1], flush=True)
    columns = (
        "store, load", "server", "searches", "p50 idle ms", "p50 under load", "ratio",
        "p95 idle ms", "p95 under load", "ratio", "meaning idle s", "under load", "ratio",
    )  # fmt: skip
    table = Table("The quiet org, idle and under the loud one's load", columns, tuple(rows), 1)
    Report("fairness", (table,), (*_explained(idle, loaded), *notes)).save(began)


def _given(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks fairness", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a shorter look at each load")
    parser.add_argument("--store", action="append", choices=DIALECTS)
    parser.add_argument("--load", action="append", choices=[name.split()[1] for name in LOADS])
    parser.add_argument("--command", action="append", metavar="LABEL=PATH")
    given = parser.parse_args(arguments)
    given.store = given.store or list(DIALECTS)
    given.load = [name for name in LOADS if not given.load or name.split()[1] in given.load]
    own = Path(sys.executable).parent / "commonplace"
    given.command = [*(given.command or ()), f"this={own}"]
    return given


async def _measured(place: Installation, load: str, idle: float, loaded: float) -> Outcome:
    await settle(place)
    before = os.getloadavg()[0]
    alone = await live(place, idle, "files" in load)
    plan = json.dumps({"load": load, **asdict(place)})
    loud = [sys.executable, "-m", "benchmarks.fairness.loud", plan]
    process = await anyio.open_process(loud, stderr=None)
    assert process.stdout is not None
    told = await process.stdout.receive()
    await anyio.sleep(_HEAD_START)
    beside = await live(place, loaded, "files" in load)
    if process.returncode is None:
        process.kill()
    told += b"".join([part async for part in process.stdout])
    await process.aclose()
    _begun, *ended = told.decode().split()
    return Outcome(alone, beside, Counter(ended), (before, os.getloadavg()[0]))


def _row(store: str, load: str, label: str, outcome: Outcome, seconds: float) -> tuple[Cell, ...]:
    idle, loaded = outcome.idle, outcome.loaded
    cells: list[Cell] = [f"{store}, {load}", label, len(loaded.searches)]
    for share in (0.5, 0.95):
        before, after = (
            1000 * float(np.quantile(lived.searches or [float("nan")], share))
            for lived in (idle, loaded)
        )
        cells += [before, after, after / before]
    before_, after_ = idle.meaning, loaded.meaning
    cells += [before_, f"> {seconds:.0f}" if after_ is None else after_]
    if before_ is None:
        return (*cells, None)
    at_least = f"> {seconds / before_:.1f}"
    return (*cells, at_least if after_ is None else after_ / before_)


def _note(store: str, load: str, label: str, outcome: Outcome) -> str:
    ended = ", ".join(f"{count} {how}" for how, count in sorted(outcome.answers.items()))
    before, after = outcome.machine
    failed = outcome.loaded.failed + outcome.idle.failed
    return (
        f"{store}, {load}, {label}: of the loud calls within the time {ended or 'none ended'};"
        f" failed quiet searches: {failed}; load of the machine {before:.0f}, then {after:.0f}."
    )


def _explained(idle: float, loaded: float) -> tuple[str, ...]:
    times = (
        f"A fresh server for each line: {idle:.0f} s idle, then {loaded:.0f} s under load, which "
        f"begins {_HEAD_START:.0f} s earlier. Default rate limits; the loud org has one token."
    )
    meaning = (
        "The quiet org searches every half second with one token and adds one note (beside files: "
        "one page) with another; `meaning` is from sending it until it is embedded, looked at "
        "every quarter of a second. `>`: it was not within the time."
    )
    cut = "A search that was under way when the time ended counts with the time it had taken."
    return times, meaning, cut
