"""Backoff for an embedding model that could not be reached."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from commonplace.errors import EmbeddingUnavailable
from commonplace.model.times import Clock
from commonplace.worker.clock import LONGEST_WAIT
from commonplace.worker.retry import pause_seconds

_LOG = logging.getLogger("commonplace.worker")


class ModelBackoff:
    """Increases the pause with each consecutive failure; it applies to all texts."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._failures = 0
        self.due = clock()

    @property
    def may_retry(self) -> bool:
        return self._clock() >= self.due

    def failed(self, error: EmbeddingUnavailable) -> datetime:
        """Record a failure; returns when to try again."""
        self._failures += 1
        pause = error.retry_after or pause_seconds(self._failures)
        pause = min(pause, LONGEST_WAIT.total_seconds())
        self.due = self._clock() + timedelta(seconds=pause)
        _LOG.warning("embedding postponed", extra={"seconds": pause, "reason": error.message})
        return self.due

    def succeeded(self) -> None:
        self._failures = 0

    def reset(self) -> None:
        """Reset the pause after the clock was set back."""
        self.due = self._clock()
