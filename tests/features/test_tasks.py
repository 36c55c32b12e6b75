"""Pieces of runs that take their time: in a thread of their own, stopped, handed over."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

from commonplace.errors import EmbeddingUnavailable
from commonplace.model.actor import Actor
from commonplace.model.call import Call
from commonplace.model.chunk import EmbeddingState, Owner, OwnerType, Urgency
from commonplace.model.run import RunKind, TargetStatus
from commonplace.worker.service.loop import Worker
from tests.features.house import IDLE_SECONDS, House
from tests.generate import ALICE, chunk_draft, metadata
from tests.stores import SteppingClock


def state(house: House, id: str) -> EmbeddingState | None:
    return house.knowledge.get(ALICE, id).embedding


def test_new_entries_do_not_wait_for_long_work(house: House) -> None:
    """A piece of a run that takes its time has a thread of its own."""
    house.add("old")
    house.embed()
    started, go_on = threading.Event(), threading.Event()

    def take_long(actor: Actor, subject: Mapping[str, Any], call: Call) -> None:
        started.set()
        go_on.wait(60)

    worker = Worker(
        house.store, house.model, house.clock, {RunKind.REBUILD: take_long}, IDLE_SECONDS
    )
    run = house.rebuilding.start(ALICE)
    assert worker.step()
    assert started.wait(60)
    house.add("new")
    while state(house, "new") is not EmbeddingState.READY:
        assert worker.step()
    go_on.set()
    assert worker.drain(60)
    finished = house.status.run(ALICE, run.id)
    assert finished is not None
    assert finished.count(TargetStatus.DONE) == 1


def test_the_words_of_a_folder_come_before_its_vectors(house: House) -> None:
    """Embedding would take the processor from what can be found at once."""
    with house.store.write(ALICE) as tx:
        draft = chunk_draft("a file of the folder", urgency=Urgency.BULK)
        tx.chunks.replace(Owner(OwnerType.DOCUMENT, 1), metadata(), [draft])
        tx.runs.start(RunKind.INGEST, [{"resource": "res_1"}])
    started, go_on = threading.Event(), threading.Event()

    def read(actor: Actor, subject: Mapping[str, Any], call: Call) -> None:
        started.set()
        go_on.wait(60)

    handlers = {RunKind.INGEST: read}
    worker = Worker(house.store, house.model, house.clock, handlers, IDLE_SECONDS)
    assert worker.step()
    assert started.wait(60)
    assert worker.step()
    assert pending(house) == 1
    house.add("new")
    while state(house, "new") is not EmbeddingState.READY:
        assert worker.step()
    assert pending(house) == 1
    go_on.set()
    assert worker.drain(60)
    assert pending(house) == 0


def pending(house: House) -> int:
    with house.store.read(ALICE) as tx:
        return tx.chunks.counts().pending


def test_a_worker_that_stops_hands_over_what_it_had_begun(house: House) -> None:
    house.add("n-1")
    house.embed()
    begun: list[bool] = []

    def wait_for_the_end(actor: Actor, subject: Mapping[str, Any], call: Call) -> None:
        begun.append(True)
        while True:
            call.check()

    run = house.rebuilding.start(ALICE)
    handlers = {RunKind.REBUILD: wait_for_the_end}
    worker = Worker(house.store, house.model, house.clock, handlers, IDLE_SECONDS)
    while not begun:
        assert worker.step()
    worker.stop()
    assert house.worker().drain(60)
    finished = house.status.run(ALICE, run.id)
    assert finished is not None
    (target,) = finished.targets
    assert (target.status, target.attempts) == (TargetStatus.DONE, 1)


def test_work_waits_for_a_model_that_is_away(house: House, clock: SteppingClock) -> None:
    house.add("n-1")
    house.embed()
    away = [True, True]

    def need_the_model(actor: Actor, subject: Mapping[str, Any], call: Call) -> None:
        if away:
            away.pop()
            raise EmbeddingUnavailable("The model is away.")

    run = house.rebuilding.start(ALICE)
    handlers = {RunKind.REBUILD: need_the_model}
    worker = Worker(house.store, house.model, house.clock, handlers, IDLE_SECONDS)
    for _ in range(3):
        assert worker.drain(60)
        clock.advance(300)
    finished = house.status.run(ALICE, run.id)
    assert finished is not None
    (target,) = finished.targets
    assert (target.status, target.attempts, target.error) == (TargetStatus.DONE, 1, None)
