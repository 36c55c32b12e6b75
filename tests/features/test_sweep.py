"""Bytes that were sent for nothing and texts that were rejected go after a while."""

from __future__ import annotations

from commonplace.model.capture import ReviewDraft, ReviewStatus
from commonplace.model.entry import EntryKind
from commonplace.model.workspace import FileState
from commonplace.storage.port import Transaction
from tests.features.house import House
from tests.generate import ALICE, entry_draft, source_draft
from tests.stores import SteppingClock

DAY_SECONDS = 86_400


def put(tx: Transaction, data: bytes) -> str:
    return tx.blobs.put(data, "text/plain")


def gone(house: House, *digests: str) -> list[str]:
    with house.store.read(ALICE) as tx:
        return [digest for digest in digests if tx.blobs.get(digest) is None]


def test_bytes_of_a_push_that_never_ended_go(house: House, clock: SteppingClock) -> None:
    with house.store.write(ALICE) as tx:
        given, pushed, beside = put(tx, b"given"), put(tx, b"pushed"), put(tx, b"beside a skill")
        unused, asked, again = put(tx, b"unused"), put(tx, b"asked for"), put(tx, b"given again")
        source = tx.sources.insert(source_draft("ks_1", digest=given))
        tx.files.put(source.key, FileState(0, "a.txt", "hash", 0, 4, 0, None, pushed))
        files = {"files": [{"path": "a", "digest": beside, "size": 14}]}
        tx.entries.insert(entry_draft("s-1", EntryKind.SKILL, attributes=files))
    worker = house.worker()
    assert worker.drain(60)
    assert gone(house, unused) == [], "a push may still be under way"

    clock.advance(DAY_SECONDS + 1)
    with house.store.write(ALICE) as tx:
        fresh = put(tx, b"of a push that goes on")
        assert tx.blobs.missing([asked]) == []
        put(tx, b"given again")

    assert worker.drain(60)
    assert gone(house, given, pushed, beside, unused, asked, again, fresh) == [unused]


def test_one_process_sweeps_for_all(house: House, clock: SteppingClock) -> None:
    with house.store.write(ALICE) as tx:
        unused = put(tx, b"unused")
    assert house.worker().drain(60)
    clock.advance(DAY_SECONDS + 1)
    assert house.worker().drain(60)
    with house.store.write(ALICE) as tx:
        again = put(tx, b"unused, too")
    clock.advance(3_600)
    assert gone(house, unused) == [unused]
    assert house.worker().drain(60)
    assert gone(house, again) == []


def test_a_rejected_text_is_erased_a_day_later(house: House, clock: SteppingClock) -> None:
    with house.store.write(ALICE) as tx:
        put_up = [tx.reviews.add(review_draft(id)) for id in ("r-1", "r-2")]
        early, late = (one for one in put_up if one)
        rejected = tx.reviews.settle(early, ReviewStatus.REJECTED, None)
    worker = house.worker()
    assert worker.drain(60)
    clock.advance(DAY_SECONDS + 1)
    with house.store.write(ALICE) as tx:
        fresh = tx.reviews.settle(late, ReviewStatus.REJECTED, None)
    assert worker.drain(60)
    with house.store.write(ALICE) as tx:
        assert rejected
        assert fresh
        assert tx.reviews.reopen(rejected) is None
        assert tx.reviews.reopen(fresh) == late


def review_draft(id: str) -> ReviewDraft:
    return ReviewDraft(id, f"print of {id}", {"content": "Wipe the lamp."}, 0.7, "medium", "near")
