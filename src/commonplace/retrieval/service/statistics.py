"""Loads the term statistics that the worker counted."""

from __future__ import annotations

import time

from commonplace.retrieval.statistics import TermStatistics, count_terms
from commonplace.storage.port import Transaction

_STATISTICS_SECONDS = 30.0
_INLINE_SAMPLE = 500


class KnownStatistics:
    """Cached term statistics of each org; read again after a while, as they change slowly."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[float, TermStatistics]] = {}

    def of(self, tx: Transaction) -> TermStatistics:
        """The worker's counts; if there are none yet, counts of a small sample taken now."""
        org = tx.actor.org
        expires, statistics = self._known.get(org, (0.0, TermStatistics()))
        if time.monotonic() < expires:
            return statistics
        stored = tx.statistics.load()
        statistics = (
            TermStatistics(stored.sampled, stored.average_length, stored.frequencies, stored.chunks)
            if stored and stored.sampled
            else count_terms(tx.chunks.sample(_INLINE_SAMPLE))
        )
        self._known[org] = (time.monotonic() + _STATISTICS_SECONDS, statistics)
        return statistics
