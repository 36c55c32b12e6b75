"""Turns for long texts: whoever sends many at once waits for himself, not everybody for him."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from commonplace.model.call import Call

_LONG = 20_000
_LOOK_UP_SECONDS = 0.1


class LongTexts:
    """One long text at a time in this process.

    To search a text holds the interpreter for as long as an expression runs over it. One thread
    that does so lets others in between; with forty of them each waits for all others, every time.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()

    @contextmanager
    def turn(self, text: str, call: Call) -> Iterator[None]:
        """A block that works on the text; waiting for it ends when the call does."""
        if len(text) <= _LONG:
            yield
            return
        while not self._lock.acquire(timeout=_LOOK_UP_SECONDS):
            call.check()
        try:
            yield
        finally:
            self._lock.release()
