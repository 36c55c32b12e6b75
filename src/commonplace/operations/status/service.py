"""Reports the state of a store, and computes missing vectors on request."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum, auto

from commonplace.embedding.port import ServingModel, make_vectors
from commonplace.model.actor import SYSTEM_ORG, Actor, upkeep_actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.change import AuditQuery, AuditTrail
from commonplace.model.chunk import ChunkCounts, Owner, OwnerType
from commonplace.model.embedding import KnownModel
from commonplace.model.entry import EntryKind
from commonplace.model.query import ANYTHING, Filter
from commonplace.model.rights import Thing, Verb, Whose, permit
from commonplace.model.run import Run
from commonplace.operations.status.cursors import Cursors
from commonplace.storage.port import Backlog, PoolState, Replication, Store, StoreHealth

_LOG = logging.getLogger("commonplace.operations.status")
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


def _age(due: datetime | None, now: datetime) -> float:
    return max(0.0, (now - due).total_seconds()) if due else 0.0


class Embedded(Enum):
    NOW = auto()
    BEFORE = auto()
    NOT = auto()


@dataclass(frozen=True, slots=True)
class EmbeddingReport:
    """How many entries were embedded, had vectors already, or failed."""

    generated: int = 0
    skipped: int = 0
    failed: int = 0

    @property
    def total(self) -> int:
        return self.generated + self.skipped + self.failed

    def counting(self, embedded: Embedded) -> EmbeddingReport:
        return EmbeddingReport(
            self.generated + (embedded is Embedded.NOW),
            self.skipped + (embedded is Embedded.BEFORE),
            self.failed + (embedded is Embedded.NOT),
        )


class UpkeepService:
    """Status and maintenance on request; the worker does the periodic maintenance."""

    def __init__(self, store: Store, model: ServingModel, key: Callable[[], bytes]) -> None:
        self._store = store
        self._model = model
        self._key = key

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

    def status(self, actor: Actor) -> Status:
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

    def embed(
        self,
        actor: Actor,
        kind: EntryKind,
        *,
        force: bool,
        batch_size: int,
        call: Call = PLAIN_CALL,
    ) -> EmbeddingReport:
        """Compute the missing vectors of a kind's entries; with `force`, all of them."""
        with self._store.read(actor) as tx:
            total = tx.entries.count(replace(ANYTHING, kinds=(kind.value,)))
        report, after = EmbeddingReport(), 0
        while keys := self._keys_after(actor, after, batch_size, kind):
            for key in keys:
                call.check()
                report = report.counting(self._embed_entry(actor, key, force=force))
            after = keys[-1]
            call.progress(report.total, max(report.total, total), "items looked at")
        return report

    def _keys_after(self, actor: Actor, after: int, limit: int, kind: EntryKind) -> list[int]:
        with self._store.read(actor) as tx:
            return tx.entries.keys_after(after, limit, kind)

    def _embed_entry(self, actor: Actor, key: int, *, force: bool) -> Embedded:
        embedder = self._model.current()
        lacking = None if force else embedder.identity.key
        with self._store.read(actor) as tx:
            chunks = tx.vectors.of_owner(Owner(OwnerType.ENTRY, key), lacking)
        if not chunks:
            return Embedded.BEFORE
        made = make_vectors(embedder, chunks)
        for reason in made.refused.values():
            _LOG.warning("embedding refused", extra={"entry": key, "reason": reason})
        with self._store.write(actor) as tx:
            missed = tx.vectors.keep(made, chunks)
        return Embedded.NOT if made.refused or missed else Embedded.NOW

    def audit(self, actor: Actor, asked: AuditQuery) -> AuditTrail:
        """The changes in the actor's org, oldest first."""
        permit(actor, Thing.CHANGES, Verb.READ, Whose.SHARED)
        cursors = Cursors(self._key(), actor.org)
        after = cursors.opened(asked.after)
        with self._store.read(actor) as tx:
            changes = tx.changes.audit(asked, after)
        places = tuple(cursors.sealed(change.sequence) for change in changes)
        return AuditTrail(tuple(changes), places, places[-1] if places else asked.after)

    def newest_changes(self, actor: Actor, before: str, limit: int) -> AuditTrail:
        """The changes in the actor's org, newest first, before a cursor."""
        permit(actor, Thing.CHANGES, Verb.READ, Whose.SHARED)
        cursors = Cursors(self._key(), actor.org)
        with self._store.read(actor) as tx:
            changes = tx.changes.latest(cursors.opened(before) if before else None, limit)
        places = tuple(cursors.sealed(change.sequence) for change in changes)
        return AuditTrail(tuple(changes), places, places[-1] if places else before)

    def sealed(self, actor: Actor, number: int) -> str:
        """A row number encoded for the actor's org; it reveals nothing about other orgs."""
        return Cursors(self._key(), actor.org).sealed(number)

    def unsealed(self, actor: Actor, given: str) -> int:
        """Decode a number made by `sealed`; InvalidArgument if it is not one."""
        return Cursors(self._key(), actor.org).opened(given)

    def run(self, actor: Actor, run_id: str) -> Run | None:
        with self._store.read(actor) as tx:
            return tx.runs.get(run_id)

    def retry_failed(self, actor: Actor) -> int:
        """Queue again the chunks and targets that were given up; returns how many."""
        with self._store.write(actor) as tx:
            return tx.vectors.retry_failed() + tx.runs.retry_failed()
