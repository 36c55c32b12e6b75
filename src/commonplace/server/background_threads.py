"""What runs beside a server in its process: the worker, and the watch over attached folders."""

from __future__ import annotations

import threading
from collections.abc import Callable

from commonplace.application import LazyApplication
from commonplace.settings import Settings

STOPPING_SECONDS = 10.0

Loop = Callable[[threading.Event], None]


class BackgroundThreads:
    """Threads that begin after so many seconds, and end when they are told to."""

    def __init__(
        self, application: LazyApplication, settings: Settings, after: float = 0.0
    ) -> None:
        self._stop = threading.Event()
        loops: dict[str, Loop] = {}
        if settings.worker:
            loops["worker"] = lambda stop: application.get().new_worker().run(stop)
        if settings.watch:
            loops["watch"] = lambda stop: application.get().new_watch().run(stop)
        self._threads = {
            name: threading.Thread(target=self._run, args=(loop, after), name=name, daemon=True)
            for name, loop in loops.items()
        }

    @property
    def worker(self) -> threading.Thread | None:
        return self._threads.get("worker")

    def start(self) -> None:
        for thread in self._threads.values():
            thread.start()

    def stop(self) -> None:
        """Waits until they have ended, which a batch under way may take a while to let them."""
        self._stop.set()
        for thread in self._threads.values():
            thread.join(STOPPING_SECONDS)

    def _run(self, loop: Loop, after: float) -> None:
        if not self._stop.wait(after):
            loop(self._stop)
