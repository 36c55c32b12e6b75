"""A pool of identical child processes, kept slightly ahead of the consumer of their answers."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial
from itertools import islice
from typing import Any

from commonplace.errors import CallCancelled
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.reading.port import ChildProcess, Item, Result

_AHEAD = 8
_LOOK_SECONDS = 0.2


class PooledProcesses:
    """Implements port.ProcessPool."""

    def __init__(self, processes: Sequence[ChildProcess]) -> None:
        self._processes = processes
        # The one that was asked last comes first: an edited file does not start a second process.
        self._idle: queue.LifoQueue[ChildProcess] = queue.LifoQueue()
        for process in processes:
            self._idle.put(process)

    def ask(
        self, question: Mapping[str, Any], data: bytes, call: Call = PLAIN_CALL
    ) -> dict[str, Any]:
        process = self._idle.get()
        try:
            return process.ask(question, data, call)
        finally:
            self._idle.put(process)

    def ahead(
        self, work: Callable[[Item, Call], Result], items: Iterable[Item], call: Call
    ) -> Iterator[Result]:
        stop = threading.Event()
        # A call may only be used in its own thread, so the other threads are signalled.
        inner = Call(check=partial(_stop_if, stop))
        waiting: list[Future[Result]] = []
        rest, width = iter(items), len(self._processes)
        with ThreadPoolExecutor(width, "pool") as pool:
            try:
                while True:
                    room = width + _AHEAD - len(waiting)
                    waiting += [pool.submit(work, item, inner) for item in islice(rest, room)]
                    if not waiting:
                        return
                    yield _awaited(waiting.pop(0), call)
            finally:
                stop.set()
                for future in waiting:
                    future.cancel()

    def close(self) -> None:
        for process in self._processes:
            process.close()


def _stop_if(stop: threading.Event) -> None:
    if stop.is_set():
        raise CallCancelled


def _awaited(future: Future[Result], call: Call) -> Result:
    call.check()
    while not wait((future,), _LOOK_SECONDS).done:
        call.check()
    return future.result()
