"""What searches wanted and lacked goes first: told to the queue beside them.

A search waits for no writer, so this is a thread of its own, begun when there is something to tell.
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
# What was told is not told again, until so many others were.
_MOST_REMEMBERED = 10_000


class Seeking:
    """One for each process; any number of searches may tell it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._wanted: dict[str, set[int]] = {}
        self._told: set[int] = set()
        self._telling: threading.Thread | None = None

    def note(self, actor: Actor, hits: Sequence[Hit]) -> None:
        """Remember those of the actor's org that wait for vectors of their own."""
        chunks = (hit.chunk for hit in hits)
        keys = {chunk.key for chunk in chunks if chunk.can_be_expedited and chunk.org == actor.org}
        with self._lock:
            if new := keys - self._told:
                self._told = new if len(self._told) > _MOST_REMEMBERED else self._told | new
                self._wanted[actor.org] = self._wanted.get(actor.org, set()) | new
                if self._telling is None:
                    self._telling = threading.Thread(target=self._tell, name="seeking", daemon=True)
                    self._telling.start()

    def wait(self, seconds: float) -> None:
        """Return when all that was noted is told, or the time is over."""
        telling = self._telling
        if telling is not None:
            telling.join(seconds)

    def _tell(self) -> None:
        while True:
            with self._lock:
                if not self._wanted:
                    self._telling = None
                    return
                org, keys = self._wanted.popitem()
            try:
                with self._store.write(upkeep_actor(org)) as tx:
                    tx.vectors.prioritise(sorted(keys))
            except CommonplaceError as error:
                # They are embedded in their turn then.
                _LOG.debug("what is sought was not told", extra={"code": error.code})
