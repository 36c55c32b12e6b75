"""Two versions of the server beside each other: the same calls over stdio, in turns.

python -m benchmarks turns --old FOLDER [--notes 200] [--rounds 40]; FOLDER is a checkout of the
older version. Counted is the processor time of the server's process: other work adds little to it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.latency.greeting import INITIALIZE
from benchmarks.report import Report, Table, now

_HERE = Path(__file__).parents[2]
_ANIMALS = ("zebra", "otter", "heron", "badger", "lynx", "stoat", "magpie", "newt")
_DOES = ("crosses the river", "waits for rain", "counts its young", "hides what it found")


class Asked:
    """A server that answers one request after the other."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._number = 0

    def ask(self, method: str, params: dict[str, Any]) -> float:
        """Processor seconds that the server took for an answer without an error."""
        before = self.seconds()
        self._number += 1
        self._say({"id": self._number, "method": method, "params": params})
        assert self._process.stdout is not None
        for line in self._process.stdout:
            heard = json.loads(line)
            if heard.get("id") == self._number:
                assert "result" in heard, heard
                assert not heard["result"].get("isError"), heard
                return self.seconds() - before
        raise AssertionError("the server ended")

    def call(self, tool: str, **arguments: Any) -> float:
        return self.ask("tools/call", {"name": tool, "arguments": arguments})

    def greet(self) -> float:
        self.ask("initialize", INITIALIZE["params"])
        self._say({"method": "notifications/initialized"})
        return self.seconds()

    def seconds(self) -> float:
        """Of all threads of the process since it began: the clock that Linux keeps of it."""
        return time.clock_gettime((~self._process.pid << 3) | 2)

    def _say(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self._process.stdin.flush()


@contextmanager
def started(tree: Path, home: str) -> Iterator[Asked]:
    environment = {
        **os.environ,
        "PYTHONPATH": str(tree / "src"),
        "COMMONPLACE_HOME": home,
        "COMMONPLACE_SURFACES": "notes",
        "COMMONPLACE_LOG_LEVEL": "error",
        "COMMONPLACE_WORKER": "false",
    }
    command = [sys.executable, "-m", "commonplace", "mcp"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=environment, cwd=home, stdin=pipe, stdout=pipe) as process:
        yield Asked(process)
        process.kill()


def note(number: int) -> dict[str, str]:
    animal, does = _ANIMALS[number % len(_ANIMALS)], _DOES[number // 8 % len(_DOES)]
    return {"title": f"{animal} {number}", "body": f"The {animal} of pond {number} {does}."}


def question(number: int) -> str:
    return f"which {_ANIMALS[number % len(_ANIMALS)]} {_DOES[number // 8 % len(_DOES)]}"


Work = Callable[[Asked, int], float]
WORK: dict[str, Work] = {
    "search_knowledge": lambda server, n: server.call("search_knowledge", query=question(n)),
    "store_knowledge": lambda server, n: server.call("store_knowledge", **note(10_000 + n)),
}


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks turns", description=__doc__)
    parser.add_argument("--old", type=Path, default=_HERE)
    parser.add_argument("--notes", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=40)
    given = parser.parse_args(arguments)
    began, trees = now(), (given.old.resolve(), _HERE)
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        rows = measured(trees, (first, second), given.notes, given.rounds)
    columns = (
        "ms of CPU",
        "old, least",
        "new, least",
        "ratio",
        "old, median",
        "new, median",
        "ratio",
    )
    title = f"{given.notes} notes on SQLite, {given.rounds} rounds in turns"
    Report("turns", (Table(title, columns, rows, digits=2),), _NOTES).save(began)


def measured(
    trees: Sequence[Path], homes: Sequence[str], notes: int, rounds: int
) -> tuple[tuple[str | float, ...], ...]:
    greetings = [[_greeted(*each) for each in zip(trees, homes, strict=True)] for _ in range(9)]
    rows = [_row("initialize, from the start", greetings[1:])]
    with started(trees[0], homes[0]) as old, started(trees[1], homes[1]) as new:
        for server in (old, new):
            server.greet()
            for number in range(notes):
                server.call("store_knowledge", **note(number))
            server.call("search_knowledge", query="what loads the model")
        for name, work in WORK.items():
            rows.append(_row(name, [[work(s, n) for s in (old, new)] for n in range(rounds)]))
    return tuple(rows)


def _greeted(tree: Path, home: str) -> float:
    with started(tree, home) as server:
        return server.greet()


def _row(name: str, rounds: Sequence[Sequence[float]]) -> tuple[str | float, ...]:
    old, new = ([1000 * one for one in each] for each in zip(*rounds, strict=True))
    least, middle = (min(old), min(new)), (median(old), median(new))
    return (name, *least, least[1] / least[0], *middle, middle[1] / middle[0])


_NOTES = (
    (
        "One process for each version, over stdio, without a worker, so that nothing else is "
        "counted: notes have no vectors yet and are found by their words."
    ),
    (
        "The calls of a round go to the old one, then to the new one; counted is the processor "
        "time of all threads of a server's process, by the kernel's clock of it."
    ),
)
