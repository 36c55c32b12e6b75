"""Bytes that were sent for nothing go after a while; bytes that something stands on stay."""

from __future__ import annotations

from commonplace.model.workspace import FileState
from tests.features.house import House
from tests.generate import ALICE, source_draft
from tests.stores import SteppingClock

DAY_SECONDS = 86_400


def test_bytes_of_a_push_that_never_ended_go(house: House, clock: SteppingClock) -> None:
    with house.store.write(ALICE) as tx:
        used, unused = tx.blobs.put(b"used", "text/plain"), tx.blobs.put(b"unused", "text/plain")
        source = tx.sources.insert(source_draft("ks_1"))
        tx.files.put(source.key, FileState(0, "a.txt", "hash", 0, 4, 0, None, used))
    worker = house.worker()

    assert worker.drain(60)
    assert missing(house, used, unused) == [], "a push may still be under way"
    clock.advance(DAY_SECONDS + 1)
    with house.store.write(ALICE) as tx:
        fresh = tx.blobs.put(b"of a push that goes on", "text/plain")
    assert worker.drain(60)
    assert missing(house, used, unused, fresh) == [unused]


def missing(house: House, *digests: str) -> list[str]:
    with house.store.read(ALICE) as tx:
        return tx.blobs.missing(digests)
