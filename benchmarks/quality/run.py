"""nDCG@10 of words, meaning and both together on judged sets, through the product's own pipeline.

python -m benchmarks quality [--sets cosqa,scifact] [--stores sqlite,postgres] [--split test]
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from statistics import fmean

from benchmarks.databases import DIALECTS
from benchmarks.quality.datasets import NAMES, Dataset, load
from benchmarks.quality.pipeline import WAYS, quality, ranking, searchable
from benchmarks.report import Cell, Report, Table, now

# What the design measured before there was a product.
EXPECTED = {
    "cosqa": {"lexical": 0.395, "semantic": 0.591, "fused": 0.543, "equal RRF": 0.518},
    "scifact": {"lexical": 0.698, "semantic": 0.690, "fused": 0.742, "equal RRF": 0.731},
}
_OVERLAP_QUERIES = 100


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks quality", description=__doc__)
    parser.add_argument("--sets", default=",".join(NAMES))
    parser.add_argument("--stores", default="sqlite,postgres")
    parser.add_argument("--split", choices=("test", "tune"), default="test")
    given = parser.parse_args(arguments)
    started = now()
    datasets = [load(name, split=given.split) for name in given.sets.split(",")]
    dialects = [dialect for dialect in DIALECTS if dialect in given.stores.split(",")]
    measured = {
        (dataset.name, dialect): _measured(dataset, dialect)
        for dataset in datasets
        for dialect in dialects
    }
    tables = [_table(dataset, dialects, measured) for dataset in datasets]
    name = "quality" if given.split == "test" else "quality-tune"
    Report(name, tuple(tables), _notes(datasets, dialects, measured)).save(started)


class Measured:
    """What one set gave on one store."""

    def __init__(self, scores: dict[str, float], rankings: list[list[str]]) -> None:
        self.scores = scores
        self.rankings = rankings


def _measured(dataset: Dataset, dialect: str) -> Measured:
    with searchable(dataset, dialect) as retrieval:
        scores = {way.name: quality(retrieval, dataset, way) for way in WAYS}
        some = list(dataset.queries.values())[:_OVERLAP_QUERIES]
        fused = next(way for way in WAYS if way.name == "fused")
        return Measured(scores, [ranking(retrieval, query, fused) for query in some])


def _table(
    dataset: Dataset, dialects: Sequence[str], measured: dict[tuple[str, str], Measured]
) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (
            way.name,
            *(measured[dataset.name, dialect].scores[way.name] for dialect in dialects),
            EXPECTED[dataset.name][way.name],
        )
        for way in WAYS
    ]
    title = f"{dataset.name}: {len(dataset.documents)} documents, {len(dataset.queries)} queries"
    return Table(title, ("nDCG@10", *dialects, "design, test split"), tuple(rows))


def _notes(
    datasets: Sequence[Dataset],
    dialects: Sequence[str],
    measured: dict[tuple[str, str], Measured],
) -> tuple[str, ...]:
    if len(dialects) < 2:
        return ()
    return tuple(
        f"{dataset.name}: the first ten of both stores overlap by "
        f"{_overlap(*(measured[dataset.name, dialect].rankings for dialect in dialects)):.3f} "
        f"(mean of {_OVERLAP_QUERIES} queries, fused)."
        for dataset in datasets
    )


def _overlap(one: list[list[str]], other: list[list[str]]) -> float:
    pairs = zip(one, other, strict=True)
    return fmean(len(set(a) & set(b)) / max(len(a), len(b), 1) for a, b in pairs)
