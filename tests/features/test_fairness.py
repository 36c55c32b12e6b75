"""Turns between orgs in every queue: whoever has much to do holds nobody up, whatever the names."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

import pytest

from commonplace.model.actor import Actor
from commonplace.model.call import Call
from commonplace.model.chunk import EmbeddingState, Owner, OwnerType, Urgency
from commonplace.model.run import RunKind, TargetStatus
from commonplace.worker.reembedding.service import ReembeddingService
from commonplace.worker.service.loop import Worker
from tests.features.embedders import GramEmbedder
from tests.features.house import IDLE_SECONDS, House
from tests.generate import chunk_draft, metadata
from tests.stores import Database, SteppingClock

LOUD_AND_QUIET = [("aaa", "zzz"), ("zzz", "aaa")]


def long_text(number: int) -> str:
    """Several passages, none like another: what is equal is embedded once."""
    return " ".join(f"w{number}.{word}" for word in range(800))


def agent_of(org: str) -> Actor:
    return Actor(org=org, agent="somebody", client="test-client")


def batches_until_embedded(house: House, worker: Worker, quiet: Actor, id: str) -> int:
    """How many batches came before its own."""
    assert isinstance(house.embedder, GramEmbedder)
    before = len(house.embedder.batches)
    for _ in range(1000):
        if house.knowledge.get(quiet, id).embedding is EmbeddingState.READY:
            return len(house.embedder.batches) - before - 1
        worker.step()
    raise AssertionError("never embedded")


@pytest.mark.parametrize(("loud", "quiet"), LOUD_AND_QUIET)
def test_one_note_is_next_but_one_beside_sixty_long_ones(
    house: House, loud: str, quiet: str
) -> None:
    for number in range(60):
        house.add(f"long-{number}", agent_of(loud), body=long_text(number))
    worker = house.worker()
    assert worker.step()
    house.add("short", agent_of(quiet), body="one line")
    assert batches_until_embedded(house, worker, agent_of(quiet), "short") <= 1


@pytest.mark.parametrize(("loud", "quiet"), LOUD_AND_QUIET)
def test_bulk_work_of_one_org_is_not_starved_by_what_another_writes(
    house: House, loud: str, quiet: str
) -> None:
    with house.store.write(agent_of(quiet)) as tx:
        draft = chunk_draft("a file of a folder", urgency=Urgency.BULK)
        tx.chunks.replace(Owner(OwnerType.DOCUMENT, 1), metadata(), [draft])
    worker = house.worker()
    assert isinstance(house.embedder, GramEmbedder)
    for number in range(20):
        house.add(f"note-{number}", agent_of(loud))
        worker.step()
        if any("a file of a folder" in text for text in house.embedder.embedded):
            return
    raise AssertionError("never embedded")


@pytest.mark.parametrize(("loud", "quiet"), LOUD_AND_QUIET)
def test_a_page_is_read_next_but_one_beside_eight_slow_files(
    house: House, loud: str, quiet: str
) -> None:
    begun: list[str] = []
    go_on = threading.Semaphore(0)

    def read(actor: Actor, subject: Mapping[str, Any], call: Call) -> None:
        begun.append(actor.org)
        assert go_on.acquire(timeout=60)

    handlers = {RunKind.SOURCE: read}
    worker = Worker(house.store, house.model, house.clock, handlers, IDLE_SECONDS)
    for org, files in ((loud, 8), (quiet, 1)):
        with house.store.write(agent_of(org)) as tx:
            tx.runs.start(RunKind.SOURCE, [{"source": f"ks_{n}"} for n in range(files)])
        while not begun:
            assert worker.step()
    go_on.release(9)
    assert worker.drain(60)
    assert begun.index(quiet) == 1
    assert len(begun) == 9


def test_a_folder_that_is_read_does_not_hold_up_the_vectors_of_other_orgs(house: House) -> None:
    reading, waiting = agent_of("reading"), agent_of("waiting")
    with house.store.write(reading) as tx:
        tx.runs.start(RunKind.INGEST, [{"resource": "res_1"}])
    with house.store.write(waiting) as tx:
        draft = chunk_draft("bulk of another org", urgency=Urgency.BULK)
        tx.chunks.replace(Owner(OwnerType.DOCUMENT, 1), metadata(), [draft])
    go_on = threading.Event()

    def read(actor: Actor, subject: Mapping[str, Any], call: Call) -> None:
        assert go_on.wait(60)

    handlers = {RunKind.INGEST: read}
    worker = Worker(house.store, house.model, house.clock, handlers, IDLE_SECONDS)
    assert isinstance(house.embedder, GramEmbedder)
    for _ in range(5):
        worker.step()
    assert house.embedder.embedded
    go_on.set()
    assert worker.drain(60)


@pytest.mark.parametrize(("loud", "quiet"), LOUD_AND_QUIET)
def test_another_model_is_prepared_in_turns(
    house: House, clock: SteppingClock, loud: str, quiet: str
) -> None:
    for number in range(80):
        house.add(f"n-{number}", agent_of(loud))
    house.add("only", agent_of(quiet), body="the only one")
    house.embed()
    new = GramEmbedder("r2")
    service = ReembeddingService(house.store, new, clock)
    service.start()
    for _ in range(3):
        assert service.step()
    assert any("the only one" in text for batch in new.batches[:2] for text in batch)
    service.stop()


@pytest.mark.parametrize(("loud", "quiet"), LOUD_AND_QUIET)
def test_several_workers_take_turns_too(
    database: Database, clock: SteppingClock, loud: str, quiet: str
) -> None:
    houses = [House(database.open(), GramEmbedder(), clock) for _ in range(3)]
    first = houses[0]
    for number in range(60):
        first.add(f"n-{number}", agent_of(loud), body=long_text(number))
    workers = [house.worker() for house in houses]
    for worker in workers:
        worker.step()
    first.add("short", agent_of(quiet))
    for worker in workers:
        worker.step()
        worker.step()
    assert first.knowledge.get(agent_of(quiet), "short").embedding is EmbeddingState.READY
    for worker in workers:
        worker.stop()


def test_nobody_is_forgotten_among_many(house: House) -> None:
    """Forty orgs with as much work each are served as often as each other."""
    orgs = [f"org-{number:02}" for number in range(40)]
    for org in orgs:
        with house.store.write(agent_of(org)) as tx:
            drafts = [chunk_draft(f"{number} of {org}") for number in range(17)]
            tx.chunks.replace(Owner(OwnerType.DOCUMENT, 1), metadata(), drafts)
    worker = house.worker()
    for _ in orgs:
        assert worker.step()
    assert isinstance(house.embedder, GramEmbedder)
    served = {text.split("of org-")[1][:2] for batch in house.embedder.batches for text in batch}
    assert len(served) == 40


def test_runs_of_all_orgs_end(house: House) -> None:
    done: list[str] = []

    def note(actor: Actor, subject: Mapping[str, Any], call: Call) -> None:
        done.append(actor.org)

    runs = {}
    for org in ("a", "b", "c"):
        with house.store.write(agent_of(org)) as tx:
            runs[org] = tx.runs.start(RunKind.SOURCE, [{"source": str(n)} for n in range(3)])
    handlers = {RunKind.SOURCE: note}
    worker = Worker(house.store, house.model, house.clock, handlers, IDLE_SECONDS)
    assert worker.drain(60)
    assert [set(done[start : start + 3]) for start in (0, 3, 6)] == [{"a", "b", "c"}] * 3
    for org, run in runs.items():
        finished = house.status.run(agent_of(org), run.id)
        assert finished is not None
        assert finished.count(TargetStatus.DONE) == 3
