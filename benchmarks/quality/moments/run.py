"""Precision and recall of what is detected, and of the types suggested, on labelled texts.

python -m benchmarks moments [--commits FOLDER]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from benchmarks.quality.moments.judging import (
    Agreement,
    Judged,
    agreement,
    confusion,
    false_alarms,
    type_accuracy,
)
from benchmarks.quality.moments.labelled import (
    COMMITS,
    HELD,
    KINDS,
    TUNE,
    TYPES,
    Labelled,
    commits,
    texts,
)
from benchmarks.quality.moments.ways import PATTERNS, PRODUCT, ways
from benchmarks.report import Cell, Report, Table, now
from commonplace.analysis.confidence import PRESETS

_FLAGGED_FROM = 0.8
"""The share of its threshold from which `auto_capture` flags a text for review."""

Results = dict[str, dict[str, Judged]]
"""By way, then by half."""


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks moments", description=__doc__)
    parser.add_argument("--commits", type=Path, help="folder of the clones that the README names")
    given = parser.parse_args(arguments)
    started = now()
    labelled = texts() + (commits(given.commits) if given.commits else [])
    halves = [TUNE, HELD, *([COMMITS] if given.commits else [])]
    results = _results(labelled, halves)
    tables = (
        _detection(results),
        _types(results),
        _confidence(results, PATTERNS),
        _confidence(results, PRODUCT),
        _confusion(results[PRODUCT][HELD]),
        _false_alarms(results),
    )
    Report("moments", tables, tuple(_notes(results))).save(started)


def _results(labelled: Sequence[Labelled], halves: Sequence[str]) -> Results:
    return {
        way: {
            half: [(each, judge(each.text)) for each in labelled if each.half == half]
            for half in halves
        }
        for way, judge in ways(labelled).items()
    }


def _detection(results: Results) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (way, *_cells(agreement(judged, lambda it: it.detected) for judged in halves.values()))
        for way, halves in results.items()
    ]
    return Table("Detected", ("", *_headings(results)), tuple(rows))


def _types(results: Results) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (way, *map(type_accuracy, halves.values())) for way, halves in results.items()
    ]
    columns = ("share of the moments that are given their type", *results[PRODUCT])
    return Table("Suggested type", columns, tuple(rows))


def _confidence(results: Results, way: str) -> Table:
    halves = results[way].values()
    rows: list[tuple[Cell, ...]] = [
        (f"{name} ({least:.2f})", *_cells(_reaching(judged, least) for judged in halves))
        for name, least in _thresholds()
    ]
    return Table(f"Confidence score: {way}", ("from", *_headings(results)), tuple(rows))


def _reaching(judged: Judged, least: float) -> Agreement:
    return agreement(judged, lambda it: it.score >= least)


def _thresholds() -> Iterator[tuple[str, float]]:
    for preset, levels in PRESETS.items():
        yield f"{preset}: high, captured", levels.high
        yield f"{preset}: flagged for review", _FLAGGED_FROM * levels.high
        yield f"{preset}: medium", levels.medium
        yield f"{preset}: low", levels.low


def _confusion(judged: Judged) -> Table:
    counts = confusion(judged)
    rows: list[tuple[Cell, ...]] = [
        (true, *(counts[true, given] for given in TYPES)) for true in TYPES
    ]
    return Table("Types, held: labelled (rows) and suggested", ("", *TYPES), tuple(rows))


def _false_alarms(results: Results) -> Table:
    both = {way: [*halves[TUNE], *halves[HELD]] for way, halves in results.items()}
    rows: list[tuple[Cell, ...]] = [
        (kind, *(_of(false_alarms(both[way], kind)) for way in (PATTERNS, PRODUCT)))
        for kind in KINDS
    ]
    columns = ("kind of text, both halves", PATTERNS, PRODUCT)
    return Table("Detected though no moment", columns, tuple(rows))


def _of(counts: tuple[int, int]) -> str:
    return "{} of {}".format(*counts)


def _headings(results: Results) -> list[str]:
    return [
        f"{half} {figure}" for half in results[PRODUCT] for figure in ("precision", "recall", "F1")
    ]


def _cells(agreements: Iterable[Agreement]) -> Iterator[Cell]:
    for each in agreements:
        yield from (each.precision, each.recall, each.f1)


def _notes(results: Results) -> Iterator[str]:
    for half, judged in results[PRODUCT].items():
        found = agreement(judged, lambda it: it.detected)
        before = agreement(results[PATTERNS][half], lambda it: it.detected)
        yield (
            f"{half}: {len(judged)} texts, {found.moments} of them moments. Of the "
            f"{found.found - before.found} that cues add, {found.right - before.right} are moments."
        )
