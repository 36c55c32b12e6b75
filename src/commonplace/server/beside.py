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
) -> Iterator[None]:
    """Begins after so many seconds, and has stopped when this ends."""
    stop = threading.Event()
    loops: list[tuple[str, Loop]] = []
    if settings.worker:
        loops.append(("worker", lambda stop: application.get().new_worker().run(stop)))
    if settings.watch:
        loops.append(("watch", lambda stop: application.get().new_watch().run(stop)))
    threads = [
        threading.Thread(target=_run, args=(loop, stop, after), name=name, daemon=True)
        for name, loop in loops
    ]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join(_STOPPING_SECONDS)


def _run(loop: Loop, stop: threading.Event, after: float) -> None:
    if not stop.wait(after):
        loop(stop)
