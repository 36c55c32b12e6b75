"""Moves chunks that searches found without vectors to the front of the embedding queue.

A search must not wait for a writer, so a thread does this, started when there is work.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence

from commonplace.errors import CommonplaceError
from commonplace.model.actor import Actor, upkeep_actor
from commonplace.model.query import Hit
from commonplace.storage.port import Store

_LOG = logging.getLogger("commonplace.retrieval")
# A chunk is not expedited again before this many others were.
_MOST_REMEMBERED = 10_000


class Expediter:
    """Expedites the embedding of chunks; one per process, shared by concurrent searches."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._waiting: dict[str, set[int]] = {}
        self._expedited: set[int] = set()
        self._thread: threading.Thread | None = None

    def note(self, actor: Actor, hits: Sequence[Hit]) -> None:
        """Queue the hits of the actor's own org that still wait for their vectors."""
        chunks = (hit.chunk for hit in hits)
        keys = {chunk.key for chunk in chunks if chunk.can_be_expedited and chunk.org == actor.org}
        with self._lock:
            if new := keys - self._expedited:
                self._expedited = (
                    new if len(self._expedited) > _MOST_REMEMBERED else self._expedited | new
                )
                self._waiting[actor.org] = self._waiting.get(actor.org, set()) | new
                if self._thread is None:
                    self._thread = threading.Thread(
                        target=self._write, name="expediting", daemon=True
                    )
                    self._thread.start()

    def wait(self, seconds: float) -> None:
        """Return when all noted chunks are written to the queue, or after `seconds`."""
        thread = self._thread
        if thread is not None:
            thread.join(seconds)

    def _write(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._thread = None
                    return
                org, keys = self._waiting.popitem()
            try:
                with self._store.write(upkeep_actor(org), derived=True) as tx:
                    tx.vectors.prioritise(sorted(keys))
            except CommonplaceError as error:
                # The chunks are embedded in their ordinary turn then.
                _LOG.debug("chunks could not be expedited", extra={"code": error.code})
