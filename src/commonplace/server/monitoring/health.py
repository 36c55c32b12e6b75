"""Readiness of this process: the database answers and the worker runs."""

from __future__ import annotations

import logging
import threading

from commonplace.application import LazyApplication
from commonplace.errors import CommonplaceError, StorageError
from commonplace.operations.status.service import Vitals

_LOG = logging.getLogger("commonplace.server")


class HealthChecks:
    """Checks the database, and the worker thread if this process has one."""

    def __init__(self, application: LazyApplication) -> None:
        self._application = application
        self._worker: threading.Thread | None = None

    def watch(self, worker: threading.Thread | None) -> None:
        self._worker = worker

    def problem(self) -> str | None:
        """The code of a problem; None if there is none."""
        try:
            self._application.get().status.health()
        except CommonplaceError as error:
            return error.code
        if self._worker is not None and not self._worker.is_alive():
            return "worker.stopped"
        return None

    def vitals(self) -> Vitals | None:
        try:
            return self._application.get().status.vitals()
        except StorageError as error:
            _LOG.warning("no vitals", extra={"code": error.code})
            return None
