"""Schedules access to a model that can compute a few texts at a time.

A waiting query goes before bulk work, but cannot starve it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition

QUERIES_IN_A_ROW = 16


class Turns:
    """A semaphore with `places` holders that prefers queries to bulk work."""

    def __init__(self, places: int = 1) -> None:
        self._changed = Condition()
        self._free = places
        self._queries_waiting = 0
        self._bulk_waiting = 0
        self._queries_in_a_row = 0

    @contextmanager
    def query(self) -> Iterator[None]:
        with self._changed:
            self._queries_waiting += 1
            try:
                self._wait(lambda: self._free and not self._bulk_is_due())
            finally:
                self._queries_waiting -= 1
            self._queries_in_a_row += 1
            self._free -= 1
        yield from self._hold()

    @contextmanager
    def bulk(self) -> Iterator[None]:
        with self._changed:
            self._bulk_waiting += 1
            try:
                self._wait(lambda: self._free and self._bulk_may_run())
            finally:
                self._bulk_waiting -= 1
            self._queries_in_a_row = 0
            self._free -= 1
        yield from self._hold()

    def _wait(self, until: Callable[[], object]) -> None:
        try:
            self._changed.wait_for(until)
        except BaseException:
            # The interrupted thread leaves the queue, and others may have waited only for it.
            self._changed.notify_all()
            raise

    def _bulk_is_due(self) -> bool:
        return self._bulk_waiting > 0 and self._queries_in_a_row >= QUERIES_IN_A_ROW

    def _bulk_may_run(self) -> bool:
        return self._queries_waiting == 0 or self._bulk_is_due()

    def _hold(self) -> Iterator[None]:
        try:
            yield
        finally:
            with self._changed:
                self._free += 1
                self._changed.notify_all()
