"""A task in its own thread, so that more urgent work need not wait for it.

Knows nothing about the work except how to stop it and how it ended.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from commonplace.errors import CallCancelled
from commonplace.model.actor import Actor
from commonplace.model.call import Call
from commonplace.model.run import Target


class BackgroundTask:
    """A task in a background thread, started at once; `problem` is the exception that ended it."""

    def __init__(self, actor: Actor, target: Target, work: Callable[[Call], None]) -> None:
        self.actor = actor
        self.target = target
        self.problem: Exception | None = None
        self._work = work
        self._stop = threading.Event()
        self._ended = threading.Event()
        threading.Thread(target=self._run, name="task", daemon=True).start()

    def ended(self, seconds: float) -> bool:
        """Wait up to that long; returns whether the task has ended."""
        return self._ended.wait(seconds)

    def cancel(self) -> None:
        """Ask the task to stop; it does so at its next check."""
        self._stop.set()

    def _check(self) -> None:
        if self._stop.is_set():
            raise CallCancelled

    def _run(self) -> None:
        try:
            self._work(Call(check=self._check))
        except Exception as error:  # noqa: BLE001 - whoever asks gets whatever the work raised
            self.problem = error
        finally:
            self._ended.set()
