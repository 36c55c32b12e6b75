"""Housekeeping of the worker: clock changes, chunks of other models, term counts, garbage."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from commonplace.model.actor import Actor, upkeep_actor
from commonplace.model.times import Clock
from commonplace.retrieval.statistics import SAMPLE_SIZE, count_terms
from commonplace.storage.port import CorpusStatistics, Store, Transaction
from commonplace.storage.port.leases import Lease
from commonplace.worker.clock import latest_plan, set_back

_REOPEN_BATCH = 500
_RECOUNT_AFTER = 500
_SWEEP_LEASE = "sweep"
_SWEEP_EVERY = timedelta(hours=6)
_SWEEP_BATCH = 500
_UNUSED_FOR = timedelta(days=1)
# For this long, a rejection can be undone.
_REJECTED_FOR = timedelta(days=1)


class Housekeeping:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._last_look = self._sweep_due = clock()
        self._uncounted: dict[str, int] = {}
        self._model_checked = ""
        self._plans_checked = False

    def reopen_other_models(self, model: str) -> None:
        """Queue chunks that another model embedded; done once per serving model."""
        if self._model_checked == model:
            return
        for org in self._store.orgs():
            reopened = _REOPEN_BATCH
            while reopened == _REOPEN_BATCH:
                with self._store.write(upkeep_actor(org)) as tx:
                    reopened = tx.vectors.reopen(model, _REOPEN_BATCH)
        self._model_checked = model

    def follow_clock(self) -> bool:
        """Make overdue plans of a wrong clock due; True if the clock was set back."""
        before, self._last_look = self._last_look, self._clock()
        was_set_back = set_back(before, self._last_look)
        if was_set_back or not self._plans_checked:
            for org in self._store.orgs():
                with self._store.write(upkeep_actor(org)) as tx:
                    tx.vectors.bring_forward(latest_plan(tx.now))
                    tx.runs.bring_forward(latest_plan(tx.now))
            self._plans_checked = True
        return was_set_back

    def changed(self, org: str, chunks: int = 0) -> None:
        """Note that an org's chunks changed, so its terms are recounted: soon, or at once if many
        did."""
        self._uncounted[org] = self._uncounted.get(org, 0) + chunks
        if self._uncounted[org] >= _RECOUNT_AFTER:
            self._count_terms_of(org)

    def count_terms(self) -> bool:
        """Recount the terms of one changed org; False if there is none."""
        for org in list(self._uncounted):
            self._count_terms_of(org)
            return True
        return False

    def sweep(self) -> None:
        """Delete uploads of pushes that never finished, and texts of rejected reviews.

        The lease is deliberately not released: until it expires, it marks this as done.
        """
        if self._clock() < self._sweep_due:
            return
        self._sweep_due = self._clock() + _SWEEP_EVERY
        if Lease(self._store, _SWEEP_LEASE, _SWEEP_EVERY.total_seconds()).take():
            for org in self._store.orgs():
                self._sweep_all(org, lambda tx: tx.blobs.sweep(tx.now - _UNUSED_FOR, _SWEEP_BATCH))
                self._sweep_all(
                    org,
                    lambda tx: tx.reviews.forget_rejected(tx.now - _REJECTED_FOR, _SWEEP_BATCH),
                )

    def _sweep_all(self, org: str, sweep: Callable[[Transaction], int]) -> None:
        swept = _SWEEP_BATCH
        while swept == _SWEEP_BATCH:
            with self._store.write(upkeep_actor(org)) as tx:
                swept = sweep(tx)

    def _count_terms_of(self, org: str) -> None:
        self._uncounted.pop(org, None)
        recount_terms(self._store, upkeep_actor(org))


def recount_terms(store: Store, actor: Actor) -> None:
    """Count how frequent terms are in the org; scoring weighs terms by that."""
    with store.read(actor) as tx:
        known = tx.statistics.load()
        counted = count_terms(tx.chunks.sample(SAMPLE_SIZE))
        whole = counted.sampled < SAMPLE_SIZE
        total = counted.sampled if whole else tx.chunks.counts().total
    with store.write(actor, derived=True) as tx:
        tx.statistics.save(
            CorpusStatistics(
                total, counted.sampled, counted.average_length, counted.frequencies, tx.now
            ),
            known,
        )
