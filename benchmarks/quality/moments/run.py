"""Precision and recall of what is detected, and of the types suggested, on labelled texts.

python -m benchmarks moments [--clones FOLDER] [--half tune]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.quality.kept_vectors import KeptVectors
from benchmarks.quality.moments.judging import (
    Agreement,
    Judged,
    agreement,
    calibration_error,
    confusion,
    false_alarms,
    type_accuracy,
)
from benchmarks.quality.moments.labelled import (
    HELD,
    KINDS,
    OWN,
    TUNE,
    TYPES,
    Labelled,
    public,
    rows,
    texts,
    threads,
)
from benchmarks.quality.moments.ordinary import ordinary
from benchmarks.quality.moments.reading import Reader
from benchmarks.quality.moments.talks import cut
from benchmarks.quality.moments.ways import LEARNED, PATTERNS, ways
from benchmarks.report import Cell, Report, Table, now
from commonplace.analysis.confidence import PRESETS
from commonplace.capture.moments import NEAR_THRESHOLD
from commonplace.embedding.bundled import BundledEmbedder

_KEPT = Path(".data/vectors")
_FORMS = (
    OWN,
    "commit",
    "pull request",
    "comment",
    "decision record",
    "changelog",
    "documentation",
    "incident",
    "conversation",
)

Results = dict[str, dict[str, Judged]]
"""By way, then by half."""


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks moments", description=__doc__)
    parser.add_argument("--clones", type=Path, help="folder of the clones that the README names")
    parser.add_argument("--half", choices=(TUNE, HELD), help="both, unless one is named")
    given = parser.parse_args(arguments)
    started = now()
    reader = Reader(KeptVectors(BundledEmbedder(), _KEPT))
    labelled = texts() + (public(given.clones) if given.clones else [])
    halves = [given.half] if given.half else [TUNE, HELD]
    results = _results(labelled, halves, reader)
    last = results[LEARNED][halves[-1]]
    tables = (
        _detection(results),
        _forms(results[LEARNED]),
        _types(results),
        _presets(results),
        _threads(reader, halves),
        _confusion(last, halves[-1]),
        _false_alarms(results),
        _ordinary(reader),
        *_passes(),
    )
    Report("moments", tables, tuple(_notes(results))).save(started)


def _results(labelled: Sequence[Labelled], halves: Sequence[str], reader: Reader) -> Results:
    return {
        way: {
            half: [(each, judge(each)) for each in labelled if each.half == half] for half in halves
        }
        for way, judge in ways(labelled, reader).items()
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
    columns = ("share of the moments that are given their type", *results[LEARNED])
    return Table("Suggested type", columns, tuple(rows))


def _forms(halves: dict[str, Judged]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for form in _FORMS:
        parts = [[one for one in judged if one[0].form == form] for judged in halves.values()]
        if all(parts):
            found = (agreement(part, lambda it: it.detected) for part in parts)
            rows.append((form, *_cells(found), *map(len, parts)))
    figures = [f"{half} {name}" for half in halves for name in ("precision", "recall", "F1")]
    columns = ("form of the text", *figures, *(f"{half} texts" for half in halves))
    return Table(f"Detected, by form: {LEARNED}", columns, tuple(rows))


def _presets(results: Results) -> Table:
    halves = results[LEARNED].values()
    rows: list[tuple[Cell, ...]] = [
        (f"{name} ({least:.2f})", *_cells(_reaching(judged, least) for judged in halves))
        for name, least in _thresholds()
    ]
    errors = [calibration_error(judged) for judged in halves]
    rows.append(("calibration error", *(cell for one in errors for cell in (one, None, None))))
    return Table("Presets: probability from", ("", *_headings(results)), tuple(rows))


def _reaching(judged: Judged, least: float) -> Agreement:
    return agreement(judged, lambda it: it.score >= least)


def _thresholds() -> Iterator[tuple[str, float]]:
    for preset, levels in PRESETS.items():
        yield f"{preset}: saved", levels.high
        yield f"{preset}: flagged for review or saved", NEAR_THRESHOLD * levels.high


def _threads(reader: Reader, halves: Sequence[str]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for half in halves:
        talks = [thread for thread in threads() if thread.half == half]
        for least in (0.5, 0.72, 0.8, 0.9):
            one = cut(reader, talks, least)
            right = max(1, one.right)
            figures = (one.precision, one.recall, one.f1, one.typed / right, one.titled / right)
            rows.append((f"{half}, from {least:.2f}", one.moments, one.found, *figures))
    columns = ("threads", "moments", "found", "precision", "recall", "F1", "type", "title")
    return Table("Moments cut from whole threads", columns, tuple(rows))


def _ordinary(reader: Reader) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for name, (form, passages) in ordinary().items():
        sentences = sum(map(reader.sentences, passages))
        lines = sum(passage.count("\n") + 1 for passage in passages)
        alarms = [
            sum(
                one.moment.score >= least
                for passage in passages
                for one in reader.found(passage, least, form).candidates
            )
            for least in (0.72, 0.9)
        ]
        said = max(1, sentences, lines)
        rows.append((name, sentences, lines, *(1000 * alarm / said for alarm in alarms)))
    columns = ("text", "sentences", "lines", "per 1,000, from 0.72", "per 1,000, from 0.90")
    return Table("False alarms in ordinary text", columns, tuple(rows), digits=1)


def _confusion(judged: Judged, half: str) -> Table:
    counts = confusion(judged)
    rows: list[tuple[Cell, ...]] = [
        (true, *(counts[true, given] for given in TYPES)) for true in TYPES
    ]
    return Table(f"Types, {half}: labelled (rows) and suggested", ("", *TYPES), tuple(rows))


def _false_alarms(results: Results) -> Table:
    both = {
        way: [one for half in halves.values() for one in half] for way, halves in results.items()
    }
    rows: list[tuple[Cell, ...]] = [
        (kind, *(_of(false_alarms(both[way], kind)) for way in (PATTERNS, LEARNED)))
        for kind in KINDS
    ]
    columns = ("kind of text", PATTERNS, LEARNED)
    return Table("Detected though no moment", columns, tuple(rows))


def _passes() -> Iterator[Table]:
    """How far two passes of labelling, neither told of the other, agree: by form, and on types."""
    public = list(rows("public"))
    groups = {"all": public}
    for row in public:
        groups.setdefault(row["form"], []).append(row)
    told: list[tuple[Cell, ...]] = [
        (form, len(them), *_agreed(them)) for form, them in groups.items()
    ]
    figures = ("texts", "agreement", "Cohen's kappa", "F1", "same type")
    yield Table("Two passes of labelling", ("public texts", *figures), tuple(told))
    own = list(rows("second"))
    same = sum(row["first"] == row["second"] for row in own) / len(own)
    heading = ("moments in our own texts and threads", "moments", "same type")
    yield Table("Two passes of types", heading, (("all", len(own), same),))


def _agreed(labelled: Sequence[dict[str, Any]]) -> tuple[float, ...]:
    """Agreement, kappa and F1 on what is a moment, and the share of one type where both say so."""
    pairs = [row["passes"] for row in labelled]
    both = [(one, other) for one, other in pairs if one and other]
    shares = [sum(map(bool, each)) / len(pairs) for each in zip(*pairs, strict=True)]
    same = sum(bool(one) == bool(other) for one, other in pairs) / len(pairs)
    chance = shares[0] * shares[1] + (1 - shares[0]) * (1 - shares[1])
    return (
        same,
        (same - chance) / (1 - chance),
        2 * len(both) / (sum(shares) * len(pairs)),
        sum(one == other for one, other in both) / len(both),
    )


def _of(counts: tuple[int, int]) -> str:
    return "{} of {}".format(*counts)


def _headings(results: Results) -> list[str]:
    return [
        f"{half} {figure}" for half in results[LEARNED] for figure in ("precision", "recall", "F1")
    ]


def _cells(agreements: Iterable[Agreement]) -> Iterator[Cell]:
    for each in agreements:
        yield from (each.precision, each.recall, each.f1)


def _notes(results: Results) -> Iterator[str]:
    for half, judged in results[LEARNED].items():
        moments = sum(labelled.moment for labelled, _ in judged)
        yield f"{half}: {len(judged)} texts, {moments} of them moments."
    yield "The product learned from `tune`, threads too: there its figures say how well it fits."
    yield "Calibration error: the mean distance of probability and frequency in ten bins."
    yield "A title is good if it is no filler, has at most 200 characters, and half of its words."
