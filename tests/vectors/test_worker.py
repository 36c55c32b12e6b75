"""The worker builds graphs when nothing more urgent waits; threads search while it does."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

from commonplace.model.query import Filter
from commonplace.worker.service.loop import Worker
from tests.features.embedders import GramEmbedder
from tests.generate import ALICE, MODEL, axis, put_chunk, unit_vectors
from tests.models import always
from tests.processes import wall_clock
from tests.vectors.library import EARLY, Library, found_numbers, ladder, nearest, put, tend

COUNT = 120


def _worker(library: Library, embedder: GramEmbedder) -> Worker:
    return Worker(library.open(), always(embedder), wall_clock, handlers={}, idle=300.0)


def _store_texts(library: Library, numbers: range) -> None:
    with library.open().write(ALICE) as tx:
        for number in numbers:
            put_chunk(tx, number, f"text {number}")


def test_the_holder_of_the_lease_builds(library: Library) -> None:
    _store_texts(library, range(COUNT))
    embedder = GramEmbedder()
    worker, idle = _worker(library, embedder), _worker(library, GramEmbedder())
    assert worker.step()
    assert not idle.step()
    while worker.step():
        pass
    assert len(embedder.embedded) == COUNT
    assert library.graph.exists()
    with library.open().read(ALICE) as tx:
        query = embedder.embed_query("text 7")
        found = tx.vectors.nearest(embedder.identity.key, query, Filter(), 5, 64)
    assert not found.exact
    assert len(found.hits) == 5


def test_new_texts_go_before_building(library: Library) -> None:
    _store_texts(library, range(COUNT))
    embedder = GramEmbedder()
    worker = _worker(library, embedder)
    while not (library.home / "vectors").exists():
        assert worker.step()
    assert not library.files()
    _store_texts(library, range(COUNT, COUNT + 1))
    assert worker.step()
    assert embedder.embedded[-1] == f"text {COUNT}"
    assert not library.files()
    while worker.step():
        pass
    assert library.files()


def test_threads_search_with_their_own_widths_while_graphs_are_replaced(library: Library) -> None:
    store, builder = library.open(EARLY), library.open(EARLY)
    put(store, 0, ladder(150))
    tend(store)
    over = threading.Event()

    def search(width: int) -> int:
        searches = 0
        while not over.is_set():
            with store.read(ALICE) as tx:
                hits = tx.vectors.nearest(MODEL, axis(0), Filter(), 5, width).hits
            assert [key for key, _ in hits] == first
            searches += 1
        return searches

    first = [key for key, _ in nearest(store, axis(0), limit=5).hits]
    with ThreadPoolExecutor(4) as threads:
        running = [threads.submit(search, width) for width in (10, 64, 128, 300)]
        try:
            for number in range(3):
                put(builder, 1000 * (number + 1), unit_vectors(60, seed=number))
                tend(builder)
        finally:
            over.set()
        assert all(thread.result() for thread in running)
    assert found_numbers(store, axis(0), limit=5) == [0, 1, 2, 3, 4]
