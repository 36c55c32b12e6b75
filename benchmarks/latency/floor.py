"""The least that a search could cost: one query embedding, one vector scan, one word search.

Fast engines on the same vectors and the same words, without storage, tenants, filters or texts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import tantivy

from benchmarks.latency.texts import MOST_TEXTS, Source, contents
from commonplace.embedding.port import Embedder
from commonplace.text.analyse import analyse, query_terms

if TYPE_CHECKING:
    from benchmarks.latency.texts import Matrix
    from commonplace.embedding.port import Vector

PARTS = ("floor embedding", "floor vectors", "floor words")
_LIMIT = 10
_HEAP = 200_000_000


class Stopwatch:
    """Seconds by name, one list per lap: those that passed, and under `cpu NAME` those that this
    process computed, in all its threads, whatever else the machine did."""

    def __init__(self) -> None:
        self.times: dict[str, list[float]] = {}
        self._lap: dict[str, float] = {}

    @contextmanager
    def measure(self, name: str) -> Iterator[None]:
        started, computed = time.perf_counter(), time.process_time()
        try:
            yield
        finally:
            self.add(name, time.perf_counter() - started)
            self.add(f"cpu {name}", time.process_time() - computed)

    def add(self, name: str, seconds: float) -> None:
        """To what the lap has of that name."""
        self._lap[name] = self._lap.get(name, 0.0) + seconds

    def end_lap(self) -> None:
        for name, seconds in self._lap.items():
            self.times.setdefault(name, []).append(seconds)
        self._lap = {}


class Floor:
    """Answers the same queries as the product; vectors from a graph, where one is given."""

    def __init__(
        self, source: Source, vectors: Matrix, embedder: Embedder, graph: Path | None = None
    ) -> None:
        # The model first, as in a search of the product.
        embedder.embed_query("load the model")
        self._embedder = embedder
        self._nearest = _walk(graph, vectors.shape[1]) if graph else _scan(vectors)
        self._words = _index(source, len(vectors))

    def search(self, query: str, watch: Stopwatch) -> None:
        with watch.measure("floor embedding"):
            vector = self._embedder.embed_query(query)
        with watch.measure("floor vectors"):
            self._nearest(vector)
        with watch.measure("floor words"):
            asked = self._words.parse_query(" ".join(query_terms(query)), ["terms"])
            self._words.searcher().search(asked, _LIMIT)


def _scan(vectors: Matrix) -> Callable[[Vector], object]:
    from usearch.index import MetricKind, search

    matrix = vectors.astype(np.float16)

    def scan(vector: Vector) -> object:
        return search(matrix, vector.astype(np.float16), _LIMIT, MetricKind.Cos, exact=True)

    return scan


def _walk(file: Path, dimension: int) -> Callable[[Vector], object]:
    from commonplace.storage.sqlite.vectors.graph import eight_bit, new_graph

    index = new_graph(dimension)
    index.view(str(file))

    def walk(vector: Vector) -> object:
        return index.search(eight_bit(vector), _LIMIT, threads=1)

    return walk


def _index(source: Source, count: int) -> Any:
    """The analyser's terms, split at spaces, so that both engines look for the same."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("terms", tokenizer_name="whitespace")
    index = tantivy.Index(builder.build())
    writer = index.writer(_HEAP)
    texts = (
        f"{content.title} {content.body}" for content in contents(source, min(count, MOST_TEXTS))
    )
    for terms in map(analyse, texts):
        for _ in range(max(1, count // MOST_TEXTS)):
            writer.add_document(tantivy.Document(terms=[" ".join(terms)]))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    return index
