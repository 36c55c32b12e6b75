"""Records what agents ask and are given, and reports it to those who may audit.

A call only adds a line in memory. A thread writes the lines every few seconds, so that no answer
waits for it or fails because of it.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from commonplace.errors import NotFound, StorageError
from commonplace.model.activity import AskedQuestion, CallCount, Delivery, Outcome, QuestionDraft
from commonplace.model.actor import Actor
from commonplace.model.references import OF_ENTRIES, parse_reference
from commonplace.model.rights import Thing, Verb, Whose, permit
from commonplace.model.times import Clock
from commonplace.operations.activity.durations import step_of
from commonplace.operations.activity.periods import (
    Activity,
    OpenQuestion,
    Period,
    begins,
    by_tool,
    durations,
    open_questions,
    stretches,
)
from commonplace.storage.port import Store, Transaction

_LOG = logging.getLogger("commonplace.operations.activity")
_WRITE_AFTER_SECONDS = 2.0
_FORGET_EVERY = timedelta(hours=1)
_MOST_LINES = 10_000
_LONGEST_QUESTION = 1_000
_MOST_GIVEN = 10
_LOOKED_THROUGH = 2_000
_OPEN_SHOWN = 20
_ENTRY_KINDS = frozenset(OF_ENTRIES.values())


@dataclass(frozen=True, slots=True)
class CallLine:
    """One finished call."""

    at: datetime
    actor: Actor
    tool: str
    status: str
    seconds: float
    deliveries: tuple[Delivery, ...]


class ActivityService:
    """Records and reports activity. `days` is the retention; with 0, nothing is recorded."""

    def __init__(self, store: Store, clock: Clock, days: int, masked: Callable[[str], str]) -> None:
        self._store = store
        self._clock = clock
        self._days = days
        self._masked = masked
        self._lines: deque[CallLine] = deque(maxlen=_MOST_LINES)
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._timer: threading.Timer | None = None
        self._forget_due: dict[str, datetime] = {}

    @property
    def keeps(self) -> bool:
        return self._days > 0

    def note(
        self,
        actor: Actor,
        tool: str,
        status: str,
        seconds: float,
        deliveries: Sequence[Delivery] = (),
    ) -> None:
        """Record a call; a thread writes it soon. A call without an org is not recorded."""
        if not self.keeps or not actor.org:
            return
        line = CallLine(self._clock(), actor, tool, status, seconds, tuple(deliveries))
        with self._lock:
            self._lines.append(line)
            if self._timer is None:
                self._timer = threading.Timer(_WRITE_AFTER_SECONDS, self.write)
                self._timer.daemon = True
                self._timer.start()

    def write(self) -> None:
        """Write the recorded lines; if that fails they are lost, which is logged."""
        with self._lock:
            lines, self._timer = list(self._lines), None
            self._lines.clear()
        with self._writing:
            for actor in dict.fromkeys(line.actor for line in lines):
                self._write_for(actor, [line for line in lines if line.actor == actor])

    def close(self) -> None:
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
        self.write()

    def _write_for(self, actor: Actor, lines: Sequence[CallLine]) -> None:
        drafts = [draft for line in lines for draft in self._drafts(line)]
        now = self._clock()
        try:
            with self._store.write(actor, derived=True) as tx:
                tx.questions.add(drafts)
                tx.call_counts.add(_counted(lines))
                _count_handed_out(tx, lines)
                if now >= self._forget_due.get(actor.org, now):
                    self._forget_due[actor.org] = now + _FORGET_EVERY
                    before = now - timedelta(days=self._days)
                    tx.questions.forget(before)
                    tx.call_counts.forget(before)
        except StorageError as error:
            _LOG.warning("activity not written", extra={"code": error.code, "calls": len(lines)})

    def _drafts(self, line: CallLine) -> list[QuestionDraft]:
        return [
            QuestionDraft(
                line.actor.agent,
                line.actor.client,
                line.at,
                line.tool,
                self._masked(one.question[:_LONGEST_QUESTION]),
                one.outcome,
                one.references[:_MOST_GIVEN],
            )
            for one in line.deliveries
            if one.question and not one.question.isspace()
        ]

    def of(self, actor: Actor, period: Period) -> Activity:
        """The activity of the actor's org in a period."""
        permit(actor, Thing.CHANGES, Verb.READ, Whose.SHARED)
        now = self._clock()
        since = begins(period, now)
        with self._store.read(actor) as tx:
            counts = tx.call_counts.since(since)
            outcomes = tx.questions.tally(since)
            unanswered = _unanswered(tx, since)
        return Activity(
            period,
            tuple(stretches(counts, period, now)),
            tuple(by_tool(counts)),
            *durations(counts),
            outcomes,
            unanswered,
        )

    def unanswered(self, actor: Actor, period: Period) -> tuple[OpenQuestion, ...]:
        """The questions that found nothing; bounded cost, however many were asked."""
        permit(actor, Thing.CHANGES, Verb.READ, Whose.SHARED)
        with self._store.read(actor) as tx:
            return _unanswered(tx, begins(period, self._clock()))

    def questions(
        self, actor: Actor, limit: int, before: int | None = None, outcome: Outcome | None = None
    ) -> list[AskedQuestion]:
        """The recorded questions, newest first."""
        permit(actor, Thing.CHANGES, Verb.READ, Whose.SHARED)
        with self._store.read(actor) as tx:
            return tx.questions.newest(limit, before, outcome)

    def question(self, actor: Actor, key: int) -> AskedQuestion:
        permit(actor, Thing.CHANGES, Verb.READ, Whose.SHARED)
        with self._store.read(actor) as tx:
            found = tx.questions.get(key)
        if found is None:
            raise NotFound("No question with that key is kept.")
        return found


def _unanswered(tx: Transaction, since: datetime) -> tuple[OpenQuestion, ...]:
    lately = tx.questions.newest(_LOOKED_THROUGH, outcome=Outcome.NOTHING)
    return tuple(open_questions([one for one in lately if one.at >= since], _OPEN_SHOWN))


def _counted(lines: Sequence[CallLine]) -> list[CallCount]:
    counts: Counter[tuple[datetime, str, str, int]] = Counter()
    for line in lines:
        hour = line.at.replace(minute=0, second=0, microsecond=0)
        counts[(hour, line.tool, line.status, step_of(line.seconds))] += 1
    # Sorted, so that two processes that write at once lock rows in the same order.
    return [CallCount(*place, count) for place, count in sorted(counts.items())]


def _count_handed_out(tx: Transaction, lines: Sequence[CallLine]) -> None:
    """Count one access per entry and call that returned it."""
    known: dict[str, int | None] = {}
    times: Counter[int] = Counter()
    for line in lines:
        given = {
            reference for one in line.deliveries if not one.counted for reference in one.references
        }
        keys = {_key_of(tx, reference, known) for reference in given}
        times.update(key for key in keys if key is not None)
    for round_ in range(max(times.values(), default=0)):
        tx.accesses.count(sorted(key for key, count in times.items() if count > round_))


def _key_of(tx: Transaction, reference: str, known: dict[str, int | None]) -> int | None:
    if reference not in known:
        known[reference] = _looked_up(tx, reference)
    return known[reference]


def _looked_up(tx: Transaction, reference: str) -> int | None:
    """The key of the entry that a reference names; None if there is no such entry, or several."""
    named = parse_reference(reference)
    if named.kind not in _ENTRY_KINDS:
        return None
    entry = tx.entries.get(named.beginning)
    if entry is None:
        ids = tx.entries.ids_beginning(named.beginning, 2)
        entry = tx.entries.get(ids[0]) if len(ids) == 1 else None
    return entry.key if entry else None
