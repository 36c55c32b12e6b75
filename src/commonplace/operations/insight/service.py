"""Answers what people ask of the store and no agent does; changes nothing."""

from __future__ import annotations

from commonplace.model.actor import Actor
from commonplace.model.entry import Entry
from commonplace.storage.port import Store


class InsightService:
    def __init__(self, store: Store) -> None:
        self._store = store

    def chain(self, actor: Actor, entry: Entry) -> list[Entry]:
        """An entry with all that it replaced and all that replaced it, oldest first."""
        with self._store.read(actor) as tx:
            return tx.entries.chain(entry.kind, entry.head or entry.id)
