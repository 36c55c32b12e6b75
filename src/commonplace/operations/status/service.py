"""Reports the state of a store, and queues again what has failed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from commonplace.embedding.port import ServingModel
from commonplace.model.actor import SYSTEM_ORG, Actor, upkeep_actor
from commonplace.model.chunk import ChunkCounts
from commonplace.model.embedding import KnownModel
from commonplace.model.query import ANYTHING, Filter
from commonplace.model.run import Run
from commonplace.storage.port import Backlog, PoolState, Replication, Store, StoreHealth

_SHOWN_FAILURES = 100
_SHOWN_RUNS = 5


@dataclass(frozen=True, slots=True)
class Status:
    """What an org has stored; `failures` lists the distinct reasons."""

    health: StoreHealth
    entries: int
    current_entries: int
    chunks: ChunkCounts
    model: str
    failures: tuple[str, ...]
    runs: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Vitals:
    """Whether the server keeps up: backlog, delays in seconds, connections, models."""

    backlog: Backlog
    embedding_lag: float
    oldest_job: float
    pool: PoolState
    replication: Replication
    vector_indexes: int
    models: tuple[KnownModel, ...]


class StatusService:
    def __init__(self, store: Store, model: ServingModel) -> None:
        self._store = store
        self._model = model

    def health(self) -> StoreHealth:
        return self._store.health()

    def vitals(self) -> Vitals:
        """The figures for monitoring, across all orgs; cheap enough to request every few
        seconds."""
        backlog = self._store.backlog()
        with self._store.read(upkeep_actor(SYSTEM_ORG)) as tx:
            models, now = tuple(tx.models.all()), tx.now
        return Vitals(
            backlog=backlog,
            embedding_lag=_age(backlog.oldest_chunk, now),
            oldest_job=_age(backlog.oldest_target, now),
            pool=self._store.pool(),
            replication=self._store.replication(),
            vector_indexes=self._store.vector_indexes(),
            models=models,
        )

    def of_org(self, actor: Actor) -> Status:
        health = self._store.health()
        with self._store.read(actor) as tx:
            failures = tx.chunks.failures(_SHOWN_FAILURES)
            return Status(
                health=health,
                entries=tx.entries.count(ANYTHING),
                current_entries=tx.entries.count(Filter()),
                chunks=tx.chunks.counts(),
                model=self._model.current().identity.key,
                failures=tuple(sorted({reason for _, reason in failures})),
                runs=tuple(tx.runs.recent(_SHOWN_RUNS)),
            )

    def run(self, actor: Actor, run_id: str) -> Run | None:
        with self._store.read(actor) as tx:
            return tx.runs.get(run_id)

    def retry_failed(self, actor: Actor) -> int:
        """Queue again the chunks and targets that were given up; returns how many."""
        with self._store.write(actor) as tx:
            return tx.vectors.retry_failed() + tx.runs.retry_failed()


def _age(due: datetime | None, now: datetime) -> float:
    return max(0.0, (now - due).total_seconds()) if due else 0.0
