"""Computes the missing vectors of entries on request, without waiting for the worker."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from enum import Enum, auto

from commonplace.embedding.port import ServingModel, make_vectors
from commonplace.model.actor import Actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.chunk import Owner, OwnerType
from commonplace.model.entry import EntryKind
from commonplace.model.query import ANYTHING
from commonplace.storage.port import Store

_LOG = logging.getLogger("commonplace.knowledge")


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


class EntryEmbeddingService:
    def __init__(self, store: Store, model: ServingModel) -> None:
        self._store = store
        self._model = model

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
