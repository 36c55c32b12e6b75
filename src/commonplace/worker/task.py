"""A piece of work in a thread of its own, so that more urgent work need not wait for it.

Decides nothing about the work: it can be asked to stop, and how it ended can be asked for.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

from commonplace.errors import CallCancelled
from commonplace.model.actor import Actor
from commonplace.model.call import Call
from commonplace.model.run import Target


class BackgroundTask:
    """A task in a background thread, begun at once; `problem` is what it raised, once it ended."""

    def __init__(self, actor: Actor, target: Target, work: Callable[[Call], None]) -> None:
        self.actor = actor
        self.target = target
        self.problem: Exception | None = None
        self._work = work
        self._stop = threading.Event()
        self._ended = threading.Event()
        threading.Thread(target=self._run, name="task", daemon=True).start()

    def ended(self, seconds: float) -> bool:
        """Whether it has, after waiting that long for it."""
        return self._ended.wait(seconds)

    def cancel(self) -> None:
        """The work notices when it next asks."""
        self._stop.set()

    def _check(self) -> None:
        if self._stop.is_set():
            raise CallCancelled

    def _run(self) -> None:
        try:
            self._work(Call(check=self._check))
        except Exception as error:  # noqa: BLE001 - whatever the work raises is told to who asks
            self.problem = error
        finally:
            self._ended.set()
