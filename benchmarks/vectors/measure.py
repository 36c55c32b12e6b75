"""Measures the embedded vector index: exact and with its graph file, each in a fresh process.

    python -m benchmarks.vectors.measure --count 100000 [--only-graph] [--folder DIR]

Prints one JSON object per line. Times of one core; `cpu` beside `wall` shows a busy machine.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from numpy.typing import NDArray

from benchmarks.vectors import corpus
from commonplace.model.actor import Actor
from commonplace.model.query import Filter
from commonplace.storage.sqlite.store import SqliteStore
from commonplace.storage.sqlite.vectors.indexes import LayeredIndexes
from commonplace.storage.sqlite.vectors.tending import GraphThresholds

READER = Actor(org=corpus.ORG, agent="alice")
ANY = Filter()
QUERIES = 200
TOP = 10
_SPAWN = multiprocessing.get_context("spawn")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--only-graph", action="store_true", help="leave the exact search out")
    parser.add_argument("--folder", type=Path, help="keep the database here and use it again")
    chosen = parser.parse_args()
    if chosen.folder:
        chosen.folder.mkdir(parents=True, exist_ok=True)
        _measure(chosen.folder, chosen.count, only_graph=chosen.only_graph)
        return
    with tempfile.TemporaryDirectory() as folder:
        _measure(Path(folder), chosen.count, only_graph=chosen.only_graph)


def _measure(folder: Path, count: int, *, only_graph: bool) -> None:
    file = folder / f"{count}.db"
    if not file.exists():
        corpus.fill(file, count)
    truth = _nearest_by_definition(count)
    for graph in folder.glob("vectors/*"):
        graph.unlink()
    for stage in (_build, _search) if only_graph else (_search, _build, _search):
        process = _SPAWN.Process(target=stage, args=(file, count, truth))
        process.start()
        process.join()


def _nearest_by_definition(count: int) -> NDArray[np.int64]:
    """Keys of the nearest of every query, compared with everything in 32-bit floats."""
    queries = corpus.queries(QUERIES, count)
    keys = np.zeros((QUERIES, 0), np.int64)
    cosines = np.zeros((QUERIES, 0), np.float32)
    first = 1
    for block in corpus.vectors(count):
        found = queries @ block.astype(np.float32).T
        cosines = np.hstack([cosines, found])
        keys = np.hstack([keys, np.tile(np.arange(first, first + len(block)), (QUERIES, 1))])
        best = np.argpartition(-cosines, TOP)[:, :TOP]
        cosines = np.take_along_axis(cosines, best, 1)
        keys = np.take_along_axis(keys, best, 1)
        first += len(block)
    return keys


def _build(file: Path, count: int, _truth: NDArray[np.int64]) -> None:
    store = _open(file, count)
    started = time.perf_counter(), time.process_time()
    longest = steps = 0.0
    while True:
        before = time.perf_counter()
        if not store.maintain_vectors(corpus.MODEL):
            break
        longest, steps = max(longest, time.perf_counter() - before), steps + 1
    size = sum(graph.stat().st_size for graph in file.parent.glob("vectors/*.graph"))
    _report(
        "build",
        count,
        wall_s=time.perf_counter() - started[0],
        cpu_s=time.process_time() - started[1],
        steps=steps,
        longest_step_s=longest,
        file_mb=size / 1e6,
        memory_mb=_own_memory(),
    )


def _search(file: Path, count: int, truth: NDArray[np.int64]) -> None:
    store = _open(file, count)
    queries = corpus.queries(QUERIES, count)
    before = _own_memory()
    first_ms = _milliseconds(lambda: _nearest(store, queries[0], TOP, 64))
    exact = _nearest(store, queries[0], TOP, 64).exact
    _report("first", count, exact=exact, ms=first_ms, memory_mb=_own_memory() - before)
    for limit, width in ((TOP, 64), (TOP, 128), (100, 64)):
        _report(
            "search",
            count,
            exact=exact,
            limit=limit,
            width=width,
            **_timed(store, queries, limit, width, Filter(), truth),
        )
    for tag, limit in (("all", 100), ("rare", 100), ("rare", TOP)):
        timed = _timed(store, queries[:50], limit, 64, Filter(tags=(tag,)), None)
        _report("filtered", count, exact=exact, limit=limit, tag=tag, **timed)


def _timed(
    store: SqliteStore,
    queries: NDArray[np.float32],
    limit: int,
    width: int,
    wanted: Filter,
    truth: NDArray[np.int64] | None,
) -> dict[str, float]:
    found: list[set[int]] = []
    times: list[float] = []
    cpu = time.process_time()
    for query in queries:
        started = time.perf_counter()
        hits = _nearest(store, query, limit, width, wanted).hits
        times.append(1000 * (time.perf_counter() - started))
        found.append({key for key, _ in hits[:TOP]})
    cpu = time.process_time() - cpu
    result = {"p50_ms": statistics.median(times), "p95_ms": float(np.percentile(times, 95))}
    result["cpu_ms"] = 1000 * cpu / len(times)
    if truth is not None:
        right = [len(keys & set(row)) for keys, row in zip(found, truth.tolist(), strict=True)]
        result["recall_at_10"] = sum(right) / (TOP * len(right))
    return result


def _nearest(
    store: SqliteStore,
    query: NDArray[np.float32],
    limit: int,
    width: int,
    wanted: Filter = ANY,
) -> Any:
    with store.read(READER) as tx:
        return tx.vectors.nearest(corpus.MODEL, query, wanted, limit, width)


def _open(file: Path, count: int) -> SqliteStore:
    thresholds = GraphThresholds(exact_up_to=min(count - 1, GraphThresholds().exact_up_to))
    folder = file.parent / "vectors"
    return SqliteStore(file, lambda: datetime.now(UTC), lambda: LayeredIndexes(folder, thresholds))


def _milliseconds(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return 1000 * (time.perf_counter() - started)


def _own_memory() -> float:
    """Megabytes that are this process's alone: mapped files are everybody's."""
    memory = psutil.Process().memory_info()
    return float(memory.rss - memory.shared) / 1e6


def _report(what: str, count: int, **figures: float | str) -> None:
    rounded = {
        name: round(value, 3) if isinstance(value, float) else value
        for name, value in figures.items()
    }
    print(json.dumps({"measure": what, "count": count, **rounded}), flush=True)


if __name__ == "__main__":
    main()
