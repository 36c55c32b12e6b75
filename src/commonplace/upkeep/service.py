"""Answers questions about the state of a store, and queues again what was given up."""

from __future__ import annotations

from dataclasses import dataclass

from commonplace.embedding.port import Embedder
from commonplace.model.actor import Actor
from commonplace.model.chunk import ChunkCounts
from commonplace.model.query import Filter
from commonplace.model.run import Run
from commonplace.storage.port import Store, StoreHealth

_SHOWN_FAILURES = 100
_SHOWN_RUNS = 5


@dataclass(frozen=True, slots=True)
class Status:
    """What an org holds; `failures` are the different reasons, without repetition."""

    health: StoreHealth
    entries: int
    current_entries: int
    chunks: ChunkCounts
    model: str
    failures: tuple[str, ...]
    runs: tuple[Run, ...]


class UpkeepService:
    """Looks after nothing by itself; the worker does."""

    def __init__(self, store: Store, embedder: Embedder) -> None:
        self._store = store
        self._embedder = embedder

    def health(self) -> StoreHealth:
        return self._store.health()

    def status(self, actor: Actor) -> Status:
        health = self._store.health()
        with self._store.read(actor) as tx:
            failures = tx.chunks.failures(_SHOWN_FAILURES)
            return Status(
                health=health,
                entries=tx.entries.count(Filter(include_superseded=True, include_expired=True)),
                current_entries=tx.entries.count(Filter()),
                chunks=tx.chunks.counts(),
                model=self._embedder.identity.key,
                failures=tuple(sorted({reason for _, reason in failures})),
                runs=tuple(tx.runs.recent(_SHOWN_RUNS)),
            )

    def run(self, actor: Actor, run_id: str) -> Run | None:
        with self._store.read(actor) as tx:
            return tx.runs.get(run_id)

    def retry_failed(self, actor: Actor) -> int:
        with self._store.write(actor) as tx:
            return tx.vectors.retry_failed()
