"""Claims chunks that wait for vectors, embeds them with the serving model, and stores the vectors.

The only place that works off this queue, for the worker as well as for calls that wait.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from commonplace.embedding.port import (
    ComputedVectors,
    Embedder,
    ServingModel,
    make_previews,
    make_vectors,
)
from commonplace.errors import EmbeddingRefused, EmbeddingUnavailable, StorageUnavailable
from commonplace.model.actor import Actor
from commonplace.model.chunk import PendingChunk, Urgency
from commonplace.safety.warnings import warnings_of
from commonplace.storage.port import Store, Transaction
from commonplace.worker.leases import STANDARD_LEASES
from commonplace.worker.retry import SET_ASIDE, keeps_crashing, next_attempt

_LOG = logging.getLogger("commonplace.worker")
# A preview covers several chunks, so more of them can be claimed at once.
_PREVIEWED_TOGETHER = 3


@dataclass(frozen=True, slots=True)
class Tried:
    """How many chunks were claimed, and how many of them the model refused."""

    chunks: int
    refused: int


class WaitingChunks:
    """Claims, embeds and stores the chunks that wait.

    After `claim_seconds`, claimed chunks are due again if their process has died.
    """

    def __init__(
        self, store: Store, model: ServingModel, claim_seconds: float = STANDARD_LEASES.claim
    ) -> None:
        self._store = store
        self._model = model
        self._claim_seconds = claim_seconds
        self._interrupted: tuple[Actor, Sequence[PendingChunk]] | None = None

    def embed(self, actor: Actor, urgency: Urgency) -> Tried | None:
        """Embed some of an org's due chunks, the most urgent first; None if none are due.

        Raises EmbeddingUnavailable; the texts then wait without counting the attempt.
        """
        embedder = self._model.current()
        last = Urgency.FRESH if urgency is Urgency.FRESH else Urgency.REST_OF_ASIDE
        with self._store.write(actor, derived=True) as tx:
            until = tx.now + timedelta(seconds=self._claim_seconds)
            claimed = tx.vectors.claim(urgency, _most(embedder, urgency), until, last)
        if not claimed:
            return None
        if any(keeps_crashing(chunk.attempts - 1, chunk.error) for chunk in claimed):
            return self._set_aside(actor, claimed)
        try:
            made = _made_of(embedder, claimed)
            with self._store.write(actor, derived=True) as tx:
                self._settle(tx, claimed, made)
        except EmbeddingUnavailable as error:
            with self._store.write(actor, derived=True) as tx:
                due = tx.now + timedelta(seconds=error.retry_after or 0.0)
                tx.vectors.postpone([chunk.key for chunk in claimed], due)
            raise
        except StorageUnavailable:
            self._interrupted = actor, claimed
            raise
        _examine(claimed)
        return Tried(len(claimed), len(made.refused))

    def give_back_interrupted(self) -> None:
        """Release chunks that were claimed when the database connection was lost."""
        if self._interrupted is None:
            return
        actor, chunks = self._interrupted
        with self._store.write(actor, derived=True) as tx:
            tx.vectors.postpone([chunk.key for chunk in chunks], tx.now)
        self._interrupted = None

    def _set_aside(self, actor: Actor, claimed: Sequence[PendingChunk]) -> Tried:
        """Give up on texts that have crashed their workers repeatedly."""
        with self._store.write(actor, derived=True) as tx:
            for chunk in claimed:
                tx.vectors.record_failure(chunk, None, SET_ASIDE)
                _LOG.error("embedding was set aside", extra={"chunk": chunk.key})
        return Tried(len(claimed), len(claimed))

    def _settle(
        self, tx: Transaction, claimed: Sequence[PendingChunk], made: ComputedVectors
    ) -> None:
        missed = tx.vectors.keep(made, claimed)
        # The text or the serving model has changed since the chunk was claimed.
        tx.vectors.postpone([chunk.key for chunk in missed], tx.now)
        for chunk in claimed:
            if reason := made.refused.get(chunk.text_hash):
                due = next_attempt(tx.now, chunk.attempts - 1)
                tx.vectors.record_failure(chunk, due, reason)
                _LOG.warning("embedding refused", extra={"chunk": chunk.key, "final": due is None})


def _examine(chunks: Sequence[PendingChunk]) -> None:
    """Examine prose for attacks now, so that the search that shows it need not wait."""
    for chunk in chunks:
        if chunk.language is None:
            warnings_of(chunk.context, chunk.text)


def _most(embedder: Embedder, urgency: Urgency) -> int:
    handling = embedder.handling
    previews = handling.sketches and urgency is not Urgency.FRESH
    return handling.at_once * (_PREVIEWED_TOGETHER if previews else 1)


def _made_of(embedder: Embedder, chunks: Sequence[PendingChunk]) -> ComputedVectors:
    """Preview bulk text if the model is expensive; compute final vectors of urgent text."""
    bulk = (Urgency.BULK, Urgency.ASIDE) if embedder.handling.sketches else ()
    heads = [chunk for chunk in chunks if chunk.urgency in bulk]
    try:
        previews = make_previews(embedder, heads)
    except EmbeddingRefused:
        # Find the refused text by embedding them one by one.
        return make_vectors(embedder, chunks)
    others = [chunk for chunk in chunks if chunk.text_hash not in previews.windows]
    made = make_vectors(embedder, others)
    windows = {**previews.windows, **made.windows}
    return ComputedVectors(made.model, windows, made.refused, previews.previewed)
