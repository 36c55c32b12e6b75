"""One progress over several phases: what a client hears only ever rises, up to all there is."""

from __future__ import annotations

from dataclasses import replace

from commonplace.model.call import Call

# Steps of a phase that are told at most: of more files than that not each is.
_MOST_TOLD = 400


class Phases:
    """Each phase counts from 0; what is told goes on from what was told before."""

    def __init__(self, call: Call) -> None:
        self._call = call
        self._reached = 0
        self._begun_at = 0
        self._total = 0

    def next(self) -> Call:
        """The call of the phase that begins now."""
        self._begun_at = self._reached
        return replace(self._call, progress=self._tell)

    def end(self, message: str) -> None:
        """All of what was announced, if the last phase did not say so itself."""
        if self._reached < self._total:
            self._reached = self._total
            self._call.progress(self._reached, self._total, message)

    def _tell(self, done: int, total: int, message: str) -> None:
        at = self._begun_at + done
        self._total = self._begun_at + total
        further = at - self._reached
        if further > total // _MOST_TOLD or (further > 0 and at == self._total):
            self._reached = at
            self._call.progress(at, self._total, message)
