"""Right and found: the links of whole projects against what their compilers say.

The data folder holds, for each project, its sources in `src/<name>` and the compiler's answers in
`<name>.jsonl`; the README says how they are made.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.codegraph.score import GroundTruth, Tally, largest, score, total
from benchmarks.quality.datasets import DATA_VARIABLE
from benchmarks.report import Cell, Report, Table, now
from commonplace.codegraph.extraction.extract import extract
from commonplace.codegraph.extraction.facts import FileFacts
from commonplace.codegraph.extraction.languages import language_of
from commonplace.codegraph.keeping.garbage import gc_paused
from commonplace.codegraph.keeping.neighbours import is_manifest
from commonplace.codegraph.resolution.layout import layout_of
from commonplace.codegraph.resolution.resolve import resolve

_MOST_MISSED = 8


@dataclass(frozen=True, slots=True)
class Result:
    name: str
    files: Mapping[str, FileFacts]
    tallies: Mapping[str, Tally]
    links: int
    extracting: float
    resolving: float


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks codegraph", description=__doc__)
    parser.add_argument("--data", type=Path, default=os.environ.get(DATA_VARIABLE))
    parser.add_argument("projects", nargs="*", help="names; all of the folder without any")
    given = parser.parse_args(arguments)
    if given.data is None:
        sys.exit(f"Set {DATA_VARIABLE} or --data: benchmarks/codegraph/README.md says to what.")
    started = now()
    names = given.projects or sorted(path.stem for path in Path(given.data).glob("*.jsonl"))
    results = [measure(Path(given.data), name) for name in names]
    tables = (_totals(results), *(_kinds(each) for each in results), _missed(results))
    Report("codegraph", tables).save(started)


def measure(data: Path, name: str) -> Result:
    root = data / "src" / name
    with (data / f"{name}.jsonl").open(encoding="utf-8") as lines:
        truth = GroundTruth(lines)
    sources = {
        path: (root / path).read_bytes() for path in sorted(truth.paths) if language_of(path)
    }
    layout = layout_of(_manifests(root))
    gc.collect()
    with gc_paused():
        start = time.process_time()
        files = {path: extract(path, source) for path, source in sources.items()}
        extracted = time.process_time()
        links = resolve(files, layout)
        resolved = time.process_time()
    return Result(
        name,
        files,
        score(files, links, truth),
        sum(map(len, links.values())),
        extracted - start,
        resolved - extracted,
    )


def _manifests(root: Path) -> dict[str, str]:
    return {
        str(path.relative_to(root)): path.read_text(encoding="utf-8", errors="replace")
        for path in root.rglob("*")
        if is_manifest(path.name) and path.is_file() and "node_modules" not in path.parts
    }


def _totals(results: Sequence[Result]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for each in results:
        whole = total(each.tallies)
        references = sum(len(facts.references) for facts in each.files.values())
        rows.append(
            (each.name, len(each.files), references, each.links, whole.right, len(whole.wrong),
             len(whole.missed), whole.precision, whole.recall, each.extracting, each.resolving)
        )  # fmt: skip
    columns = (
        "project", "files", "references", "linked", "right", "wrong", "missed", "precision",
        "recall", "extract, CPU s", "resolve, CPU s",
    )  # fmt: skip
    return Table("Links against the compiler", columns, tuple(rows))


def _kinds(result: Result) -> Table:
    ordered = sorted(result.tallies.items(), key=lambda item: -item[1].right)
    rows = tuple(
        (kind, tally.right, len(tally.wrong), len(tally.missed), tally.precision, tally.recall)
        for kind, tally in ordered
    )
    columns = ("use", "right", "wrong", "missed", "precision", "recall")
    return Table(f"{result.name}: by kind of use", columns, rows)


def _missed(results: Sequence[Result]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for each in results:
        whole = total(each.tallies)
        missed = largest(whole.missed, each.files).most_common(_MOST_MISSED)
        wrong = largest((place for place, _ in whole.wrong), each.files).most_common(_MOST_MISSED)
        rows.append((each.name, _listed(missed), _listed(wrong)))
    return Table(
        "The names most often missed and mistaken", ("project", "missed", "wrong"), tuple(rows)
    )


def _listed(counted: Sequence[tuple[str, int]]) -> str:
    return ", ".join(f"`{name}` {count}" for name, count in counted)


if __name__ == "__main__":
    main(sys.argv[1:])
