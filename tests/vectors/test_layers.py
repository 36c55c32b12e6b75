"""Searching a graph file together with what came and went after it was built."""

from __future__ import annotations

import pytest

from commonplace.model.query import Filter
from commonplace.storage.sqlite.vectors.layered import LayeredIndex
from commonplace.storage.sqlite.vectors.port import VectorBatch
from commonplace.storage.sqlite.vectors.search import SqliteVectorFeed
from commonplace.storage.sqlite.vectors.tending import GraphThresholds
from tests.generate import ALICE, MODEL, axis, embed_all, near, put_chunk, unit_vectors
from tests.vectors.library import (
    WIDTH,
    Library,
    found_numbers,
    ladder,
    nearest,
    numbers,
    put,
    remove,
    tend,
)

NEVER_REBUILT = GraphThresholds(exact_up_to=100, behind_share=10.0, behind_most=100_000)


def test_few_vectors_are_compared_exactly_and_many_by_a_graph(library: Library) -> None:
    store = library.open()
    put(store, 0, ladder(100))
    tend(store)
    assert not library.files()
    assert nearest(store, axis(0)).exact
    put(store, 100, unit_vectors(10))
    assert nearest(store, axis(0)).exact, "nobody has built anything yet"
    tend(store)
    for reading in (store, library.open()):
        found = nearest(reading, axis(0))
        assert not found.exact
        assert numbers(reading, found) == list(range(10))


def test_cosines_are_those_of_the_stored_vectors(library: Library) -> None:
    store = library.open()
    put(store, 0, ladder(150))
    expected = nearest(store, axis(0)).hits
    tend(store)
    found = nearest(library.open(), axis(0)).hits
    assert [key for key, _ in found] == [key for key, _ in expected]
    assert [cosine for _, cosine in found] == pytest.approx([c for _, c in expected], abs=1e-3)


def test_vectors_newer_than_the_graph_are_found_at_once(library: Library) -> None:
    store, other = library.open(), library.open()
    put(store, 0, unit_vectors(150))
    tend(store)
    nearest(other, axis(0))
    put(store, 1000, [near(axis(0), 0.99)])
    for reading in (store, other, library.open()):
        assert found_numbers(reading, axis(0))[0] == 1000
        assert not nearest(reading, axis(0)).exact


def test_only_vectors_newer_than_the_graph_are_read_into_memory(library: Library) -> None:
    store = library.open()
    put(store, 0, unit_vectors(150))
    tend(store)
    put(store, 1000, unit_vectors(7, seed=1))
    index = LayeredIndex("acme", MODEL, library.graph)
    read: list[int] = []

    class Counting(SqliteVectorFeed):
        def added(self, after: int, limit: int | None = None) -> VectorBatch:
            batch = super().added(after, limit)
            read.extend(batch.keys)
            return batch

    with store._session(ALICE, write=False) as session:
        index.search(Counting(session, MODEL), axis(0), 10, WIDTH)
    assert len(read) == 7


def test_removed_vectors_are_never_found_even_as_the_nearest(library: Library) -> None:
    store, other = library.open(NEVER_REBUILT), library.open(NEVER_REBUILT)
    put(store, 0, ladder(400))
    tend(store)
    assert found_numbers(other, axis(0)) == list(range(10))
    remove(store, range(320))
    for reading in (store, other, library.open(NEVER_REBUILT)):
        found = nearest(reading, axis(0))
        assert not found.exact
        assert numbers(reading, found) == list(range(320, 330))


def test_vectors_that_were_removed_and_stored_again_are_found(library: Library) -> None:
    store, other = library.open(NEVER_REBUILT), library.open(NEVER_REBUILT)
    put(store, 0, ladder(150))
    tend(store)
    nearest(other, axis(0))
    remove(store, [0, 1])
    put(store, 0, [near(axis(0), -0.5)])
    put(store, 149, [near(axis(0), 0.999)])
    for reading in (store, other, library.open(NEVER_REBUILT)):
        assert found_numbers(reading, axis(0), limit=3) == [2, 3, 4]
        last = found_numbers(reading, axis(0), limit=200)
        assert last[-1] == 0
        assert len(last) == 149
    tend(store)
    assert found_numbers(other, axis(0), limit=3) == [2, 3, 4]


def test_selective_filters_are_answered_exactly(library: Library) -> None:
    store = library.open()
    put(store, 0, ladder(400))
    with store.write(ALICE) as tx:
        for number in range(1000, 1015):
            put_chunk(tx, number, f"number {number}", tags=("rare",), kind="item")
    embed_all(store, ALICE, lambda chunk: [near(axis(0), 0.001 * chunk.key - 0.5, chunk.key)])
    tend(store)
    expected = list(range(1014, 1004, -1))
    for wanted in (Filter(tags=("rare",)), Filter(kinds=("item",))):
        found = nearest(store, axis(0), wanted=wanted)
        assert found.exact
        assert numbers(store, found) == expected
    assert nearest(store, axis(0), wanted=Filter(tags=("absent",))).hits == ()


def test_a_filter_that_many_distant_vectors_pass_is_answered_by_the_graph(library: Library) -> None:
    """Too many to read one by one, and none of them among the nearest."""
    store = library.open()
    far = 2100
    put(store, 0, ladder(300))
    with store.write(ALICE) as tx:
        for number in range(1000, 1000 + far):
            put_chunk(tx, number, f"number {number}", kind="item")
    embed_all(
        store, ALICE, lambda chunk: [near(axis(0), -int(chunk.text.split()[1]) / 9000, chunk.key)]
    )
    tend(store)
    found = nearest(store, axis(0), wanted=Filter(kinds=("item",)))
    assert not found.exact
    assert len(set(numbers(store, found)) & set(range(1000, 1010))) >= 9


def test_windows_of_one_chunk_do_not_crowd_out_others(library: Library) -> None:
    store = library.open()
    put(store, 0, ladder(20))
    with store.write(ALICE) as tx:
        put_chunk(tx, 1000, "many windows")
    embed_all(store, ALICE, lambda _: [near(axis(0), 0.99, seed) for seed in range(300)])
    tend(store)
    assert library.files()
    assert found_numbers(store, axis(0), limit=12) == [1000, *range(11)]


def test_a_writer_sees_what_it_has_not_committed_and_nobody_else_does(library: Library) -> None:
    store = library.open()
    put(store, 0, ladder(150))
    tend(store)
    with store.write(ALICE) as tx:
        put_chunk(tx, 0, "changed")
        hits = tx.vectors.nearest(MODEL, axis(0), Filter(), 10, WIDTH).hits
        assert len(hits) == 10
        assert found_numbers(store, axis(0))[0] == 0
    assert found_numbers(store, axis(0))[0] == 1


def test_a_transaction_older_than_the_file_finds_what_it_could_see(library: Library) -> None:
    store, other = library.open(), library.open()
    put(store, 0, ladder(90))
    with other.read(ALICE) as tx:
        assert len(tx.vectors.nearest(MODEL, axis(0), Filter(), 200, WIDTH).hits) == 90
        put(store, 90, unit_vectors(60))
        tend(store)
        assert library.files()
        found = tx.vectors.nearest(MODEL, axis(0), Filter(), 200, WIDTH)
        assert found.exact
        assert len(found.hits) == 90
    assert not nearest(other, axis(0)).exact
    assert len(nearest(other, axis(0), limit=200).hits) == 150
