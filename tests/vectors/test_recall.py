"""How much of the exact result the graph finds, on generated data like texts'."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.vectors import corpus
from commonplace.model.actor import Actor
from commonplace.model.query import Filter
from commonplace.storage.sqlite.store import SqliteStore
from commonplace.storage.sqlite.vectors.indexes import LayeredIndexes
from commonplace.storage.sqlite.vectors.tending import GraphThresholds
from tests.generate import Vector, unit_vectors
from tests.processes import wall_clock
from tests.vectors.library import Library, nearest, put, tend

COUNT = 20_000
QUERIES = 100
READER = Actor(org=corpus.ORG, agent="alice")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> SqliteStore:
    home: Path = tmp_path_factory.mktemp("recall")
    corpus.fill(home / "recall.db", COUNT)
    thresholds = GraphThresholds(exact_up_to=COUNT // 2)
    return SqliteStore(
        home / "recall.db", wall_clock, lambda: LayeredIndexes(home / "vectors", thresholds)
    )


def test_recall_of_the_ten_nearest(store: SqliteStore) -> None:
    queries = corpus.queries(QUERIES, COUNT)
    truth = [set(_keys(store, query, 64)) for query in queries]
    while store.maintain_vectors(corpus.MODEL):
        pass
    recall = {
        width: sum(
            len(set(_keys(store, query, width, exact=False)) & right)
            for query, right in zip(queries, truth, strict=True)
        )
        / (10 * QUERIES)
        for width in (64, 128)
    }
    assert recall[64] >= 0.95
    assert recall[128] >= max(0.98, recall[64])


def test_the_graph_is_searched_widely_enough_where_vectors_form_no_clusters(
    library: Library,
) -> None:
    """Random vectors: a search of the width that is asked for would find .87 of the nearest."""
    store = library.open()
    put(store, 1, unit_vectors(3_000, seed=1, dimension=corpus.DIMENSION))
    queries = unit_vectors(QUERIES, seed=2, dimension=corpus.DIMENSION)
    truth = [dict(nearest(store, query).hits) for query in queries]
    tend(store)
    found = [nearest(store, query) for query in queries]
    assert not any(hits.exact for hits in found)
    right = sum(
        len(dict(hits.hits).keys() & best.keys()) for hits, best in zip(found, truth, strict=True)
    )
    assert right >= 0.98 * 10 * QUERIES


def _keys(store: SqliteStore, query: Vector, width: int, *, exact: bool = True) -> list[int]:
    with store.read(READER) as tx:
        found = tx.vectors.nearest(corpus.MODEL, query, Filter(), 10, width)
    assert found.exact is exact
    return [key for key, _ in found.hits]
