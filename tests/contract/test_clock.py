"""The clock is set forward or back under waiting work: all of it is done, none of it twice at once.

The clock is injected, as everything that asks for the time has it from one place.
"""

from __future__ import annotations

import threading

import pytest

from commonplace.storage.port import Store
from commonplace.worker.service.loop import Worker
from tests.generate import ALICE, put_chunk
from tests.models import always
from tests.multiprocess.embedder import LightEmbedder
from tests.stores import SteppingClock

DAY = 86_400.0


def worker_on(store: Store, clock: SteppingClock) -> Worker:
    return Worker(store, always(LightEmbedder()), clock, handlers={}, idle=300.0)


def pending(store: Store) -> int:
    with store.read(ALICE) as tx:
        return tx.chunks.counts().pending


def put(store: Store, number: int) -> None:
    with store.write(ALICE) as tx:
        put_chunk(tx, number, f"text {number}")


@pytest.mark.parametrize("jump", [DAY, -DAY])
def test_a_worker_that_runs_goes_on_after_a_jump(
    store: Store, clock: SteppingClock, jump: float
) -> None:
    worker = worker_on(store, clock)
    put(store, 1)
    assert worker.drain(60.0)
    put(store, 2)
    clock.advance(jump)
    put(store, 3)
    assert worker.drain(60.0)
    assert pending(store) == 0


def test_what_was_planned_before_the_clock_was_set_back_is_done_by_the_next_worker(
    store: Store, clock: SteppingClock
) -> None:
    put(store, 1)
    clock.advance(-DAY)
    assert worker_on(store, clock).drain(60.0)
    assert pending(store) == 0


def test_a_lease_from_before_the_clock_was_set_back_holds_nobody_up(
    store: Store, clock: SteppingClock
) -> None:
    assert store.take_lease("worker", "dead", 15.0)
    assert not store.take_lease("worker", "alive", 15.0)
    clock.advance(-DAY)
    assert store.take_lease("worker", "alive", 15.0)


def test_a_lease_is_not_taken_from_a_holder_whose_clock_is_a_little_ahead(
    store: Store, clock: SteppingClock
) -> None:
    clock.advance(2.0)
    assert store.take_lease("worker", "ahead", 15.0)
    clock.advance(-2.0)
    assert not store.take_lease("worker", "behind", 15.0)


def test_workers_end_although_the_store_is_away(store: Store, clock: SteppingClock) -> None:
    """Whatever they hold runs out by itself."""
    worker = worker_on(store, clock)
    put(store, 1)
    worker.step()
    store.close()
    stop = threading.Event()
    stop.set()
    worker.run(stop)
