"""One progress report over several phases: it only ever rises, up to the total."""

from __future__ import annotations

from dataclasses import replace

from commonplace.model.call import Call

# At most so many reports per phase; with more files, some are skipped.
_MOST_REPORTS = 400


class Phases:
    """Each phase counts from 0; reports continue from where the previous phase ended."""

    def __init__(self, call: Call) -> None:
        self._call = call
        self._reached = 0
        self._begun_at = 0
        self._total = 0

    def next(self) -> Call:
        """Start a phase and return its call."""
        self._begun_at = self._reached
        return replace(self._call, progress=self._report)

    def end(self, message: str) -> None:
        """Report the total, if the last phase did not."""
        if self._reached < self._total:
            self._reached = self._total
            self._call.progress(self._reached, self._total, message)

    def _report(self, done: int, total: int, message: str) -> None:
        at = self._begun_at + done
        self._total = self._begun_at + total
        further = at - self._reached
        if further > total // _MOST_REPORTS or (further > 0 and at == self._total):
            self._reached = at
            self._call.progress(at, self._total, message)
