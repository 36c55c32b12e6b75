"""The background threads of a server: worker, folder watcher, and preloading for the first call."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from commonplace.application import LazyApplication
from commonplace.errors import CommonplaceError, StorageUnavailable
from commonplace.server.lifecycle.garbage import freeze_objects
from commonplace.settings import Settings

STOPPING_SECONDS = 10.0
CLIENT = "warm-up"
_LOG = logging.getLogger("commonplace.server")

Loop = Callable[[threading.Event], None]


class BackgroundThreads:
    """Daemon threads that start after a delay and end when stopped."""

    def __init__(
        self,
        application: LazyApplication,
        settings: Settings,
        prepare: Callable[[], None],
        delay: float = 0.0,
    ) -> None:
        self._stop = threading.Event()
        loops: dict[str, Loop] = {}
        # Only with a worker, which unloads an idle model; a remote model needs no preloading.
        if settings.worker and not settings.embedding_url:
            loops["warm-up"] = lambda _stop: _warm(application, prepare)
        if settings.worker:
            loops["worker"] = lambda stop: application.get().new_worker().run(stop)
        if settings.watch:
            loops["watch"] = lambda stop: application.get().new_watch().run(stop)
        self._threads = {
            name: threading.Thread(target=self._run, args=(loop, delay), name=name, daemon=True)
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
        """Wait until the threads have ended; a batch in progress may delay them."""
        self._stop.set()
        for thread in self._threads.values():
            thread.join(STOPPING_SECONDS)

    def _run(self, loop: Loop, delay: float) -> None:
        if self._stop.wait(delay):
            return
        try:
            loop(self._stop)
        except StorageUnavailable:
            # The application was closed before this thread got it.
            if not self._stop.is_set():
                raise


def _warm(application: LazyApplication, prepare: Callable[[], None]) -> None:
    """Preload what a first search needs. Errors are only logged: the first call reports them."""
    from commonplace.safety.warnings import warnings_of

    try:
        built = application.get()
        built.retrieval.warm(built.local_actor(CLIENT))
        # A search also checks its hits for injection, logs its activity, and remembers its answer.
        warnings_of("warm")
        services = (built.activity, built.capture)
        # Last: a call that comes meanwhile imports only the surface that it needs, which is faster.
        prepare()
        freeze_objects()
        _LOG.debug("warmed up", extra={"services": [type(one).__name__ for one in services]})
    except CommonplaceError as error:
        _LOG.debug("not warmed up", extra={"code": error.code})
