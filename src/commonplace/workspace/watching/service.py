"""Watches ingested folders, and queues them for the worker when they change.

A lease ensures that one process watches a folder. A periodic sweep finds what no event reported.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from commonplace.errors import CommonplaceError
from commonplace.model.actor import Actor, upkeep_actor
from commonplace.model.workspace import IndexStatus, Resource, ResourceKind
from commonplace.reading.port import Watcher
from commonplace.storage.port import Store
from commonplace.storage.port.leases import Lease
from commonplace.worker.retry import SET_ASIDE
from commonplace.workspace.projects.policy import path_of
from commonplace.workspace.runs.service import RunService, enqueue

_LOG = logging.getLogger("commonplace.workspace.watching")


@dataclass(frozen=True, slots=True)
class Pace:
    """Intervals in seconds: between checks of the attachments, between sweeps, and after an error.

    The lease is long enough to survive a slow check.
    """

    look: float = 10.0
    sweep: float = 300.0
    rest: float = 30.0
    lease: float = 30.0


STANDARD_PACE = Pace()


@dataclass(frozen=True, slots=True)
class _Followed:
    actor: Actor
    resource: Resource


class FolderWatch:
    """The folder watch, one per process; it costs little until there is something to watch."""

    def __init__(
        self,
        store: Store,
        watcher: Watcher,
        runs: RunService,
        pace: Pace = STANDARD_PACE,
    ) -> None:
        self._store = store
        self._watcher = watcher
        self._runs = runs
        self._pace = pace
        self._leases: dict[int, Lease] = {}
        self._followed: dict[str, list[_Followed]] = {}
        self._unfinished: set[str] = set()
        self._swept = float("-inf")

    def run(self, stop: threading.Event) -> None:
        """Watch until stopped, surviving all errors; waits while the database is unreachable."""
        while not stop.is_set():
            try:
                self._follow(stop)
            except Exception as error:  # noqa: BLE001 - a watch that ends keeps nothing fresh
                _log_pause(error)
                stop.wait(self._pace.rest)
        self._let_go()

    def _follow(self, stop: threading.Event) -> None:
        """Watch until the set of folders changes."""
        self._followed = self._take()
        if not self._followed:
            stop.wait(self._pace.look)
            return
        self._sweep()
        looked = time.monotonic()
        try:
            for roots in self._watcher.changed(list(self._followed), stop):
                self._refresh(roots | self._unfinished)
                if time.monotonic() - looked < self._pace.look:
                    continue
                looked = time.monotonic()
                if _keys(self._take()) != _keys(self._followed):
                    return
                if time.monotonic() - self._swept > self._pace.sweep:
                    self._sweep()
        except OSError as error:
            # The operating system's limit for watches is exceeded; sweeps cover the folders
            # instead.
            _LOG.warning("folders cannot be watched", extra={"reason": error.strerror})
            stop.wait(self._pace.sweep)

    def _take(self) -> dict[str, list[_Followed]]:
        """The folders that no other process watches, by path."""
        taken: dict[str, list[_Followed]] = {}
        for org in self._store.orgs():
            actor = upkeep_actor(org)
            with self._store.read(actor) as tx:
                attached = tx.attachments.all()
            ingested = {
                one.resource.key: one.resource
                for one in attached
                if one.attachment.enabled and _is_followed(one.resource)
            }
            held = [each for each in ingested.values() if self._holds(each)]
            if held:
                with self._store.write(actor) as tx:
                    until = tx.now + timedelta(seconds=self._pace.lease)
                    tx.resources.watch([resource.key for resource in held], until)
            for resource in held:
                path = path_of(resource.locator)
                taken.setdefault(path, []).append(_Followed(actor, resource))
        return taken

    def _holds(self, resource: Resource) -> bool:
        name = f"watch:{resource.key}"
        lease = self._leases.setdefault(resource.key, Lease(self._store, name, self._pace.lease))
        return lease.take()

    def _sweep(self) -> None:
        self._refresh(set(self._followed))
        self._swept = time.monotonic()

    def _refresh(self, roots: set[str]) -> None:
        """Queue folders that differ; those being read right now are checked again later."""
        for root in sorted(roots & self._followed.keys()):
            self._unfinished.discard(root)
            for each in self._followed[root]:
                if not self._settled(each):
                    self._unfinished.add(root)

    def _settled(self, each: _Followed) -> bool:
        """Whether nothing remains to be done, except by the worker anyway."""
        with self._store.read(each.actor) as tx:
            resource = tx.resources.get(each.resource.id)
        if resource is None or resource.indexing.status is IndexStatus.STALE:
            return True
        if resource.indexing.error == SET_ASIDE:
            # It crashed the worker; only an explicit request may try again.
            return True
        if self._runs.is_busy(resource):
            return False
        broken_off = resource.indexing.status is IndexStatus.INDEXING
        if broken_off or self._runs.differs(each.actor, resource):
            with self._store.write(each.actor) as tx:
                enqueue(tx, [resource])
        return True

    def _let_go(self) -> None:
        """Release the folders, so that another process can watch them at once."""
        for followed in self._followed.values():
            for each in followed:
                self._leases[each.resource.key].drop()
                with self._store.write(each.actor) as tx:
                    tx.resources.watch([each.resource.key], tx.now)


def _keys(followed: Mapping[str, Sequence[_Followed]]) -> set[int]:
    return {each.resource.key for listed in followed.values() for each in listed}


def _is_followed(resource: Resource) -> bool:
    """Whether somebody asked for the folder to be read, even if that was interrupted."""
    asked_for = resource.indexing.indexed_at or resource.indexing.status is IndexStatus.INDEXING
    return resource.kind is ResourceKind.FOLDER and bool(asked_for)


def _log_pause(error: Exception) -> None:
    if isinstance(error, CommonplaceError):
        _LOG.warning("watching paused", extra={"code": error.code})
    else:
        _LOG.error("watching paused", exc_info=error)
