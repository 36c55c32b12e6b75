"""What runs beside a server in its process: the worker, and the watch over attached folders."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from commonplace.application import LazyApplication
from commonplace.settings import Settings

_STOPPING_SECONDS = 10.0

Loop = Callable[[threading.Event], None]


@contextmanager
def working_beside(
    application: LazyApplication, settings: Settings, after: float = 0.0
) -> Iterator[threading.Thread | None]:
    """Begins after so many seconds, and has stopped when this ends; the thread of the worker."""
    stop = threading.Event()
    loops: dict[str, Loop] = {}
    if settings.worker:
        loops["worker"] = lambda stop: application.get().new_worker().run(stop)
    if settings.watch:
        loops["watch"] = lambda stop: application.get().new_watch().run(stop)
    threads = {
        name: threading.Thread(target=_run, args=(loop, stop, after), name=name, daemon=True)
        for name, loop in loops.items()
    }
    for thread in threads.values():
        thread.start()
    try:
        yield threads.get("worker")
    finally:
        stop.set()
        for thread in threads.values():
            thread.join(_STOPPING_SECONDS)


def _run(loop: Loop, stop: threading.Event, after: float) -> None:
    if not stop.wait(after):
        loop(stop)
