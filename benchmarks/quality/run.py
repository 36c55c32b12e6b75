"""nDCG@10 by words, by meaning and fused, on judged sets, through the product's own pipeline.

python -m benchmarks quality [--sets cosqa,scifact] [--stores sqlite,postgres] [--split test]
    [--at-once 8]
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from statistics import fmean

from benchmarks.databases import DIALECTS
from benchmarks.quality.datasets import Dataset, load, prepared
from benchmarks.quality.pipeline import FUSED, SEMANTIC, WAYS, quality, ranking, stored
from benchmarks.report import Cell, Report, Table, now

_OVERLAP_QUERIES = 100
# Only bulk text, which is to say files, has previews.
_BY_PREVIEWS = (SEMANTIC, FUSED)


@dataclass(frozen=True, slots=True)
class Measured:
    """The results of one set on one store: nDCG@10 per way of searching, and some rankings.

    `previews` are the scores before the final vectors are there.
    """

    dataset: Dataset
    previews: dict[str, float]
    scores: dict[str, float]
    rankings: list[list[str]]

    @property
    def better_leg(self) -> float:
        return max(self.scores["lexical"], self.scores["semantic"])


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks quality", description=__doc__)
    parser.add_argument("--sets", help="without it, all that are prepared")
    parser.add_argument("--stores", default="sqlite,postgres")
    parser.add_argument("--split", choices=("test", "tune"), default="test")
    parser.add_argument("--at-once", type=int, default=1, help="sets, each in its own process")
    given = parser.parse_args(arguments)
    started = now()
    names = given.sets.split(",") if given.sets else prepared()
    datasets = [load(name, split=given.split) for name in names]
    dialects = [dialect for dialect in DIALECTS if dialect in given.stores.split(",")]
    with ProcessPoolExecutor(given.at_once) as pool:
        measured = {
            dialect: list(pool.map(partial(_measured, dialect=dialect), datasets))
            for dialect in dialects
        }
    tables = tuple(_table(dialect, sets) for dialect, sets in measured.items())
    name = "quality" if given.split == "test" else "quality-tune"
    Report(name, tables, _notes(list(measured.values()))).save(started)


def _measured(dataset: Dataset, dialect: str) -> Measured:
    with stored(dataset, dialect) as library:
        previews: dict[str, float] = {}
        if dataset.files:
            library.preview()
            before = library.retrieval
            previews = {way.name: quality(before, dataset, way) for way in _BY_PREVIEWS}
        library.complete()
        retrieval = library.retrieval
        print(f"{dataset.name} on {dialect}: {library.counts}, {library.computed} newly embedded")
        scores = {way.name: quality(retrieval, dataset, way) for way in WAYS}
        some = list(dataset.queries.values())[:_OVERLAP_QUERIES]
        rankings = [ranking(retrieval, dataset, query, FUSED) for query in some]
        return Measured(dataset, previews, scores, rankings)


def _table(dialect: str, sets: Sequence[Measured]) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (
            one.dataset.name,
            len(one.dataset.documents),
            len(one.dataset.queries),
            *(one.scores[way.name] for way in WAYS),
            f"{one.scores[FUSED.name] / one.better_leg - 1:+.1%}",
            *(one.previews.get(way.name) for way in _BY_PREVIEWS),
        )
        for one in sets
    ]
    means = [fmean(one.scores[way.name] for one in sets) for way in WAYS]
    better = fmean(one.better_leg for one in sets)
    gain = fmean(one.scores[FUSED.name] for one in sets) / better - 1
    rows.append(("mean", None, None, *means, f"{gain:+.1%}", None, None))
    names = (way.name for way in WAYS)
    previews = (f"{way.name}, previews only" for way in _BY_PREVIEWS)
    columns = ("nDCG@10", "documents", "queries", *names, "fused over the better leg", *previews)
    return Table(dialect, columns, tuple(rows))


def _notes(stores: Sequence[Sequence[Measured]]) -> tuple[str, ...]:
    if len(stores) < 2:
        return ()
    return tuple(
        f"{one.dataset.name}: the first ten of both stores overlap by "
        f"{_overlap(one.rankings, other.rankings):.3f} "
        f"(mean of {len(one.rankings)} queries, fused)."
        for one, other in zip(*stores, strict=True)
    )


def _overlap(one: list[list[str]], other: list[list[str]]) -> float:
    pairs = zip(one, other, strict=True)
    return fmean(len(set(a) & set(b)) / max(len(a), len(b), 1) for a, b in pairs)
