"""Vector libraries beside our own store: the same texts and vectors, calls in turns.

python -m benchmarks libraries [--size 10000] [--questions 200]
"""

from __future__ import annotations

import argparse
import base64
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean, median
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.latency.texts import contents, read_source, vectors
from benchmarks.peers.installing import Package, installed, size_of
from benchmarks.peers.speaking import PeerError, Spoken, spoken
from benchmarks.report import Cell, Report, Table, now
from commonplace import __version__
from commonplace.embedding.bundled import BundledEmbedder

if TYPE_CHECKING:
    from benchmarks.latency.texts import Matrix
    from commonplace.embedding.port import Vector

_BATCH = 100
_SHOWN = 10
_HERE = Path(__file__).parent
LIBRARIES = {
    "chroma": (Package(("chromadb==1.5.9",)), "Apache-2.0"),
    "lancedb": (Package(("lancedb==0.40.0",)), "Apache-2.0"),
    "qdrant": (Package(("qdrant-client==1.20.0",)), "Apache-2.0"),
}


@dataclass
class Measured:
    """One library that runs, and what was measured of it."""

    name: str
    version: str
    licence: str
    program: Spoken
    home: Path
    start_cpu: float
    added_cpu: float = 0.0
    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    right: list[float] = field(default_factory=list)

    def add(self, ids: Sequence[str], texts: Sequence[str], given: Matrix) -> None:
        coded = [_coded(one) for one in given]
        self.added_cpu += self.program.ask(
            "add", {"ids": ids, "texts": texts, "vectors": coded}
        ).cpu

    def search(self, vector: Vector, nearest: frozenset[str]) -> None:
        answer = self.program.ask("search", {"vector": _coded(vector), "limit": _SHOWN})
        self.wall.append(answer.wall)
        self.cpu.append(answer.cpu)
        self.right.append(len(nearest.intersection(answer.result["ids"])) / len(nearest))


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks libraries", description=__doc__)
    parser.add_argument("--size", type=int, default=10_000)
    parser.add_argument("--questions", type=int, default=200)
    given = parser.parse_args(arguments)
    started, embedder, source = now(), BundledEmbedder(), read_source()
    drawn = vectors(source, embedder, given.size)
    texts = [one.body for one in contents(source, given.size)]
    asked = np.array([embedder.embed_query(one) for one in source.queries[: given.questions]])
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cp-libraries-")))
        running, absent = _everybody(folder, stack)
        _fill(running, texts, drawn)
        for vector, nearest in zip(asked, _nearest(drawn, asked), strict=True):
            for one in running:
                one.search(vector, nearest)
        _report(running, absent, given.size).save(started)


def _everybody(folder: Path, stack: ExitStack) -> tuple[list[Measured], list[str]]:
    running, absent = [], []
    ours = [sys.executable, "-m", "benchmarks.peers.our_driver"]
    started = _started("commonplace", ours, folder, stack)
    running.append(Measured("commonplace", __version__, "Apache-2.0", *started))
    for name, (package, licence) in LIBRARIES.items():
        try:
            python = installed(package).program("python")
            driver = [python, str(_HERE / "library_driver.py")]
            started = _started(name, driver, folder, stack)
            running.append(Measured(name, package.version, licence, *started))
        except PeerError as error:
            absent.append(f"{name} is not in the table: {error}.")
    return running, absent


def _started(
    name: str, driver: Sequence[str], folder: Path, stack: ExitStack
) -> tuple[Spoken, Path, float]:
    home = folder / name
    home.mkdir()
    settings = {"PATH": os.environ["PATH"], "HOME": str(home), "OMP_NUM_THREADS": "1"}
    settings |= {"PYTHONPATH": os.pathsep.join(sys.path[:1])} if "-m" in driver else {}
    program = stack.enter_context(spoken([*driver, name, str(home / "kept")], settings, home))
    program.ask("ready", {})
    return program, home, program.cpu()


def _fill(running: Sequence[Measured], texts: Sequence[str], drawn: Matrix) -> None:
    for first in range(0, len(texts), _BATCH):
        part = slice(first, first + _BATCH)
        ids = [f"entry-{number}" for number in range(first, first + len(texts[part]))]
        for one in running:
            one.add(ids, texts[part], drawn[part])


def _nearest(drawn: Matrix, asked: Matrix) -> Iterator[frozenset[str]]:
    """By comparing with all."""
    for vector in asked:
        best = np.argsort(-(drawn @ vector))[:_SHOWN]
        yield frozenset(f"entry-{number}" for number in best)


def _coded(vector: Vector) -> str:
    return base64.b64encode(np.asarray(vector, dtype=np.float32).tobytes()).decode()


def _report(running: Sequence[Measured], absent: Sequence[str], size: int) -> Report:
    columns = (
        "library",
        "version",
        "licence",
        "start CPU s",
        "CPU ms a text",
        "search CPU ms",
        "p50 ms",
        "p95 ms",
        "recall@10",
        "memory MB",
        "disk MB",
    )
    rows = tuple(_row(one, size) for one in running)
    table = Table(f"{size} texts with their vectors", columns, rows, digits=2)
    return Report("libraries", (table,), (*absent, *_NOTES))


def _row(one: Measured, size: int) -> tuple[Cell, ...]:
    wall = [1000 * seconds for seconds in one.wall]
    tails = [float(np.quantile(wall, q)) for q in (0.5, 0.95)]
    costs = (one.start_cpu, 1000 * one.added_cpu / size, 1000 * median(one.cpu), *tails)
    sizes = (one.program.memory() / 1e6, size_of(one.home) / 1e6)
    return (one.name, one.version, one.licence, *costs, fmean(one.right), *sizes)


_NOTES = (
    (
        f"Texts come in batches of {_BATCH} with vectors that were made before; a question is a "
        "vector. Ours keeps what an entry is made of beside it: words, history, who may see it."
    ),
    (
        "Each in a process and an environment of its own, behind the same pipe, whose cost "
        "(reading and writing a line of JSON) is in all figures."
    ),
    "Recall is the share of the ten nearest, found by comparing with all.",
)
