"""Which model serves, and replacing it: prepare, complete, switch, clean up.

Every step is a row or vector in the database, so a killed process loses at most one batch.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from commonplace.embedding.port import Embedder, make_vectors
from commonplace.errors import Conflict, EmbeddingError, EmbeddingUnavailable
from commonplace.model.actor import SYSTEM_ORG, upkeep_actor
from commonplace.model.chunk import PendingChunk
from commonplace.model.embedding import KnownModel, ModelState
from commonplace.model.times import Clock
from commonplace.model.turns import Rotation
from commonplace.storage.port import Store, Transaction
from commonplace.storage.port.leases import Lease
from commonplace.worker.retry import MAX_CRASHES, keeps_crashing

_LOG = logging.getLogger("commonplace.worker.reembedding")
_LEASE = "reembedding"
_LEASE_SECONDS = 60.0
_BATCH = 16
_DISCARDED = 500
_PAUSE = timedelta(seconds=30)
# Servers with old settings search with the old vectors until they are restarted.
GRACE = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a model change has come; `configured` is the model in this process's settings.

    `set_aside` counts texts that crashed the worker repeatedly with the prepared model.
    """

    configured: str
    serving: str | None
    preparing: str | None
    retired: tuple[str, ...]
    embedded: int
    total: int
    set_aside: int = 0

    @property
    def complete(self) -> bool:
        return self.preparing is None and self.serving == self.configured


class ReembeddingService:
    """The model state machine, one per process; `configured` is the model in its settings."""

    def __init__(self, store: Store, configured: Embedder, clock: Clock) -> None:
        self._store = store
        self._configured = configured
        self._clock = clock
        self._lease = Lease(store, _LEASE, _LEASE_SECONDS)
        self._turns = Rotation[str]()
        self._after: dict[str, int] = {}
        self._complete: set[str] = set()
        self._refused: set[int] = set()
        self._swept = False
        self._due = clock()

    @property
    def _model(self) -> str:
        return self._configured.identity.key

    def adopt(self) -> None:
        """Make the configured model serve if none does.

        It replaces another model only if nothing is embedded yet and it responds. If an earlier
        revision of it serves, preparing it starts without being asked.
        """
        known = self._known()
        serving = _in_state(known, ModelState.SERVING)
        if serving == self._model:
            return
        if self._follows(serving) and self._anything_embedded():
            if _in_state(known, ModelState.PREPARING) is None:
                self.start()
            return
        if serving is not None and (self._anything_embedded() or not self._answers()):
            _LOG.warning(
                "another model serves; `commonplace reembed` switches to the configured one",
                extra={"serving": serving, "configured": self._model},
            )
            return
        try:
            with self._store.write(upkeep_actor(SYSTEM_ORG)) as tx:
                self._serve(tx, self._model)
        except Conflict:
            _LOG.info("another process has set the serving model")

    def start(self) -> Progress:
        """Start preparing the configured model, on every worker whose settings name it.

        Texts that were set aside are tried again, because a person asked for it.
        """
        known = self._known()
        preparing = _in_state(known, ModelState.PREPARING)
        if preparing not in (None, self._model):
            raise Conflict(f"The model {preparing} is being prepared; cancel that first.")
        if _in_state(known, ModelState.SERVING) != self._model:
            with self._store.write(upkeep_actor(SYSTEM_ORG)) as tx:
                tx.models.put(self._model, ModelState.PREPARING)
            self._forget_attempts()
        return self.progress()

    def cancel(self) -> str | None:
        """Stop preparing; returns the model that was being prepared. Its vectors are deleted
        later."""
        preparing = _in_state(self._known(), ModelState.PREPARING)
        if preparing is not None:
            with self._store.write(upkeep_actor(SYSTEM_ORG)) as tx:
                tx.models.put(preparing, ModelState.RETIRED)
        return preparing

    def progress(self) -> Progress:
        known = self._known()
        serving = _in_state(known, ModelState.SERVING)
        preparing = _in_state(known, ModelState.PREPARING)
        embedded = total = set_aside = 0
        shown = preparing or serving or self._model
        for org in self._store.orgs():
            with self._store.read(upkeep_actor(org)) as tx:
                total += tx.chunks.counts().total
                embedded += tx.reembedding.count(shown)
                set_aside += tx.reembedding.count_crashing(shown, MAX_CRASHES)
        return Progress(
            configured=self._model,
            serving=serving,
            preparing=preparing,
            retired=tuple(m.key for m in known if m.state is ModelState.RETIRED),
            embedded=embedded,
            total=total,
            set_aside=set_aside,
        )

    def step(self) -> bool:
        """Do one small step of the model change, if this process has one to do."""
        known, now = self._known(), self._clock()
        for model in known:
            if model.state is ModelState.RETIRED and model.since + GRACE <= now:
                self._tidy(model.key)
                return True
        if _in_state(known, ModelState.PREPARING) != self._model or now < self._due:
            return False
        return self._lease.take() and self._prepare_some(now)

    def stop(self) -> None:
        """Release the work so that another process can continue at once."""
        self._lease.drop()

    def _follows(self, serving: str | None) -> bool:
        return serving in self._configured.identity.compatible_with

    def _known(self) -> list[KnownModel]:
        with self._store.read(upkeep_actor(SYSTEM_ORG)) as tx:
            return tx.models.all()

    def _anything_embedded(self) -> bool:
        for org in self._store.orgs():
            with self._store.read(upkeep_actor(org)) as tx:
                if tx.chunks.counts().ready:
                    return True
        return False

    def _answers(self) -> bool:
        try:
            self._configured.embed_query("Is anybody there?")
        except EmbeddingError:
            return False
        return True

    def _prepare_some(self, now: datetime) -> bool:
        found = self._next_batch()
        if found is not None:
            org, chunks = found
            try:
                self._embed(org, chunks)
            except EmbeddingUnavailable as error:
                self._start_over()
                self._due = now + _PAUSE
                _LOG.warning("re-embedding postponed", extra={"reason": error.message})
                return False
            self._swept = False
        elif self._swept:
            self._switch()
        else:
            # Start over, to find what was written or changed meanwhile.
            self._start_over()
            self._swept = True
        return True

    def _next_batch(self) -> tuple[str, Sequence[PendingChunk]] | None:
        waiting = [org for org in self._store.orgs() if org not in self._complete]
        random.shuffle(waiting)
        while waiting:
            org = self._turns.next(waiting)
            if chunks := self._lacking(org):
                return org, chunks
            self._complete.add(org)
            waiting.remove(org)
        return None

    def _lacking(self, org: str) -> Sequence[PendingChunk]:
        with self._store.read(upkeep_actor(org)) as tx:
            after = self._after.get(org, 0)
            while chunks := tx.reembedding.without_vectors(self._model, after, _BATCH):
                after = self._after[org] = chunks[-1].key
                left = [chunk for chunk in chunks if chunk.key not in self._refused]
                if untried := [chunk for chunk in left if not chunk.attempts]:
                    return untried
                # One by one, so that only the chunk that crashes its worker is set aside.
                for chunk in left:
                    if not self._is_set_aside(chunk):
                        self._after[org] = chunk.key
                        return (chunk,)
        return ()

    def _is_set_aside(self, chunk: PendingChunk) -> bool:
        if not keeps_crashing(chunk.attempts, None):
            return False
        self._refused.add(chunk.key)
        _LOG.error("embedding was set aside", extra={"chunk": chunk.key, "model": self._model})
        return True

    def _start_over(self) -> None:
        self._after, self._complete = {}, set()

    def _embed(self, org: str, chunks: Sequence[PendingChunk]) -> None:
        actor, keys = upkeep_actor(org), [chunk.key for chunk in chunks]
        with self._store.write(actor) as tx:
            tx.reembedding.begin(self._model, keys)
        try:
            made = make_vectors(self._configured, chunks)
        except EmbeddingUnavailable:
            with self._store.write(actor) as tx:
                tx.reembedding.cancel(self._model, keys)
            raise
        with self._store.write(actor) as tx:
            tx.reembedding.end(self._model, keys)
            for chunk in chunks:
                if windows := made.windows.get(chunk.text_hash):
                    tx.reembedding.add(made.model, chunk, windows)
        for chunk in chunks:
            if reason := made.refused.get(chunk.text_hash):
                self._refused.add(chunk.key)
                _LOG.warning("embedding refused", extra={"reason": reason})

    def _switch(self) -> None:
        with self._store.write(upkeep_actor(SYSTEM_ORG)) as tx:
            if tx.models.in_state(ModelState.PREPARING) == self._model:
                self._serve(tx, self._model)
        self._forget_attempts()
        self.stop()
        self._start_over()
        self._swept = False
        _LOG.info("the serving model has changed", extra={"model": self._model})

    def _forget_attempts(self) -> None:
        """Reset attempts: chunks still without vectors when the model serves belong to the ordinary
        queue."""
        self._refused.clear()
        for org in self._store.orgs():
            with self._store.write(upkeep_actor(org)) as tx:
                tx.reembedding.forget_attempts(self._model)

    def _serve(self, tx: Transaction, model: str) -> None:
        before = tx.models.in_state(ModelState.SERVING)
        if before is not None and before != model:
            tx.models.put(before, ModelState.RETIRED)
        tx.models.put(model, ModelState.SERVING)

    def _tidy(self, model: str) -> None:
        """Delete vectors that no search uses any more, in batches."""
        for org in self._store.orgs():
            after: int | None = 0
            while after is not None:
                with self._store.write(upkeep_actor(org)) as tx:
                    after = tx.reembedding.discard(model, after, _DISCARDED)
        with self._store.write(upkeep_actor(SYSTEM_ORG)) as tx:
            if any(m.key == model and m.state is ModelState.RETIRED for m in tx.models.all()):
                tx.models.forget(model)


def searchable(store: Store) -> list[str]:
    """The models with vectors to search, the serving one first."""
    with store.read(upkeep_actor(SYSTEM_ORG)) as tx:
        known = tx.models.all()
    serving = [m.key for m in known if m.state is ModelState.SERVING]
    newest = sorted(known, key=lambda m: m.since, reverse=True)
    return serving + [m.key for m in newest if m.state is ModelState.RETIRED]


def _in_state(known: Sequence[KnownModel], state: ModelState) -> str | None:
    return next((model.key for model in known if model.state is state), None)
