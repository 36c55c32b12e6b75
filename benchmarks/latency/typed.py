"""How long results take while somebody types into the console, beside the least a search costs.

python -m benchmarks typed [--size 100000] [--stores sqlite] [--questions 12]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

import numpy as np

from benchmarks.latency.floor import PARTS as FLOOR
from benchmarks.latency.floor import Floor, Stopwatch
from benchmarks.latency.loading import ACTOR, loaded
from benchmarks.latency.texts import read_source, vectors
from benchmarks.report import Cell, Report, Table, now
from commonplace.embedding.bundled import BundledEmbedder
from commonplace.embedding.serving import ServingEmbedder
from commonplace.recall.service.recall import RecallService
from commonplace.recall.values import RecallRequest
from commonplace.retrieval.service.search import RetrievalService
from commonplace.storage.port import Store

# As the page asks: so many hits, and excerpts of so many tokens in all.
_SHOWN = 20
_BUDGET = 6_000
# Whoever types pauses about so often; between two pauses nothing is asked.
_KEYS = 4
_WARM_UP = 20


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks typed", description=__doc__)
    parser.add_argument("--size", type=int, default=100_000)
    parser.add_argument("--stores", default="sqlite")
    parser.add_argument("--questions", type=int, default=12)
    given = parser.parse_args(arguments)
    started, embedder, source = now(), BundledEmbedder(), read_source()
    drawn = vectors(source, embedder, given.size)
    floor = Floor(source, drawn, embedder)
    asked = [part for query in source.queries[: given.questions] for part in typed(query)]
    rows: list[tuple[Cell, ...]] = []
    for dialect in given.stores.split(","):
        with loaded(dialect, source, drawn, embedder.identity.key) as store:
            watch = _measured(store, embedder, floor, asked)
        rows.append((f"{dialect} {given.size // 1000}k", len(watch.times["whole"]), *_row(watch)))
        print(rows[-1], flush=True)
    columns = ("ms", "results", "p50", "p95", "p99", "floor p50", "floor p95", "ratio p50")
    table = Table("Results while typing", columns, tuple(rows), digits=2)
    Report("typed", (table,), _NOTES).save(started)


def typed(query: str) -> Iterator[str]:
    """What stands in the box at each pause, and in the end all of it."""
    yield from (query[:end] for end in range(_KEYS, len(query), _KEYS))
    yield query


def _measured(
    store: Store, embedder: BundledEmbedder, floor: Floor, asked: Sequence[str]
) -> Stopwatch:
    """Product and floor in turn, so that what else the machine does slows both."""
    watch = Stopwatch()
    recall = RecallService(RetrievalService(store, ServingEmbedder([embedder], list)))
    for number, part in enumerate(asked):
        with watch.measure("whole"):
            recall.recall(ACTOR, RecallRequest(part, limit=_SHOWN, budget=_BUDGET))
        floor.search(part, watch)
        watch.end_lap()
        if number == _WARM_UP - 1:
            watch.times.clear()
    return watch


def _row(watch: Stopwatch) -> tuple[float, ...]:
    whole = [1000 * seconds for seconds in watch.times["whole"]]
    least = [1000 * sum(lap) for lap in zip(*(watch.times[part] for part in FLOOR), strict=True)]
    quantiles = [float(np.quantile(whole, q)) for q in (0.5, 0.95, 0.99)]
    floor = [float(np.quantile(least, q)) for q in (0.5, 0.95)]
    return (*quantiles, *floor, quantiles[0] / floor[0])


_NOTES = (
    (
        "Each pause of a person who types is one `recall` of what stands in the box, as the "
        "console asks it; a browser waits 120 ms before it asks, and drops what is overtaken."
    ),
    "Floor: as in `latency`, in turn with the product.",
)
