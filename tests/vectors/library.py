"""A SQLite store whose vectors outgrow the exact scan early, and what its tests do with it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from commonplace.model.chunk import Owner, OwnerType
from commonplace.model.query import Filter
from commonplace.model.times import Clock
from commonplace.storage.port import Nearest
from commonplace.storage.sqlite.store import SqliteStore
from commonplace.storage.sqlite.vectors.indexes import LayeredIndexes
from commonplace.storage.sqlite.vectors.tending import GraphThresholds
from tests.generate import ALICE, MODEL, Vector, axis, embed_all, near, put_chunk, unit_vectors
from tests.processes import wall_clock

EARLY = GraphThresholds(exact_up_to=100, behind_share=0.2, behind_most=50)
WIDTH = 64


@dataclass
class Library:
    """Numbered chunks with a vector each, in a folder of their own."""

    home: Path
    clock: Clock = wall_clock
    opened: list[SqliteStore] = field(default_factory=list)

    def open(self, thresholds: GraphThresholds = EARLY) -> SqliteStore:
        store = SqliteStore(
            self.home / "library.db",
            self.clock,
            lambda: LayeredIndexes(self.home / "vectors", thresholds),
        )
        self.opened.append(store)
        return store

    def close(self) -> None:
        for store in self.opened:
            store.close()

    def files(self, pattern: str = "*.graph") -> list[Path]:
        return sorted((self.home / "vectors").glob(pattern))

    @property
    def graph(self) -> Path:
        (file,) = self.files()
        return file


def put(store: SqliteStore, first: int, vectors: Sequence[Vector], model: str = MODEL) -> None:
    """Chunks `first`, `first + 1` and so on, embedded."""
    with store.write(ALICE) as tx:
        for number in range(first, first + len(vectors)):
            put_chunk(tx, number, f"number {number}")
    embed_all(
        store, ALICE, lambda chunk: [vectors[int(chunk.text.split()[1]) - first]], model=model
    )


def remove(store: SqliteStore, numbers: Sequence[int]) -> None:
    with store.write(ALICE) as tx:
        for number in numbers:
            tx.chunks.remove(Owner(OwnerType.DOCUMENT, number))


def tend(store: SqliteStore, model: str = MODEL) -> None:
    """All that is to be done."""
    while store.maintain_vectors(model):
        pass


def nearest(
    store: SqliteStore, query: Vector, limit: int = 10, wanted: Filter | None = None
) -> Nearest:
    with store.read(ALICE) as tx:
        return tx.vectors.nearest(MODEL, query, wanted or Filter(), limit, WIDTH)


def numbers(store: SqliteStore, found: Nearest) -> list[int]:
    """Which chunks these are, nearest first."""
    with store.read(ALICE) as tx:
        chunks = tx.chunks.fetch([key for key, _ in found.hits], Filter())
    owners = {chunk.key: chunk.owner.key for chunk in chunks}
    return [owners[key] for key, _ in found.hits]


def found_numbers(store: SqliteStore, query: Vector, limit: int = 10) -> list[int]:
    return numbers(store, nearest(store, query, limit))


def ladder(count: int) -> list[Vector]:
    """Vectors that are farther and farther from the first axis."""
    step = 0.9 / count
    return [near(axis(0), 0.95 - step * number, number) for number in range(count)]


def rebuild_forever(home: str) -> None:
    """For a process that is killed: says when it has started, then builds again and again."""
    library = Library(Path(home))
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    while True:
        store = library.open()
        for file in library.files():
            file.unlink(missing_ok=True)
        tend(store)
        store.close()


def grow_and_rebuild(home: str, rounds: int) -> None:
    """Add, remove and rebuild, as the process with the worker lease does beside others."""
    store = Library(Path(home)).open()
    for number in range(rounds):
        put(store, 1000 + 60 * number, unit_vectors(60, seed=number))
        remove(store, range(1000 + 60 * number, 1030 + 60 * number))
        tend(store)
    store.close()


if __name__ == "__main__":
    rebuild_forever(sys.argv[1])
