"""The worker: takes what waits in the store, most urgent first, and never loses any of it."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any
from uuid import uuid4

from commonplace.embedding.port import Embedder, Pinning, embed_in_parts, pinned
from commonplace.errors import (
    CallCancelled,
    CallStopped,
    CommonplaceError,
    EmbeddingError,
    EmbeddingUnavailable,
    StorageUnavailable,
)
from commonplace.model.actor import Actor, upkeep_actor
from commonplace.model.call import Call
from commonplace.model.chunk import PendingChunk, Urgency
from commonplace.model.moment import Clock
from commonplace.model.run import RunKind, Target
from commonplace.retrieval.statistics import SAMPLE_SIZE, count_terms
from commonplace.storage.port import CorpusStatistics, Store
from commonplace.worker.clock import LONGEST_WAIT, latest_plan, set_back
from commonplace.worker.errand import Errand
from commonplace.worker.keeper import ModelKeeper
from commonplace.worker.leases import STANDARD_LEASES, Leases
from commonplace.worker.retry import next_attempt, pause_seconds

_LOG = logging.getLogger("commonplace.worker")
_CLAIM = 16
_WORKER_LEASE = "worker"
_IDLE_SECONDS = 5.0
_LONGEST_PAUSE = 10.0
_STOP_NOTICED_SECONDS = 0.5
_REOPEN_BATCH = 500
_RECOUNT_AFTER = 500
_SWEEP_LEASE = "sweep"
_SWEEP_EVERY = timedelta(hours=6)
_SWEEP_BATCH = 500
_UNUSED_FOR = timedelta(days=1)

_SHORT_ERRAND_SECONDS = 0.05
_ERRAND_LOOK_SECONDS = 0.2
_STOPPING_SECONDS = 5.0

Handlers = Mapping[RunKind, Callable[[Actor, Mapping[str, Any], Call], None]]


class Worker:
    """One per process; on a store that processes cannot share, one at a time does work."""

    def __init__(
        self,
        store: Store,
        embedder: Embedder,
        clock: Clock,
        handlers: Handlers,
        idle: float,
        leases: Leases = STANDARD_LEASES,
        keeper: ModelKeeper | None = None,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._clock = clock
        self._handlers = handlers
        self._idle = idle
        self._leases = leases
        self._holder = uuid4().hex
        self._lease_until = 0.0
        self._last_use = time.monotonic()
        self._provider_failures = 0
        self._provider_due = self._last_look = self._sweep_due = clock()
        self._uncounted: dict[str, int] = {}
        self._keeper = keeper
        self._adopted = keeper is None
        self._model_checked = ""
        self._plans_checked = False
        self._errand: Errand | None = None
        self._interrupted: tuple[Actor, Sequence[PendingChunk]] | None = None
        self._held_until = 0.0

    def run(self, stop: threading.Event) -> None:
        """Work until told to stop, whatever goes wrong; a database that is away is waited for."""
        failures = 0
        while not stop.is_set():
            try:
                if not self.step():
                    self._rest(stop)
                failures = 0
            except Exception as error:  # noqa: BLE001 - a worker that dies helps nobody
                failures += 1
                _log_pause(error)
                stop.wait(min(_LONGEST_PAUSE, pause_seconds(failures)))
        self._leave()

    def _leave(self) -> None:
        """A database that is away when the worker ends is left to the leases, which run out."""
        try:
            self.stop()
        except CommonplaceError as error:
            _log_pause(error)

    def stop(self) -> None:
        """Let another process take over at once."""
        self._give_up_errand()
        self._give_back_interrupted()
        if self._keeper:
            self._keeper.stop()
        if self._lease_until:
            self._store.drop_lease(_WORKER_LEASE, self._holder)
            self._lease_until = 0.0

    def drain(self, seconds: float) -> bool:
        """Do what waits, for a limited time; True when nothing is left to do now."""
        deadline = time.monotonic() + seconds
        try:
            while time.monotonic() < deadline:
                if not self._step_of_queue():
                    return True
            return False
        finally:
            self.stop()

    def step(self) -> bool:
        """One small piece of the most urgent work; False when there is none for this process."""
        if self._step_of_queue():
            return True
        return self._keeper is not None and self._keeper.step()

    def _step_of_queue(self) -> bool:
        """One step of what somebody waits for; a change of model is nobody's errand."""
        self._adopt_model()
        if not self._serves() or not self._may_work():
            return False
        self._give_back_interrupted()
        self._reopen_other_models()
        self._follow_clock()
        self._tend_errand(0.0)
        for waiting in self._store.waiting():
            may_embed = waiting.embeddings and self._clock() >= self._provider_due
            if may_embed and waiting.urgency is Urgency.FRESH:
                return self._embed_some(waiting.org, waiting.urgency)
            if waiting.targets and self._errand is None and self._start_errand(waiting.org):
                return True
            if may_embed and not self._reads_a_folder():
                return self._embed_some(waiting.org, waiting.urgency)
        if self._tend_errand(_ERRAND_LOOK_SECONDS):
            return True
        model = self._embedder.identity.key
        return self._count_terms() or self._store.tend(model) or self._sweep()

    def _reads_a_folder(self) -> bool:
        """Its words are to be found first: they take seconds, and its vectors minutes."""
        return self._errand is not None and self._errand.target.kind is RunKind.INGEST

    def _sweep(self) -> bool:
        """Bytes go that were sent for a push which never ended; the lease says that it was done."""
        if self._clock() < self._sweep_due:
            return False
        self._sweep_due = self._clock() + _SWEEP_EVERY
        if self._store.take_lease(_SWEEP_LEASE, self._holder, _SWEEP_EVERY.total_seconds()):
            for org in self._store.orgs():
                swept = _SWEEP_BATCH
                while swept == _SWEEP_BATCH:
                    with self._store.write(upkeep_actor(org)) as tx:
                        swept = tx.blobs.sweep(tx.now - _UNUSED_FOR, _SWEEP_BATCH)
        return False

    def _adopt_model(self) -> None:
        if self._keeper and not self._adopted:
            self._keeper.adopt()
            self._adopted = True

    def _serves(self) -> bool:
        """Whether what this process would embed is what searches use; else others work."""
        return not isinstance(self._embedder, Pinning) or self._embedder.serves()

    def _may_work(self) -> bool:
        if self._store.shared_by_processes:
            return True
        now = time.monotonic()
        if now < self._lease_until - self._leases.worker + self._leases.renew:
            return True
        taken = self._store.take_lease(_WORKER_LEASE, self._holder, self._leases.worker)
        self._lease_until = now + self._leases.worker if taken else 0.0
        return taken

    def _rest(self, stop: threading.Event) -> None:
        until = time.monotonic() + _IDLE_SECONDS
        while not stop.is_set() and time.monotonic() < until:
            if self._store.await_work(_STOP_NOTICED_SECONDS):
                break
        if time.monotonic() - self._last_use > self._idle:
            self._embedder.release()
            # Searches may load the model again; they must not lose it every few seconds.
            self._last_use = time.monotonic()

    def _reopen_other_models(self) -> None:
        """Reopens, once for each model that serves, what another one embedded."""
        model = self._embedder.identity.key
        if self._model_checked == model:
            return
        for org in self._store.orgs():
            reopened = _REOPEN_BATCH
            while reopened == _REOPEN_BATCH:
                with self._store.write(upkeep_actor(org)) as tx:
                    reopened = tx.vectors.reopen(model, _REOPEN_BATCH)
        self._model_checked = model

    def _follow_clock(self) -> None:
        """Brings due times forward, once per process and whenever the clock was set back."""
        before, self._last_look = self._last_look, self._clock()
        if set_back(before, self._last_look):
            self._plans_checked = False
            self._provider_due = self._last_look
        if self._plans_checked:
            return
        for org in self._store.orgs():
            with self._store.write(upkeep_actor(org)) as tx:
                tx.vectors.bring_forward(latest_plan(tx.now))
                tx.runs.bring_forward(latest_plan(tx.now))
        self._plans_checked = True

    def _embed_some(self, org: str, urgency: Urgency) -> bool:
        actor = upkeep_actor(org)
        with self._store.write(actor) as tx:
            lease_until = tx.now + timedelta(seconds=self._leases.claim)
            claimed = tx.vectors.claim(urgency, _CLAIM, lease_until)
        self._last_use = time.monotonic()
        try:
            self._embed(actor, claimed)
        except EmbeddingUnavailable as error:
            self._postpone(actor, claimed, error)
            return True
        except StorageUnavailable:
            self._interrupted = actor, claimed
            raise
        self._provider_failures = 0
        self._uncounted[org] = self._uncounted.get(org, 0) + len(claimed)
        if self._uncounted[org] >= _RECOUNT_AFTER:
            self._count_terms_of(org)
        return True

    def _embed(self, actor: Actor, chunks: Sequence[PendingChunk]) -> None:
        """All together; where the model refuses something, one by one to find it."""
        if not chunks:
            return
        embedder = pinned(self._embedder)
        try:
            windows = embed_in_parts(embedder, [(c.context, c.text) for c in chunks])
        except EmbeddingUnavailable:
            raise
        except EmbeddingError as error:
            if len(chunks) == 1:
                self._record_failure(actor, chunks[0], error)
                return
            for chunk in chunks:
                self._embed(actor, [chunk])
            return
        model = embedder.identity.key
        with self._store.write(actor) as tx:
            for chunk, vectors in zip(chunks, windows, strict=True):
                tx.vectors.put(model, chunk, vectors)

    def _give_back_interrupted(self) -> None:
        """What was claimed when the database went away need not wait for the claim to run out."""
        if self._interrupted is None:
            return
        actor, chunks = self._interrupted
        with self._store.write(actor) as tx:
            tx.vectors.postpone([chunk.key for chunk in chunks], tx.now)
        self._interrupted = None

    def _record_failure(self, actor: Actor, chunk: PendingChunk, error: EmbeddingError) -> None:
        with self._store.write(actor) as tx:
            due = next_attempt(tx.now, chunk.attempts)
            tx.vectors.record_failure(chunk, due, error.message)
        _LOG.warning("embedding refused", extra={"chunk": chunk.key, "final": due is None})

    def _postpone(
        self, actor: Actor, chunks: Sequence[PendingChunk], error: EmbeddingUnavailable
    ) -> None:
        """Nothing is wrong with the texts, so nothing is counted against them; others wait too."""
        self._hold_back(error)
        with self._store.write(actor) as tx:
            tx.vectors.postpone([chunk.key for chunk in chunks], self._provider_due)

    def _hold_back(self, error: EmbeddingUnavailable) -> None:
        self._provider_failures += 1
        pause = error.retry_after or pause_seconds(self._provider_failures)
        pause = min(pause, LONGEST_WAIT.total_seconds())
        self._provider_due = self._clock() + timedelta(seconds=pause)
        _LOG.warning("embedding postponed", extra={"seconds": pause, "reason": error.message})

    def _start_errand(self, org: str) -> bool:
        """Claim a piece of a run and begin it; short ones have ended when this returns."""
        actor = upkeep_actor(org)
        with self._store.write(actor) as tx:
            target = tx.runs.claim(tx.now + timedelta(seconds=self._leases.worker))
        if target is None:
            return False
        self._last_use = time.monotonic()
        self._held_until = time.monotonic() + self._leases.renew
        handler = self._handlers[target.kind]
        self._errand = Errand(actor, target, lambda call: handler(actor, target.subject, call))
        return self._tend_errand(_SHORT_ERRAND_SECONDS)

    def _tend_errand(self, seconds: float) -> bool:
        """Record how the errand ended, or keep its lease; False when there is none."""
        errand = self._errand
        if errand is None:
            return False
        self._last_use = time.monotonic()
        if errand.ended(seconds):
            self._errand = None
            self._settle(errand)
        elif time.monotonic() >= self._held_until:
            with self._store.write(errand.actor) as tx:
                tx.runs.hold(errand.target, tx.now + timedelta(seconds=self._leases.worker))
            self._held_until = time.monotonic() + self._leases.renew
        return True

    def _settle(self, errand: Errand) -> None:
        target, problem = errand.target, errand.problem
        if isinstance(problem, EmbeddingUnavailable):
            self._hold_back(problem)
        with self._store.write(errand.actor) as tx:
            if problem is None:
                tx.runs.finish(target)
                self._uncounted.setdefault(errand.actor.org, 0)
            elif isinstance(problem, EmbeddingUnavailable):
                tx.runs.hold(target, self._provider_due)
            elif isinstance(problem, CallStopped):
                tx.runs.hold(target, tx.now)
            else:
                due = next_attempt(tx.now, target.attempts)
                tx.runs.record_failure(target, due, _shown(target, problem))

    def _give_up_errand(self) -> None:
        """Stop it, and let another process begin it anew."""
        errand, self._errand = self._errand, None
        if errand is None:
            return
        errand.cancel()
        if not errand.ended(_STOPPING_SECONDS):
            errand.problem = CallCancelled()
        self._settle(errand)

    def _count_terms(self) -> bool:
        for org in list(self._uncounted):
            self._count_terms_of(org)
            return True
        return False

    def _count_terms_of(self, org: str) -> None:
        self._uncounted.pop(org, None)
        recount_terms(self._store, upkeep_actor(org))


def recount_terms(store: Store, actor: Actor) -> None:
    """How frequent terms are in the org now; what scoring weighs them by."""
    with store.read(actor) as tx:
        counted = count_terms(tx.chunks.sample(SAMPLE_SIZE))
        whole = counted.sampled < SAMPLE_SIZE
        total = counted.sampled if whole else tx.chunks.counts().total
    with store.write(actor) as tx:
        tx.statistics.save(
            CorpusStatistics(
                total, counted.sampled, counted.average_length, counted.frequencies, tx.now
            )
        )


def _shown(target: Target, problem: Exception) -> str:
    """What went wrong, in words that may be shown."""
    if isinstance(problem, CommonplaceError):
        return problem.message
    _LOG.error("background work failed", exc_info=problem, extra={"run": target.run_id})
    return "An unexpected error; the log of the worker has the details."


def _log_pause(error: Exception) -> None:
    """What we know about needs a line, what we do not know about its trace."""
    if isinstance(error, CommonplaceError):
        _LOG.warning("background work paused", extra={"code": error.code})
    else:
        _LOG.error("background work paused", exc_info=error)
