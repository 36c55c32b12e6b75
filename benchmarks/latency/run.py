"""How long a search takes and where its time goes, beside the least that it could cost.

python -m benchmarks latency [--sizes 10000,100000] [--stores sqlite,postgres] [--queries 150]
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from statistics import median
from typing import cast

import numpy as np

from benchmarks.databases import DIALECTS
from benchmarks.latency.floor import PARTS as FLOOR
from benchmarks.latency.floor import Floor, Stopwatch
from benchmarks.latency.loading import ACTOR, loaded
from benchmarks.latency.texts import COMMON_TAG, SELECTIVE_TAG, read_source, vectors
from benchmarks.latency.watched import STAGES, WatchedEmbedder, WatchedStore
from benchmarks.report import Cell, Report, Table, now
from commonplace.embedding.bundled import BundledEmbedder
from commonplace.embedding.serving import ServingEmbedder
from commonplace.model.query import Filter, SearchRequest
from commonplace.retrieval.service.search import RetrievalService
from commonplace.storage.port import Store

FILTERS = {
    "none": Filter(),
    "tag of 1 %": Filter(tags=(SELECTIVE_TAG,)),
    "tag of 33 %": Filter(tags=(COMMON_TAG,)),
}
PARTS = ("begin", "embedding", *STAGES.values(), "end")
# Other queries first: a server that has just started reads everything from disk.
_WARM_UP = 100


class Row:
    """The times of one store at one size under one filter, in milliseconds."""

    def __init__(self, name: str, watch: Stopwatch) -> None:
        self.name = name
        self.whole = [1000 * seconds for seconds in watch.times["whole"]]
        self.floor = _sums(watch, FLOOR)
        computed = median(watch.times["cpu whole"]) * 1000
        self.computed = computed / median(_sums(watch, [f"cpu {part}" for part in FLOOR]))
        self.parts = {name: 1000 * self._median(watch.times.get(name, [])) for name in PARTS}
        self.floor_parts = [1000 * median(watch.times[part]) for part in FLOOR]

    def summary(self) -> tuple[Cell, ...]:
        quantiles = [float(np.quantile(self.whole, q)) for q in (0.5, 0.95, 0.99)]
        floor = [float(np.quantile(self.floor, q)) for q in (0.5, 0.95)]
        ratios = (quantiles[0] / floor[0], quantiles[1] / floor[1])
        computed = self.computed if self.name.startswith("sqlite") else None
        return (self.name, *quantiles, *floor, *ratios, computed)

    def stages(self) -> tuple[Cell, ...]:
        rest = median(self.whole) - sum(self.parts.values())
        return (self.name, *self.parts.values(), rest)

    def _median(self, times: Sequence[float]) -> float:
        """Not every search has every part."""
        return median([*times, *[0.0] * (len(self.whole) - len(times))])


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks latency", description=__doc__)
    parser.add_argument("--sizes", default="10000,100000")
    parser.add_argument("--stores", default=",".join(DIALECTS))
    parser.add_argument("--queries", type=int, default=150)
    given = parser.parse_args(arguments)
    started = now()
    rows = []
    for size in map(int, given.sizes.split(",")):
        rows += _measure_size(size, given.stores.split(","), given.queries)
    Report("latency", (_summary(rows), _stages(rows), _floors(rows)), _NOTES).save(started)


def _measure_size(size: int, dialects: Sequence[str], count: int) -> list[Row]:
    embedder, source = BundledEmbedder(), read_source()
    drawn = vectors(source, embedder, size)
    floor = Floor(source, drawn, embedder)
    queries = source.queries[: count + _WARM_UP]
    rows = []
    for dialect in dialects:
        print(f"{size} chunks on {dialect}", flush=True)
        with loaded(dialect, source, drawn, embedder.identity.key) as store:
            for name, wanted in FILTERS.items():
                watch = _measured(store, embedder, floor, queries, wanted)
                rows.append(Row(f"{dialect} {size // 1000}k, filter: {name}", watch))
                print(" ", rows[-1].summary(), flush=True)
    return rows


def _measured(
    store: Store, embedder: BundledEmbedder, floor: Floor, queries: Sequence[str], wanted: Filter
) -> Stopwatch:
    """Product and floor in turn, so that what else the machine does slows both."""
    watch = Stopwatch()
    watched = cast(Store, WatchedStore(store, watch))
    model = ServingEmbedder([WatchedEmbedder(embedder, watch)], list)
    retrieval = RetrievalService(watched, model)
    for number, query in enumerate(queries):
        with watch.measure("whole"):
            retrieval.search(ACTOR, SearchRequest(query=query, filter=wanted))
        floor.search(query, watch)
        watch.end_lap()
        if number == _WARM_UP - 1:
            watch.times.clear()
    return watch


def _sums(watch: Stopwatch, names: Sequence[str]) -> list[float]:
    laps = zip(*(watch.times[name] for name in names), strict=True)
    return [1000 * sum(lap) for lap in laps]


def _summary(rows: Sequence[Row]) -> Table:
    measured = ("p50", "p95", "p99", "floor p50", "floor p95")
    columns = ("ms", *measured, "ratio p50", "ratio p95", "ratio of CPU time")
    return Table("A whole search", columns, tuple(row.summary() for row in rows), digits=2)


def _stages(rows: Sequence[Row]) -> Table:
    columns = ("ms, medians", *PARTS, "scoring and the rest")
    return Table("Where its time goes", columns, tuple(row.stages() for row in rows), digits=2)


def _floors(rows: Sequence[Row]) -> Table:
    shown: list[tuple[Cell, ...]] = [(row.name, *row.floor_parts) for row in rows]
    return Table("The floor's parts", ("ms, medians", *FLOOR), tuple(shown), digits=2)


_NOTES = (
    (
        "Floor: embedding the query, an exact usearch scan of the same vectors (10 nearest, f16) "
        "and the same words on tantivy (10 best), never filtered; in turn with the product."
    ),
    (
        "Ratio of CPU time: of this process in all its threads, medians; it holds on a busy "
        "machine too. PostgreSQL computes in processes of its own."
    ),
    (
        "Chunks are sentences of SciFact put together anew; vectors are scattered around real "
        "ones; queries are SciFact's claims, each asked once."
    ),
)
