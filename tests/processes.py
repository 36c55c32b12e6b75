"""Functions that tests run in separate processes, and how to start them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from commonplace.model.query import Filter
from tests.forked import FORKS
from tests.generate import ALICE, MODEL, axis, embed_all, entry_draft, put_chunk
from tests.stores import open_store


def wall_clock() -> datetime:
    return datetime.now(UTC)


def add_chunk(address: str, text: str) -> None:
    store = open_store(address, wall_clock)
    with store.write(ALICE) as tx:
        put_chunk(tx, 1, text)
    store.close()


def add_entries(address: str, name: str, count: int) -> None:
    """Open a store, even a new file, and add entries."""
    store = open_store(address, wall_clock)
    for number in range(count):
        with store.write(ALICE) as tx:
            tx.entries.insert(entry_draft(f"{name}-{number}"))
    store.close()


def embed_and_search(address: str) -> None:
    """Give all due chunks the same vector; fail unless it finds each of them."""
    store = open_store(address, wall_clock)
    embedded = embed_all(store, ALICE, lambda _: [axis(1)])
    with store.read(ALICE) as tx:
        hits = tx.vectors.nearest(MODEL, axis(1), Filter(), 100, 200).hits
    store.close()
    assert len(hits) == embedded > 0


@contextmanager
def running(function: Callable[..., None], *calls: tuple[Any, ...]) -> Iterator[None]:
    """Run a function in one process per call, concurrently; at the end, all must have succeeded."""
    processes = [FORKS.Process(target=function, args=call) for call in calls]
    for process in processes:
        process.start()
    try:
        yield
    finally:
        for process in processes:
            process.join(timeout=120)
            if process.is_alive():
                process.kill()
                process.join()
    assert [process.exitcode for process in processes] == [0] * len(processes)
