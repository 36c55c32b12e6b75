"""How the cost of everything grows with what is stored, and by which power.

python -m benchmarks scale [--sizes 1000,10000,100000,1000000] [--stores sqlite,postgres]
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from pathlib import Path

import psutil

from benchmarks.databases import DIALECTS
from benchmarks.latency.loading import ACTOR, opened, prepared
from benchmarks.latency.texts import COMMON_TAG, SELECTIVE_TAG, Source, read_source, vectors
from benchmarks.latency.words import CLOCKS
from benchmarks.report import Cell, Report, Table, now
from commonplace.embedding.bundled import BundledEmbedder
from commonplace.embedding.serving import ServingEmbedder
from commonplace.knowledge.passages import chunks_of, metadata_of
from commonplace.knowledge.service.writes import owner_of
from commonplace.model.chunk import Urgency
from commonplace.model.entry import EntryContent, EntryDraft, EntryKind
from commonplace.model.query import USUAL_WIDTH, Filter, RetrievalMode, SearchRequest
from commonplace.retrieval.service.search import RetrievalService
from commonplace.settings import Settings
from commonplace.storage.port import Store

SIZES = "1000,10000,100000,1000000"
_ASKED = 40
_NEAREST = 100
_SPAWN = multiprocessing.get_context("spawn")

Measured = dict[str, float]


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks scale", description=__doc__)
    parser.add_argument("--sizes", default=SIZES)
    parser.add_argument("--stores", default=",".join(DIALECTS))
    given = parser.parse_args(arguments)
    started = now()
    sizes = [int(size) for size in given.sizes.split(",")]
    tables = [_table(dialect, sizes) for dialect in given.stores.split(",")]
    Report("scale", tuple(tables), _NOTES).save(started)


def _table(dialect: str, sizes: Sequence[int]) -> Table:
    measured = [_measured(dialect, size) for size in sizes]
    rows: list[tuple[Cell, ...]] = [
        (name, *(one[name] for one in measured), exponent(sizes, [one[name] for one in measured]))
        for name in measured[0]
    ]
    columns = (dialect, *(f"{size:,}" for size in sizes), "exponent")
    return Table(f"On {dialect}", columns, tuple(rows), digits=2)


def exponent(sizes: Sequence[int], costs: Sequence[float]) -> float | None:
    """The power of the size that the cost grows with, by least squares of the logarithms."""
    points = [(math.log(size), math.log(cost)) for size, cost in zip(sizes, costs, strict=True)]
    middle = [sum(values) / len(points) for values in zip(*points, strict=True)]
    spread = sum((x - middle[0]) ** 2 for x, _ in points)
    return sum((x - middle[0]) * (y - middle[1]) for x, y in points) / spread if spread else None


def _measured(dialect: str, size: int) -> Measured:
    embedder, source = BundledEmbedder(), read_source()
    drawn = vectors(source, embedder, size)
    with (
        prepared(dialect, source, drawn, embedder.identity.key) as settings,
        _SPAWN.Pool(1) as process,
    ):
        found = process.apply(_costs, (settings, source, size))
    print(dialect, size, found, file=sys.stderr, flush=True)
    return found


def _costs(settings: Settings, source: Source, size: int) -> Measured:
    """In a process of its own, whose memory and start are measured too."""
    embedder = BundledEmbedder()
    embedder.embed_query("something else, so that the model is there")
    queries = source.queries[:_ASKED]
    before = time.process_time()
    with opened(settings) as store:
        least = partial(_least, CLOCKS[store.health().dialect])
        retrieval = RetrievalService(store, ServingEmbedder([embedder], list))
        search = partial(_search, retrieval)
        search(queries[-1])
        first = time.process_time() - before
        costs: Measured = {"first search with the start of the store, CPU ms": 1000 * first}
        for name, asked in _SEARCHES.items():
            costs[f"{name}, ms"] = least(partial(asked, search), queries)
        vector = [embedder.embed_query(query) for query in queries]
        nearest = partial(_nearest, store, embedder.identity.key)
        costs["nearest vectors, ms"] = least(nearest, vector)
        costs["a page of entries, ms"] = least(partial(_page, store), range(0, _ASKED, 4))
        numbers = count(time.time_ns())
        costs["store an entry, ms"] = least(partial(_store, store, numbers), range(_ASKED))
        costs["disk for each, kB"] = _disk(settings, store) / size / 1000
    memory = psutil.Process(os.getpid()).memory_info()
    return costs | {"memory of the process, MB": (memory.rss - memory.shared) / 1e6}


def _least(
    clock: Callable[[], float], action: Callable[[object], object], asked: Sequence[object]
) -> float:
    """The middle of the quickest half: what else the machine does only adds."""
    times = []
    for one in asked:
        started = clock()
        action(one)
        times.append(1000 * (clock() - started))
    return sorted(times)[len(times) // 4]


def _search(
    retrieval: RetrievalService,
    query: object,
    wanted: Filter | None = None,
    mode: RetrievalMode = RetrievalMode.AUTO,
) -> None:
    retrieval.search(ACTOR, SearchRequest(str(query), filter=wanted or Filter(), mode=mode))


_SEARCHES: dict[str, Callable[[Callable[..., None], object], None]] = {
    "search": lambda search, query: search(query),
    "search, tag of 1 %": lambda search, query: search(query, Filter(tags=(SELECTIVE_TAG,))),
    "search, tag of 33 %": lambda search, query: search(query, Filter(tags=(COMMON_TAG,))),
    "search by words": lambda search, query: search(query, mode=RetrievalMode.LEXICAL),
}


def _nearest(store: Store, model: str, vector: object) -> None:
    with store.search(ACTOR) as tx:
        tx.vectors.nearest(model, vector, Filter(), _NEAREST, USUAL_WIDTH)  # type: ignore[arg-type]


def _page(store: Store, offset: object) -> None:
    with store.read(ACTOR) as tx:
        tx.entries.page(Filter(), 20, int(str(offset)))


def _store(store: Store, numbers: count[int], _number: object) -> None:
    content = EntryContent(title="A new entry", body="What it says is found by its words at once.")
    with store.write(ACTOR) as tx:
        entry = tx.entries.insert(EntryDraft(f"new-{next(numbers)}", EntryKind.NOTE, content))
        drafts = chunks_of(entry.kind, entry.content, Urgency.BULK)
        tx.chunks.replace(owner_of(entry), metadata_of(entry), drafts)


def _disk(settings: Settings, store: Store) -> int:
    beside = Path(settings.home).glob("vectors/*.graph")
    return store.health().size_bytes + sum(file.stat().st_size for file in beside)


_NOTES = (
    (
        "Entries, vectors and questions as in `latency`; beyond 100,000 the texts come again. Each "
        "size in a process of its own, by the services, without a transport; a search includes the "
        "embedding of the question."
    ),
    (
        "Times are processor time (on PostgreSQL: wall time), the quarter quantile of 40 "
        "questions, so that what else the machine does counts little; the exponent is of a power "
        "of the size, by least squares of the logarithms: 0 is no growth, 1 in proportion."
    ),
    "Disk: the database and the graph of the vectors, texts included, divided by the entries.",
)
