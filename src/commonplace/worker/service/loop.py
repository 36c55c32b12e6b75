"""The worker loop: takes queued work from the store, org by org in turn."""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Sequence

from commonplace.embedding.port import ServingModel
from commonplace.errors import CommonplaceError, EmbeddingUnavailable
from commonplace.model.actor import upkeep_actor
from commonplace.model.chunk import Urgency
from commonplace.model.times import Clock
from commonplace.model.turns import Rotation
from commonplace.storage.port import DueWork, Store
from commonplace.storage.port.leases import Lease
from commonplace.worker.backoff import ModelBackoff
from commonplace.worker.keeper import ModelKeeper
from commonplace.worker.leases import STANDARD_LEASES, Leases
from commonplace.worker.retry import pause_seconds
from commonplace.worker.service.embedding import WaitingChunks
from commonplace.worker.service.housekeeping import Housekeeping
from commonplace.worker.service.tasks import BackgroundTasks, GiveUpHandlers, Handlers

_LOG = logging.getLogger("commonplace.worker")
_WORKER_LEASE = "worker"
_IDLE_SECONDS = 5.0
_LONGEST_PAUSE = 10.0
_STOP_NOTICED_SECONDS = 0.5
_TASK_POLL_SECONDS = 0.2
# What agents just wrote is embedded first, but must not starve the rest.
_FRESH_IN_A_ROW = 3


class Worker:
    """One worker per process. On a store that processes cannot share, only one of them works."""

    def __init__(
        self,
        store: Store,
        model: ServingModel,
        clock: Clock,
        handlers: Handlers,
        idle: float,
        leases: Leases = STANDARD_LEASES,
        keeper: ModelKeeper | None = None,
        give_up_handlers: GiveUpHandlers | None = None,
    ) -> None:
        self._store = store
        self._model = model
        self._idle = idle
        self._lease = Lease(store, _WORKER_LEASE, leases.worker)
        self._keeper = keeper
        self._adopted = keeper is None
        self._backoff = ModelBackoff(clock)
        self._chunks = WaitingChunks(store, model, leases.claim)
        self._housekeeping = Housekeeping(store, clock)
        self._tasks = BackgroundTasks(
            store,
            handlers,
            leases,
            self._backoff,
            self._housekeeping.changed,
            give_up_handlers or {},
        )
        self._embedding_turns, self._task_turns = Rotation[str](), Rotation[str]()
        self._fresh_in_a_row = 0
        self._last_use = time.monotonic()

    def run(self, stop: threading.Event) -> None:
        """Work until stopped, surviving all errors; waits while the database is unreachable."""
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
        """Release everything. If the database is unreachable, the leases will expire instead."""
        try:
            self.stop()
        except CommonplaceError as error:
            _log_pause(error)

    def stop(self) -> None:
        """Release the work so that another process can continue at once."""
        self._tasks.hand_over()
        self._chunks.give_back_interrupted()
        if self._keeper:
            self._keeper.stop()
        self._lease.drop()

    def drain(self, seconds: float) -> bool:
        """Do queued work for a limited time; True if nothing is left to do now."""
        deadline = time.monotonic() + seconds
        try:
            while time.monotonic() < deadline:
                if not self._step_of_queue():
                    return True
            return False
        finally:
            self.stop()

    def step(self) -> bool:
        """Do one small step of the most urgent work; False if this process has none to do."""
        if self._step_of_queue():
            return True
        return self._keeper is not None and self._keeper.step()

    def _step_of_queue(self) -> bool:
        """One step of queued work; a model change is not queued work."""
        self._adopt_model()
        if not self._model.serves() or not self._may_work():
            return False
        model = self._model.current().identity.key
        self._chunks.give_back_interrupted()
        self._housekeeping.reopen_other_models(model)
        if self._housekeeping.follow_clock():
            self._backoff.reset()
        self._tasks.poll(0.0)
        waiting = self._store.due_work()
        # Random order among orgs that were never served, so that their names give no advantage.
        random.shuffle(waiting)
        if self._embed_fresh(waiting) or self._start_task(waiting):
            return True
        # Posting a chunk takes a hundredth of the time of embedding it.
        if self._store.maintain_postings() or self._embed_any(waiting):
            return True
        if self._tasks.poll(_TASK_POLL_SECONDS):
            self._last_use = time.monotonic()
            return True
        if self._housekeeping.count_terms() or self._store.maintain_vectors(model):
            return True
        self._housekeeping.sweep()
        return False

    def _embed_fresh(self, waiting: Sequence[DueWork]) -> bool:
        """Embed what agents just wrote, unless that has gone first several times in a row."""
        fresh = [one.org for one in waiting if one.embeddings and one.urgency is Urgency.FRESH]
        if not fresh or self._fresh_in_a_row == _FRESH_IN_A_ROW or not self._backoff.may_retry:
            self._fresh_in_a_row = 0
            return False
        self._fresh_in_a_row += 1
        return self._embed_for(fresh, Urgency.FRESH)

    def _embed_any(self, waiting: Sequence[DueWork]) -> bool:
        """Embed bulk text, else fresh text.

        Skips the org whose folder is being read: its words should be findable first, which takes
        seconds, while its vectors take minutes.
        """
        reading = self._tasks.folder_read_for
        orgs = [one.org for one in waiting if one.embeddings and one.org != reading]
        if not orgs or not self._backoff.may_retry:
            return False
        return self._embed_for(orgs, Urgency.BULK, Urgency.FRESH)

    def _embed_for(self, orgs: Sequence[str], *order: Urgency) -> bool:
        org = self._embedding_turns.next(orgs)
        self._last_use = time.monotonic()
        for urgency in order:
            try:
                tried = self._chunks.embed(upkeep_actor(org), urgency)
            except EmbeddingUnavailable as error:
                self._backoff.failed(error)
                return True
            if tried is not None:
                self._backoff.succeeded()
                self._housekeeping.changed(org, tried.chunks)
                break
        return True

    def _start_task(self, waiting: Sequence[DueWork]) -> bool:
        orgs = [one.org for one in waiting if one.targets]
        if not orgs or self._tasks.under_way:
            return False
        self._last_use = time.monotonic()
        return self._tasks.start(self._task_turns.next(orgs))

    def _adopt_model(self) -> None:
        if self._keeper and not self._adopted:
            self._keeper.adopt()
            self._adopted = True

    def _may_work(self) -> bool:
        """Whether this process may work; if it lost the lease, it stops its task, as another one
        takes over."""
        if self._store.shared_by_processes or self._lease.take():
            return True
        self._tasks.hand_over()
        return False

    def _rest(self, stop: threading.Event) -> None:
        until = time.monotonic() + _IDLE_SECONDS
        while not stop.is_set() and time.monotonic() < until:
            if self._store.await_work(_STOP_NOTICED_SECONDS):
                break
        if time.monotonic() - self._last_use > self._idle:
            self._model.release()
            # Keep the model loaded: searches would otherwise have to load it again every few
            # seconds.
            self._last_use = time.monotonic()


def _log_pause(error: Exception) -> None:
    """Log a known error as one line, an unknown one with its traceback."""
    if isinstance(error, CommonplaceError):
        _LOG.warning("background work paused", extra={"code": error.code})
    else:
        _LOG.error("background work paused", exc_info=error)
