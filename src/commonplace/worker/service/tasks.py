"""Runs one queued target at a time in a thread: claims it, renews the claim, records the
outcome."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any

from commonplace.errors import CallCancelled, CallStopped, CommonplaceError, EmbeddingUnavailable
from commonplace.model.actor import Actor, upkeep_actor
from commonplace.model.call import Call
from commonplace.model.run import RunKind, Target
from commonplace.storage.port import Store
from commonplace.worker.backoff import ModelBackoff
from commonplace.worker.leases import Leases
from commonplace.worker.retry import SET_ASIDE, keeps_crashing, next_attempt
from commonplace.worker.task import BackgroundTask

_LOG = logging.getLogger("commonplace.worker")
_SHORT_SECONDS = 0.05
_STOPPING_SECONDS = 5.0

Handlers = Mapping[RunKind, Callable[[Actor, Mapping[str, Any], Call], None]]
# Called with the reason when the work on a subject is given up.
GiveUpHandlers = Mapping[RunKind, Callable[[Actor, Mapping[str, Any], str], None]]


class BackgroundTasks:
    """Runs targets in the background; `finished` is called with the org of each finished one."""

    def __init__(
        self,
        store: Store,
        handlers: Handlers,
        leases: Leases,
        backoff: ModelBackoff,
        finished: Callable[[str], None],
        give_up_handlers: GiveUpHandlers,
    ) -> None:
        self._store = store
        self._handlers = handlers
        self._leases = leases
        self._backoff = backoff
        self._finished = finished
        self._give_up_handlers = give_up_handlers
        self._task: BackgroundTask | None = None
        self._held_until = 0.0

    @property
    def under_way(self) -> bool:
        return self._task is not None

    @property
    def folder_read_for(self) -> str | None:
        """The org whose folder is being read, if any."""
        task = self._task
        reads = task is not None and task.target.kind is RunKind.INGEST
        return task.actor.org if task and reads else None

    def start(self, org: str) -> bool:
        """Claim a target and start it; returns after a moment, in which short ones have
        finished."""
        actor = upkeep_actor(org)
        with self._store.write(actor) as tx:
            target = tx.runs.claim(tx.now + timedelta(seconds=self._leases.worker))
        if target is None:
            return False
        if keeps_crashing(target.attempts - 1, target.error):
            self._set_aside(actor, target)
            return True
        self._held_until = time.monotonic() + self._leases.renew
        handler = self._handlers[target.kind]
        self._task = BackgroundTask(
            actor, target, lambda call: handler(actor, target.subject, call)
        )
        return self.poll(_SHORT_SECONDS)

    def _set_aside(self, actor: Actor, target: Target) -> None:
        """Give up a target that crashed its workers repeatedly, so that the queue can go on."""
        _LOG.error("work was set aside", extra={"run": target.run_id, "attempts": target.attempts})
        if give_up := self._give_up_handlers.get(target.kind):
            give_up(actor, target.subject, SET_ASIDE)
        with self._store.write(actor) as tx:
            tx.runs.record_failure(target, None, SET_ASIDE)

    def poll(self, seconds: float) -> bool:
        """Record how the task ended, or renew its claim; False if there is no task."""
        task = self._task
        if task is None:
            return False
        if task.ended(seconds):
            self._task = None
            self._settle(task)
        elif time.monotonic() >= self._held_until:
            with self._store.write(task.actor) as tx:
                tx.runs.hold(task.target, tx.now + timedelta(seconds=self._leases.worker))
            self._held_until = time.monotonic() + self._leases.renew
        return True

    def hand_over(self) -> None:
        """Stop the task and return its target, for another process to start over."""
        task, self._task = self._task, None
        if task is None:
            return
        task.cancel()
        if not task.ended(_STOPPING_SECONDS):
            task.problem = CallCancelled()
        self._settle(task)

    def _settle(self, task: BackgroundTask) -> None:
        target, problem = task.target, task.problem
        if isinstance(problem, EmbeddingUnavailable):
            self._backoff.failed(problem)
        with self._store.write(task.actor) as tx:
            if problem is None:
                tx.runs.finish(target)
            elif isinstance(problem, EmbeddingUnavailable):
                tx.runs.give_back(target, self._backoff.due)
            elif isinstance(problem, CallStopped):
                tx.runs.give_back(target, tx.now)
            else:
                due = next_attempt(tx.now, target.attempts - 1)
                tx.runs.record_failure(target, due, _public_message(target, problem))
        if problem is None:
            self._finished(task.actor.org)


def _public_message(target: Target, problem: Exception) -> str:
    """The error message that may be shown to clients."""
    if isinstance(problem, CommonplaceError):
        return problem.message
    _LOG.error("background work failed", exc_info=problem, extra={"run": target.run_id})
    return "An unexpected error; the worker's log has the details."
