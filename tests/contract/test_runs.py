"""Runs and their targets, blobs and statistics on every store."""

from __future__ import annotations

import hashlib
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest

from commonplace.model.change import Operation
from commonplace.model.run import RunKind, Target, TargetStatus
from commonplace.storage.port import CorpusStatistics, Store
from tests.generate import ALICE
from tests.stores import START, Database, SteppingClock

SOON = START + timedelta(minutes=5)
SUBJECTS: tuple[dict[str, Any], ...] = (
    {"keys": [1, 2]},
    {"path": "ü/世界", "deep": {"n": None}},
    {},
)


def claim(store: Store) -> Target | None:
    with store.write(ALICE) as tx:
        return tx.runs.claim(SOON)


def test_a_run_comes_back_with_its_targets(store: Store, clock: SteppingClock) -> None:
    with store.write(ALICE) as tx:
        run = tx.runs.start(RunKind.REBUILD, SUBJECTS)
    assert (run.kind, run.agent, run.created_at) == (RunKind.REBUILD, "alice", START)
    assert [target.subject for target in run.targets] == list(SUBJECTS)
    assert {(t.run_id, t.kind, t.status, t.attempts, t.due, t.error) for t in run.targets} == {
        (run.id, RunKind.REBUILD, TargetStatus.QUEUED, 0, START, None)
    }
    clock.advance(1)
    with store.write(ALICE) as tx:
        newer = tx.runs.start(RunKind.REBUILD, SUBJECTS[:1])
        at_once = tx.runs.start(RunKind.REBUILD, [])
    with store.read(ALICE) as tx:
        assert tx.runs.get(run.id) == run
        assert tx.runs.get(at_once.id) == at_once
        assert tx.runs.get("absent") is None
        assert tx.runs.recent(10) == [newer, run]
        assert tx.runs.recent(1) == [newer]


def test_targets_are_claimed_in_order_and_leased(store: Store, clock: SteppingClock) -> None:
    with store.write(ALICE) as tx:
        run = tx.runs.start(RunKind.REBUILD, SUBJECTS)
    claimed = [claim(store) for _ in range(4)]
    assert [target and target.key for target in claimed] == [*(t.key for t in run.targets), None]
    assert claimed[0] is not None
    assert claimed[0].due == SOON
    clock.advance(300)
    assert claim(store) is not None


def test_a_finished_target_is_done(store: Store) -> None:
    with store.write(ALICE) as tx:
        run = tx.runs.start(RunKind.REBUILD, [{}])
    target = claim(store)
    assert target is not None
    with store.write(ALICE) as tx:
        tx.runs.finish(target)
    with store.read(ALICE) as tx:
        after = tx.runs.get(run.id)
    assert after is not None
    assert after.count(TargetStatus.DONE) == 1
    assert (after.targets[0].due, after.targets[0].attempts) == (None, 1)
    assert store.due_work() == []


def test_a_failed_target_is_tried_again_then_given_up(store: Store, clock: SteppingClock) -> None:
    with store.write(ALICE) as tx:
        run = tx.runs.start(RunKind.REBUILD, [{}])
    target = claim(store)
    assert target is not None
    with store.write(ALICE) as tx:
        tx.runs.record_failure(target, START + timedelta(seconds=9), "not now")
    assert claim(store) is None
    clock.advance(9)
    again = claim(store)
    assert again is not None
    assert (again.attempts, again.error, again.status) == (2, "not now", TargetStatus.QUEUED)
    with store.write(ALICE) as tx:
        tx.runs.record_failure(again, None, "never")
    clock.advance(10_000)
    assert claim(store) is None
    with store.read(ALICE) as tx:
        after = tx.runs.get(run.id)
    assert after is not None
    (final,) = after.targets
    assert (final.status, final.attempts, final.error) == (TargetStatus.FAILED, 2, "never")


def test_an_attempt_counts_from_its_beginning_unless_it_is_given_back(
    store: Store, clock: SteppingClock
) -> None:
    with store.write(ALICE) as tx:
        tx.runs.start(RunKind.REBUILD, [{}])
    first = claim(store)
    assert first is not None
    assert first.attempts == 1
    with store.write(ALICE) as tx:
        tx.runs.give_back(first, START)
    second = claim(store)
    assert second is not None
    assert second.attempts == 1
    clock.advance(10_000)
    third = claim(store)
    assert third is not None
    assert third.attempts == 2, "nobody said how the second ended"
    with store.write(ALICE) as tx:
        tx.runs.record_failure(third, None, "never")
        assert tx.runs.retry_failed() == 1
        assert tx.runs.retry_failed() == 0
    again = claim(store)
    assert again is not None
    assert (again.attempts, again.error, again.status) == (1, None, TargetStatus.QUEUED)


def test_two_claimers_never_get_the_same_target(database: Database) -> None:
    stores = [database.open(), database.open()]
    with stores[0].write(ALICE) as tx:
        tx.runs.start(RunKind.REBUILD, [{"n": number} for number in range(30)])
    start = threading.Barrier(4)

    def work(store: Store) -> list[int]:
        start.wait()
        mine: list[int] = []
        while target := claim(store):
            mine.append(target.key)
        return mine

    with ThreadPoolExecutor(4) as pool:
        keys = [key for share in pool.map(work, stores * 2) for key in share]
    assert len(keys) == len(set(keys)) == 30


def test_blobs_are_kept_once_by_digest(store: Store) -> None:
    data = bytes(range(256)) * 1000
    with store.write(ALICE) as tx:
        digest = tx.blobs.put(data, "application/octet-stream")
        assert tx.blobs.put(data, "text/plain") == digest
        empty = tx.blobs.put(b"", "text/plain")
    assert digest == hashlib.sha256(data).hexdigest()
    with store.read(ALICE) as tx:
        assert tx.blobs.get(digest) == data
        assert tx.blobs.get(empty) == b""
        assert tx.blobs.get("absent") is None


def test_blobs_leave_changes(store: Store) -> None:
    with store.write(ALICE) as tx:
        digest = tx.blobs.put(b"data", "text/plain")
        tx.blobs.put(b"data", "text/plain")
        tx.blobs.release([digest, digest])
        tx.blobs.release([digest])
        assert tx.blobs.get(digest) is None
        changes = tx.changes.since(0, 10)
    assert [(c.operation, c.entity, c.entity_id) for c in changes] == [
        (Operation.CREATE, "blob", digest),
        (Operation.PURGE, "blob", digest),
    ]


def test_statistics_are_replaced_as_a_whole(store: Store, clock: SteppingClock) -> None:
    with store.write(ALICE) as tx:
        assert tx.statistics.load() is None
        tx.statistics.save(CorpusStatistics(10, 5, 2.5, {"wörd": 3, "b": 1}, START), None)
    clock.advance(60)
    newer = CorpusStatistics(20, 20, 3.25, {"c": 2}, START + timedelta(seconds=60))
    with store.read(ALICE) as tx:
        assert tx.statistics.load() == CorpusStatistics(10, 5, 2.5, {"wörd": 3, "b": 1}, START)
    with store.write(ALICE) as tx:
        tx.statistics.save(newer, tx.statistics.load())
    with store.read(ALICE) as tx:
        assert tx.statistics.load() == newer


@pytest.mark.parametrize("counted", [True, False], ids=["counted before", "never counted"])
def test_what_was_counted_before_a_purge_is_not_saved_after_it(
    store: Store, clock: SteppingClock, counted: bool
) -> None:
    """It may have words of what was erased meanwhile."""
    with store.write(ALICE) as tx:
        known = CorpusStatistics(10, 5, 2.5, {"a": 3}, START) if counted else None
        if known:
            tx.statistics.save(known, None)
    clock.advance(60)
    with store.write(ALICE) as tx:
        tx.statistics.forget()
    with store.write(ALICE) as tx:
        tx.statistics.save(CorpusStatistics(10, 5, 2.5, {"a": 3, "erased": 1}, START), known)
        empty = tx.statistics.load()
        assert empty
        assert empty.frequencies == {}
        tx.statistics.save(CorpusStatistics(9, 5, 2.5, {"a": 3}, START), empty)
    with store.read(ALICE) as tx:
        recounted = tx.statistics.load()
    assert recounted
    assert recounted.frequencies == {"a": 3}
