"""How long whole projects take to index, beside other indexers of the same files and minute.

The data folder's `peers.json` names them: {"name": ["program", "argument with {root} or {out}"]}.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from benchmarks.codegraph.score import GroundTruth, Place
from benchmarks.quality.datasets import DATA_VARIABLE
from benchmarks.report import Cell, Report, Table, now
from commonplace.codegraph.keeping.neighbours import is_manifest

_OURS = "commonplace"
_RUNNING = "commonplace, the server running"
_NAME = re.compile(r"[\w$]*")
_LEFT_OUT = frozenset({"node_modules", ".git", ".codegraph"})
_DATABASE = ".codegraph/codegraph.db"
_EDGES = """
SELECT DISTINCT s.file_path, e.line, t.file_path, t.start_line, t.end_line, t.name
FROM edges e JOIN nodes s ON s.id = e.source JOIN nodes t ON t.id = e.target
WHERE e.kind IN ('calls', 'references', 'instantiates', 'extends', 'implements')
  AND e.line IS NOT NULL AND t.kind <> 'file'"""


class Told(NamedTuple):
    """On a line of a file something of this name is used, which is defined in those lines there."""

    path: str
    line: int
    target: str
    first: int
    last: int
    name: str


@dataclass(frozen=True, slots=True)
class Run:
    """What one indexer took, and what came of it."""

    cpu: float
    wall: float
    edges: frozenset[Told]


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks indexing", description=__doc__)
    parser.add_argument("--data", type=Path, default=os.environ.get(DATA_VARIABLE))
    parser.add_argument("projects", nargs="*", default=["got", "zod", "typedoc"])
    given = parser.parse_args(arguments)
    if given.data is None:
        sys.exit(f"Set {DATA_VARIABLE} or --data: benchmarks/codegraph/README.md says to what.")
    started, data = now(), Path(given.data)
    peers = json.loads((data / "peers.json").read_text(encoding="utf-8"))
    rows: list[tuple[Cell, ...]] = []
    changes: list[tuple[Cell, ...]] = []
    for name in given.projects:
        with (data / f"{name}.jsonl").open(encoding="utf-8") as lines:
            truth = GroundTruth(lines)
        with copied(data / "src" / name, truth.paths) as root:
            taken = _ours(root, name, changes)
            taken |= {peer: _peer(command, root) for peer, command in peers.items()}
            rows += _judged(name, Judge(truth, root), taken)
        _report(rows, changes).save(started)


def _report(rows: Sequence[tuple[Cell, ...]], changes: Sequence[tuple[Cell, ...]]) -> Report:
    times = ("CPU s", "times ours", "wall s", "times ours by the clock")
    columns = ("project", "indexer", *times, "edges", "right", "wrong")
    changed = ("project", "one file", "median, ms", "most, ms", "median, CPU ms", "most, CPU ms")
    tables = (
        Table("A whole index", columns, tuple(rows), digits=2),
        Table("One file changed", changed, tuple(changes), digits=0),
    )
    notes = (
        "All are given the same files: those of the folders that the compiler's answer is about.",
        "Times are those of all processes of an indexer, their start included.",
        f"'{_RUNNING}' is the part of it after the start of the server: read, linked, stored.",
        "An edge is a line and what it uses, imports left out.",
        "It is right where the compiler has a use on that line which leads to that definition.",
        "It is wrong where the compiler says that a use of that name leads elsewhere.",
        "Touched is a comment more, added an exported function more, with all that depends on it.",
        "There the CPU time is the server's; one file is parsed in a child process.",
    )
    return Report("indexing", tables, notes)


@contextmanager
def copied(source: Path, covered: Iterable[str]) -> Iterator[Path]:
    """Manifests and the folders of these files, with the settings that the compiler's answers were
    made with. A file that only passes names on is in no answer, and lies beside one that is."""
    folders = {(source / path).parent for path in covered}

    def left_out(folder: str, names: list[str]) -> set[str]:
        here = Path(folder)
        kept = {name for name in names if here in folders or is_manifest(name)}
        kept |= {name for name in names if (here / name).is_dir()}
        return set(names) - (kept - _LEFT_OUT)

    with tempfile.TemporaryDirectory(prefix="indexed-") as made:
        root = Path(made).resolve() / source.name
        shutil.copytree(source, root, ignore=left_out, symlinks=True)
        if (source / "node_modules").is_dir():
            (root / "node_modules").symlink_to(source / "node_modules")
        if (root / "tsconfig.truth.json").exists():
            shutil.copyfile(root / "tsconfig.truth.json", root / "tsconfig.json")
        yield root


def _ours(root: Path, name: str, changes: list[tuple[Cell, ...]]) -> dict[str, Run]:
    """The whole process, as of the others, and what it takes in a server that runs already."""
    with tempfile.TemporaryDirectory(prefix="edges-") as folder:
        edges = Path(folder) / "edges.jsonl"
        module = (sys.executable, "-m", "benchmarks.codegraph.index_once", str(root))
        started = time.time()
        told = json.loads(_output((*module, "--changes", "--edges", str(edges))))
        kept = edges.read_text(encoding="utf-8").splitlines()
    changes.extend(
        (name, what, *(1000 * seconds for seconds in told[what])) for what in ("touched", "added")
    )
    told_edges = frozenset(Told(*json.loads(line)) for line in kept)
    return {
        _OURS: Run(told["cpu"], told["made_at"] - started, told_edges),
        _RUNNING: Run(told["index_cpu"], told["index_seconds"], frozenset()),
    }


def _peer(command: Sequence[str], root: Path) -> Run:
    """Edges are those of a peer that keeps nodes and edges in a database of its own."""
    with tempfile.TemporaryDirectory(prefix="peer-") as out:
        cpu, wall = _timed([part.format(root=root, out=out) for part in command])
    database = root / _DATABASE
    if not database.exists():
        return Run(cpu, wall, frozenset())
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
        return Run(cpu, wall, frozenset(Told(*row) for row in connection.execute(_EDGES)))


def _timed(command: Sequence[str]) -> tuple[float, float]:
    before, start = _children(), time.perf_counter()
    _output(command)
    return _children() - before, time.perf_counter() - start


def _output(command: Sequence[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _judged(name: str, judge: Judge, taken: Mapping[str, Run]) -> Iterator[tuple[Cell, ...]]:
    ours = taken[_OURS]
    for indexer, run in taken.items():
        right, wrong = judge.judged(run.edges)
        counts = (len(run.edges), right, wrong) if run.edges else (None, None, None)
        times = (run.cpu, run.cpu / ours.cpu, run.wall, run.wall / ours.wall)
        yield name, indexer, *times, *counts


class Judge:
    """Compares edges by line with what a compiler says of the uses on these lines."""

    def __init__(self, truth: GroundTruth, root: Path) -> None:
        self._truth = truth
        self._root = root
        self._texts: dict[str, list[str]] = {}
        self._uses: dict[tuple[str, int], list[Place]] = {}
        for place in truth.places():
            self._uses.setdefault((place.path, place.line + 1), []).append(place)

    def judged(self, edges: Iterable[Told]) -> tuple[int, int]:
        """How many are right, and of how many the compiler says that the name leads elsewhere."""
        right = wrong = 0
        for edge in edges:
            uses = self._uses.get((edge.path, edge.line), ())
            if any(self._leads_to(place, edge) for place in uses):
                right += 1
            elif any(self._name_at(place) == edge.name for place in uses):
                wrong += 1
        return right, wrong

    def _leads_to(self, place: Place, edge: Told) -> bool:
        return any(
            each.path == edge.target
            and edge.first <= each.line + 1 <= edge.last
            and self._name_at(each) == edge.name
            for each in self._truth.definitions(place) or ()
        )

    def _name_at(self, place: Place) -> str:
        if place.path not in self._texts:
            text = (self._root / place.path).read_text(encoding="utf-8", errors="replace")
            self._texts[place.path] = text.split("\n")
        found = _NAME.match(self._texts[place.path][place.line], place.column)
        return found[0] if found else ""


if __name__ == "__main__":
    main(sys.argv[1:])
