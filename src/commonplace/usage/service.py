"""Counts what is handed out, after the answer is made; reading must not fail because of it."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from commonplace.errors import StorageError
from commonplace.model.actor import Actor
from commonplace.model.capture import Access
from commonplace.model.entry import Entry
from commonplace.storage.port import Store

_LOG = logging.getLogger("commonplace.usage")
_NEVER = Access()


class UsageService:
    def __init__(self, store: Store) -> None:
        self._store = store

    def count(self, actor: Actor, entries: Sequence[Entry]) -> None:
        """One more access of each."""
        if not entries:
            return
        try:
            with self._store.write(actor) as tx:
                tx.accesses.count([entry.key for entry in entries])
        except StorageError as error:
            _LOG.warning("accesses not counted", extra={"code": error.code})

    def of(self, actor: Actor, entries: Sequence[Entry]) -> dict[int, Access]:
        """How often each was handed out before, by the entry's key."""
        with self._store.read(actor) as tx:
            found = tx.accesses.of([entry.key for entry in entries])
        return {entry.key: found.get(entry.key, _NEVER) for entry in entries}
