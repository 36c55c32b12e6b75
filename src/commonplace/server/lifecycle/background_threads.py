"""What runs beside a server in its process: the worker, the watch over folders, and first of all
what a first call would wait for."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from commonplace.application import LazyApplication
from commonplace.errors import CommonplaceError
from commonplace.server.lifecycle.garbage import keep_for_good
from commonplace.settings import Settings

STOPPING_SECONDS = 10.0
CLIENT = "warm-up"
_LOG = logging.getLogger("commonplace.server")

Loop = Callable[[threading.Event], None]


class BackgroundThreads:
    """Threads that begin after so many seconds, and end when they are told to."""

    def __init__(
        self,
        application: LazyApplication,
        settings: Settings,
        prepare: Callable[[], None],
        after: float = 0.0,
    ) -> None:
        self._stop = threading.Event()
        loops: dict[str, Loop] = {}
        # The worker puts a model away that nobody uses, and an endpoint is asked when it is needed.
        if settings.worker and not settings.embedding_url:
            loops["warm-up"] = lambda _stop: _warm(application, prepare)
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

    @property
    def names(self) -> frozenset[str]:
        return frozenset(self._threads)

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


def _warm(application: LazyApplication, prepare: Callable[[], None]) -> None:
    """Nobody waits for it: what is wrong is told to who calls first."""
    from commonplace.safety.warnings import warnings_of

    try:
        built = application.get()
        built.retrieval.warm(built.local_actor(CLIENT))
        # What is found is examined, noted and remembered.
        warnings_of("warm")
        made = (built.activity, built.capture)
        # Last: a first call imports what it needs of this by itself, and sooner than all of it.
        prepare()
        keep_for_good()
        _LOG.debug("warmed up", extra={"services": [type(one).__name__ for one in made]})
    except CommonplaceError as error:
        _LOG.debug("not warmed up", extra={"code": error.code})
