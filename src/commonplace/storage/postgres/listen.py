"""Receives notifications about new work from all processes, over a dedicated connection.

Behind a pooler no connection is dedicated; nothing is received then, and waiting means polling.
"""

from __future__ import annotations

import threading
import time

import psycopg

from commonplace.storage.postgres.connections import Connection, connect, is_pooled
from commonplace.storage.postgres.failures import gate

_SLICE_SECONDS = 0.5


class WorkListener:
    """Receives NOTIFY messages. Call `listen` before looking for work, so that none is missed."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._lock = threading.Lock()
        self._connection: Connection | None = None
        self._deaf = False
        self._closed = threading.Event()

    def listen(self) -> bool:
        """Start listening; True if notifications may have been missed so far."""
        with self._lock:
            unheard = self._connection is None
            self._open()
        return unheard

    def wait(self, seconds: float) -> bool:
        """Wait for a notification, in slices, so that `close` need not wait for the whole time."""
        if self._deaf:
            self._closed.wait(seconds)
            return False
        deadline = time.monotonic() + seconds
        while not self._closed.is_set():
            left = max(0.0, deadline - time.monotonic())
            with self._lock:
                if self._rang(min(left, _SLICE_SECONDS)):
                    return True
            if left <= _SLICE_SECONDS:
                return False
        return False

    def close(self) -> None:
        self._closed.set()
        with self._lock:
            self._hang_up()

    def _rang(self, seconds: float) -> bool:
        connection = self._open()
        if connection is None:
            return True
        try:
            return any(True for _ in connection.notifies(timeout=seconds, stop_after=1))
        except psycopg.OperationalError:
            # A notification may have been missed in between.
            self._hang_up()
            self._open()
            return True

    def _open(self) -> Connection | None:
        if self._connection is None and not self._deaf:
            connection = connect(self._url)
            if is_pooled(connection):
                self._deaf = True
                connection.close()
                return None
            with gate():
                connection.execute("LISTEN commonplace_work")
            self._connection = connection
        return self._connection

    def _hang_up(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
