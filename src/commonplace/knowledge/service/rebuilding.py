"""Rebuilds everything derived from an org's entries, in batches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from commonplace.knowledge.service.writes import index, owner_of
from commonplace.model.actor import Actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.chunk import Urgency
from commonplace.model.run import Run, RunKind
from commonplace.storage.port import Store

REBUILD_BATCH = 50


class RebuildService:
    """Starts rebuild runs and processes their batches for the worker."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def start(self, actor: Actor) -> Run:
        """Queue rebuilding everything that is derived from the org's entries."""
        with self._store.write(actor) as tx:
            batches, after = [], 0
            while keys := tx.entries.keys_after(after, REBUILD_BATCH):
                batches.append({"keys": keys})
                after = keys[-1]
            return tx.runs.start(RunKind.REBUILD, batches)

    def batch(self, actor: Actor, subject: Mapping[str, Any], call: Call = PLAIN_CALL) -> None:
        """Rebuild the chunks of some entries: findable by words at once, by meaning once
        embedded."""
        with self._store.write(actor) as tx:
            for entry in tx.entries.lock(subject["keys"]):
                if entry.deleted_at is None:
                    tx.chunks.remove(owner_of(entry))
                    index(tx, entry, Urgency.BULK)
            call.check()
