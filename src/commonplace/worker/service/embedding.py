"""Chunks that wait for vectors: claimed, embedded with the model that serves, stored or given up.

The only place that empties that queue, whoever asks for it: the worker, or a call that waits.
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
from commonplace.worker.retry import SET_ASIDE, is_deadly, next_attempt

_LOG = logging.getLogger("commonplace.worker")
# Previews are of several chunks each, so that more of them take no longer.
_PREVIEWED_TOGETHER = 3


@dataclass(frozen=True, slots=True)
class Tried:
    """How many chunks were claimed, and how many of them the model refused."""

    chunks: int
    refused: int


class WaitingChunks:
    """`claim_seconds` is how long others wait for who died with claimed chunks."""

    def __init__(
        self, store: Store, model: ServingModel, claim_seconds: float = STANDARD_LEASES.claim
    ) -> None:
        self._store = store
        self._model = model
        self._claim_seconds = claim_seconds
        self._interrupted: tuple[Actor, Sequence[PendingChunk]] | None = None

    def embed(self, actor: Actor, urgency: Urgency) -> Tried | None:
        """Some of an org's chunks, of bulk work the most urgent; None when none of them are due.

        Raises EmbeddingUnavailable: then nothing is counted against the texts, which wait.
        """
        embedder = self._model.current()
        last = Urgency.FRESH if urgency is Urgency.FRESH else Urgency.REST_OF_ASIDE
        with self._store.write(actor) as tx:
            until = tx.now + timedelta(seconds=self._claim_seconds)
            claimed = tx.vectors.claim(urgency, _most(embedder, urgency), until, last)
        if not claimed:
            return None
        if any(is_deadly(chunk.attempts - 1, chunk.error) for chunk in claimed):
            return self._set_aside(actor, claimed)
        try:
            made = _made_of(embedder, claimed)
            with self._store.write(actor) as tx:
                self._settle(tx, claimed, made)
        except EmbeddingUnavailable as error:
            with self._store.write(actor) as tx:
                due = tx.now + timedelta(seconds=error.retry_after or 0.0)
                tx.vectors.postpone([chunk.key for chunk in claimed], due)
            raise
        except StorageUnavailable:
            self._interrupted = actor, claimed
            raise
        _examine(claimed)
        return Tried(len(claimed), len(made.refused))

    def give_back_interrupted(self) -> None:
        """What was claimed when the database went away need not wait for the claim to run out."""
        if self._interrupted is None:
            return
        actor, chunks = self._interrupted
        with self._store.write(actor) as tx:
            tx.vectors.postpone([chunk.key for chunk in chunks], tx.now)
        self._interrupted = None

    def _set_aside(self, actor: Actor, claimed: Sequence[PendingChunk]) -> Tried:
        """The queue goes on without a text that has ended its workers again and again."""
        with self._store.write(actor) as tx:
            for chunk in claimed:
                tx.vectors.record_failure(chunk, None, SET_ASIDE)
                _LOG.error("embedding was set aside", extra={"chunk": chunk.key})
        return Tried(len(claimed), len(claimed))

    def _settle(
        self, tx: Transaction, claimed: Sequence[PendingChunk], made: ComputedVectors
    ) -> None:
        missed = tx.vectors.keep(made, claimed)
        # Another text stands there, or another model serves, than when it was claimed.
        tx.vectors.postpone([chunk.key for chunk in missed], tx.now)
        for chunk in claimed:
            if reason := made.refused.get(chunk.text_hash):
                due = next_attempt(tx.now, chunk.attempts - 1)
                tx.vectors.record_failure(chunk, due, reason)
                _LOG.warning("embedding refused", extra={"chunk": chunk.key, "final": due is None})


def _examine(chunks: Sequence[PendingChunk]) -> None:
    """What is shown has been examined; prose is here already, so that no search waits for that."""
    for chunk in chunks:
        if chunk.language is None:
            warnings_of(chunk.context, chunk.text)


def _most(embedder: Embedder, urgency: Urgency) -> int:
    handling = embedder.handling
    previews = handling.sketches and urgency is not Urgency.FRESH
    return handling.at_once * (_PREVIEWED_TOGETHER if previews else 1)


def _made_of(embedder: Embedder, chunks: Sequence[PendingChunk]) -> ComputedVectors:
    """Bulk text is previewed where the model's time is dear; what somebody waits for is not."""
    bulk = (Urgency.BULK, Urgency.ASIDE) if embedder.handling.sketches else ()
    heads = [chunk for chunk in chunks if chunk.urgency in bulk]
    try:
        previews = make_previews(embedder, heads)
    except EmbeddingRefused:
        # Which of them it was is found out one by one.
        return make_vectors(embedder, chunks)
    others = [chunk for chunk in chunks if chunk.text_hash not in previews.windows]
    made = make_vectors(embedder, others)
    windows = {**previews.windows, **made.windows}
    return ComputedVectors(made.model, windows, made.refused, previews.previewed)
