"""Hears of new work from every process, over a connection that does nothing else."""

from __future__ import annotations

import threading
import time

import psycopg

from commonplace.storage.postgres.connections import Connection, connect, gate

_SLICE_SECONDS = 0.5


class WorkListener:
    """Hears what others NOTIFY. Whoever looks for work calls `listen` first, so that nothing
    goes unheard in between."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._lock = threading.Lock()
        self._connection: Connection | None = None
        self._closed = False

    def listen(self) -> bool:
        """Whether nobody had listened before."""
        with self._lock:
            first = self._connection is None
            self._open()
        return first

    def wait(self, seconds: float) -> bool:
        """Whether it rang; waits in slices, so that `close` need not wait for the whole time."""
        deadline = time.monotonic() + seconds
        while not self._closed:
            left = max(0.0, deadline - time.monotonic())
            with self._lock:
                if self._rang(min(left, _SLICE_SECONDS)):
                    return True
            if left <= _SLICE_SECONDS:
                return False
        return False

    def close(self) -> None:
        self._closed = True
        with self._lock:
            self._hang_up()

    def _rang(self, seconds: float) -> bool:
        connection = self._open()
        try:
            return any(True for _ in connection.notifies(timeout=seconds, stop_after=1))
        except psycopg.OperationalError:
            # Something may have been announced while nobody listened.
            self._hang_up()
            self._open()
            return True

    def _open(self) -> Connection:
        if self._connection is None:
            connection = connect(self._url)
            with gate():
                connection.execute("LISTEN commonplace_work")
            self._connection = connection
        return self._connection

    def _hang_up(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
