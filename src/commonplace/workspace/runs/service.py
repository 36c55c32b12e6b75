"""Ingest runs: selects the resources, and reads them now or through the worker.

Knows nothing about files. A lease ensures that only one process reads a resource.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import Any

from commonplace.errors import (
    AttachmentNotFound,
    EmbeddingUnavailable,
    LeaseLost,
    ResourceNotFound,
    TargetRequired,
)
from commonplace.model.actor import Actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.chunk import Urgency
from commonplace.model.rights import Thing, Verb, Whose, permit
from commonplace.model.run import RunKind
from commonplace.model.workspace import Attached, IndexStatus, Resource
from commonplace.storage.port import Store, Transaction
from commonplace.storage.port.leases import Lease, hold_lease, wait_for_lease
from commonplace.worker.service.embedding import WaitingChunks
from commonplace.worker.service.housekeeping import recount_terms
from commonplace.workspace.history.service import FolderHistory
from commonplace.workspace.indexing.progress import Phases
from commonplace.workspace.indexing.service.indexer import FolderIndexer
from commonplace.workspace.projects.service import attached_in
from commonplace.workspace.runs.outcome import (
    Execution,
    Ingest,
    RunMode,
    RunRequest,
    TargetOutcome,
    TargetResult,
)

_LEASE_SECONDS = 10.0
_LOOK_SECONDS = 0.2
_PATIENCE_SECONDS = 30.0


class RunService:
    """Runs ingests. `budget` is how many seconds after its start an ingest may still embed."""

    def __init__(
        self,
        store: Store,
        chunks: WaitingChunks,
        indexer: FolderIndexer,
        history: FolderHistory,
        budget: float = inf,
    ) -> None:
        self._store = store
        self._chunks = chunks
        self._indexer = indexer
        self._history = history
        self._budget = budget

    def ingest(self, actor: Actor, asked: RunRequest, call: Call = PLAIN_CALL) -> Ingest:
        """Read the selected resources, or queue them for the worker."""
        permit(actor, Thing.FOLDER, Verb.REFRESH, Whose.SHARED)
        with self._store.read(actor) as tx:
            chosen = _chosen(tx, asked)
        if not chosen:
            raise TargetRequired
        targets = [one for one in chosen if asked.names or not one.resource.kind.is_written]
        if asked.execution is Execution.BACKGROUND:
            done = self._queue(actor, asked, targets)
        else:
            # Written entries are not read, but they are embedded along with the rest of the scope.
            waiting = list(dict.fromkeys(one.resource.key for one in chosen))
            done = self._inline(actor, asked, targets, waiting, call)
        keys = [one.resource.key for one in chosen]
        with self._store.read(actor) as tx:
            problems = tuple(tx.code_files.problems(keys))
        return replace(done, pending=self._unembedded(actor, keys), problems=problems)

    def process(self, actor: Actor, subject: Mapping[str, Any], call: Call = PLAIN_CALL) -> None:
        """Read a target for the worker; the outcome is stored as the resource's status."""
        with self._store.read(actor) as tx:
            resource = tx.resources.get(subject["resource"])
        if resource is None:
            return
        whole = subject["whole"] or resource.indexing.status is IndexStatus.INDEXING
        with wait_for_lease(self._store, _lease_name(resource), _LEASE_SECONDS, call) as lease:
            guarded = lease.guard(call)
            reading = self._indexer.refresh(
                actor, resource.id, guarded, anew=subject["anew"], whole=whole
            )
            if not reading.overtaken:
                self._history.update(actor, resource, guarded)

    def differs(self, actor: Actor, resource: Resource) -> bool:
        """Whether reading a folder would find changes, judged without opening any file."""
        return self._indexer.differs(actor, resource) or self._history.differs(actor, resource)

    def set_aside(self, actor: Actor, subject: Mapping[str, Any], reason: str) -> None:
        """Record why a resource will no longer be read."""
        with self._store.write(actor) as tx:
            resource = tx.resources.get(subject["resource"])
            if resource is not None:
                tx.resources.settle(resource, IndexStatus.FAILED, reason)

    def is_busy(self, resource: Resource) -> bool:
        """Whether a living process is reading it at the moment."""
        if resource.indexing.status is not IndexStatus.INDEXING:
            return False
        lease = Lease(self._store, _lease_name(resource), _LEASE_SECONDS)
        try:
            return not lease.take()
        finally:
            lease.drop()

    def _queue(self, actor: Actor, asked: RunRequest, chosen: Sequence[Attached]) -> Ingest:
        resources = {one.resource.key: one.resource for one in chosen}
        free = [resource for resource in resources.values() if not self.is_busy(resource)]
        with self._store.write(actor) as tx:
            run_id = enqueue(tx, free, anew=asked.mode is RunMode.REBUILD)
        queued = {resource.key for resource in free}
        outcomes = {
            key: TargetOutcome.QUEUED if key in queued else TargetOutcome.SKIPPED
            for key in resources
        }
        targets = (TargetResult(one, outcomes[one.resource.key]) for one in chosen)
        return Ingest(run_id, asked, tuple(targets))

    def _inline(
        self,
        actor: Actor,
        asked: RunRequest,
        chosen: Sequence[Attached],
        embedded: Sequence[int],
        call: Call,
    ) -> Ingest:
        with self._store.write(actor) as tx:
            run_id = tx.runs.start(RunKind.INGEST, []).id
        phases = Phases(call)
        until = inf if asked.patient else time.monotonic() + self._budget
        results: dict[int, TargetResult] = {}
        for one in chosen:
            if one.resource.key not in results:
                results[one.resource.key] = self._now(actor, asked, one, run_id, phases.next())
        if any(each.outcome is TargetOutcome.READY for each in results.values()):
            # The worker recounts terms only after its own work.
            recount_terms(self._store, actor)
        self._embed(actor, embedded, until, phases.next())
        phases.end("done")
        targets = (replace(results[one.resource.key], attached=one) for one in chosen)
        return Ingest(run_id, asked, tuple(targets))

    def _now(
        self, actor: Actor, asked: RunRequest, one: Attached, run_id: str, call: Call
    ) -> TargetResult:
        anew = asked.mode is RunMode.REBUILD
        whole = one.resource.indexing.status is not IndexStatus.READY
        try:
            with hold_lease(self._store, _lease_name(one.resource), _LEASE_SECONDS) as lease:
                if lease is None:
                    return TargetResult(one, TargetOutcome.SKIPPED)
                with self._store.write(actor) as tx:
                    tx.resources.queue([one.resource.key], run_id)
                guarded = lease.guard(call)
                phases = Phases(guarded)
                reading = self._indexer.refresh(
                    actor, one.resource.id, phases.next(), anew=anew, whole=whole
                )
                if not reading.overtaken:
                    self._history.update(actor, one.resource, phases.next())
        except LeaseLost:
            # Another process is reading it, which serves this caller as well.
            return TargetResult(one, TargetOutcome.SKIPPED)
        if reading.error is not None:
            return TargetResult(one, TargetOutcome.FAILED, reading)
        done = not reading.overtaken and (anew or whole or reading.changed)
        return TargetResult(one, TargetOutcome.READY if done else TargetOutcome.SKIPPED, reading)

    def _embed(self, actor: Actor, resources: Sequence[int], until: float, call: Call) -> None:
        """Embed until all chunks of the resources have vectors, together with other processes.

        Stops at the time limit, or if the model is unavailable; the worker does the rest.
        """
        first = waiting = self._unembedded(actor, resources)
        moved = time.monotonic()
        while waiting and time.monotonic() < min(until, moved + _PATIENCE_SECONDS):
            call.check()
            call.progress(first - waiting, first, f"{first - waiting} of {first} chunks embedded")
            if not self._embed_some(actor):
                return
            left = self._unembedded(actor, resources)
            if left == waiting:
                time.sleep(_LOOK_SECONDS)
            else:
                moved = time.monotonic()
            waiting = left

    def _unembedded(self, actor: Actor, resources: Sequence[int]) -> int:
        with self._store.read(actor) as tx:
            return sum(each.unembedded for each in tx.resources.counts(resources).values())

    def _embed_some(self, actor: Actor) -> bool:
        """Embed one batch; False if the model is unavailable."""
        try:
            tried = self._chunks.embed(actor, Urgency.BULK)
            tried = tried or self._chunks.embed(actor, Urgency.FRESH)
        except EmbeddingUnavailable:
            return False
        return tried is None or not tried.refused


def _lease_name(resource: Resource) -> str:
    """The name of the lease for reading a resource."""
    return f"resource:{resource.key}"


def enqueue(tx: Transaction, resources: Sequence[Resource], *, anew: bool = False) -> str:
    """Queue resources for the worker; returns the id of the run."""
    subjects = [
        {
            "resource": resource.id,
            "anew": anew,
            "whole": resource.indexing.status is not IndexStatus.READY,
        }
        for resource in resources
    ]
    run = tx.runs.start(RunKind.INGEST, subjects)
    tx.resources.queue([resource.key for resource in resources], run.id)
    return run.id


def _chosen(tx: Transaction, asked: RunRequest) -> list[Attached]:
    if asked.attachment_ids is not None:
        return [_attachment(tx, id) for id in dict.fromkeys(asked.attachment_ids)]
    if asked.resource_ids is not None:
        return [_resource(tx, id) for id in dict.fromkeys(asked.resource_ids)]
    attached = attached_in(tx, asked.scope).attached
    return [one for one in attached if one.attachment.enabled]


def _attachment(tx: Transaction, id: str) -> Attached:
    attached = tx.attachments.get(id)
    if attached is None:
        raise AttachmentNotFound(f"There is no attachment {id}.")
    return attached


def _resource(tx: Transaction, id: str) -> Attached:
    resource = tx.resources.get(id)
    attachments = tx.attachments.of_resource(resource.key) if resource else []
    if resource is None or not attachments:
        raise ResourceNotFound(f"There is no resource {id}.")
    return Attached(attachments[0], resource)
