"""Work that ends the process of its worker: tried three times, set aside, brought back."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from commonplace.model.actor import Actor
from commonplace.model.call import Call
from commonplace.model.chunk import ChunkCounts
from commonplace.model.run import RunKind, Target, TargetStatus
from commonplace.storage.port import Store
from commonplace.worker.reembedding.service import ReembeddingService
from commonplace.worker.retry import MAX_CRASHES, SET_ASIDE
from commonplace.worker.service.loop import Worker
from tests.features.embedders import GramEmbedder, UnreachableEmbedder, Vector
from tests.features.house import House
from tests.forked import FORKS
from tests.generate import ALICE
from tests.models import always
from tests.stores import Database, SteppingClock, open_store

PATIENCE = 60.0
LEASE_SECONDS = 16.0
CLAIM_SECONDS = 121.0
PREPARING_SECONDS = 61.0


def die_of_poison(_actor: Actor, subject: Mapping[str, Any], _call: Call) -> None:
    if subject["source"] == "poison":
        os._exit(9)


def work_once(address: str, clock: SteppingClock) -> None:
    """A worker with a process of its own, which may not come back."""
    store = open_store(address, clock)
    Worker(store, always(GramEmbedder()), clock, {RunKind.SOURCE: die_of_poison}, 300.0).drain(60)
    store.close()


class Lethal(GramEmbedder):
    def embed_passages(self, texts: Sequence[str]) -> list[list[Vector]]:
        if any("poison" in text for text in texts):
            os._exit(9)
        return super().embed_passages(texts)


def embed_once(address: str, clock: SteppingClock) -> None:
    store = open_store(address, clock)
    Worker(store, always(Lethal()), clock, {}, 300.0).drain(60)
    store.close()


def reembed_once(address: str, clock: SteppingClock) -> None:
    store = open_store(address, clock)
    reembedding = ReembeddingService(store, Lethal("r2"), clock)
    while reembedding.step():
        pass
    store.close()


def killed(
    address: str, clock: SteppingClock, work: Callable[[str, SteppingClock], None] = work_once
) -> bool:
    process = FORKS.Process(target=work, args=(address, clock))
    process.start()
    process.join(PATIENCE)
    assert process.exitcode is not None
    return process.exitcode == 9


def targets(store: Store, run_id: str) -> dict[str, Target]:
    with store.read(ALICE) as tx:
        run = tx.runs.get(run_id)
    assert run is not None
    return {target.subject["source"]: target for target in run.targets}


def test_work_that_kills_its_worker_is_set_aside(database: Database, clock: SteppingClock) -> None:
    store = database.open()
    told: list[str] = []
    with store.write(ALICE) as tx:
        subjects = [{"source": name} for name in ("poison", "food")]
        run_id = tx.runs.start(RunKind.SOURCE, subjects).id
    deaths = 0
    while killed(database.address, clock):
        deaths += 1
        assert deaths <= MAX_CRASHES
        clock.advance(LEASE_SECONDS)
    assert deaths == MAX_CRASHES
    assert targets(store, run_id)["food"].status is TargetStatus.DONE, "the queue went on"
    poison = targets(store, run_id)["poison"]
    assert (poison.status, poison.error, poison.due) == (TargetStatus.FAILED, SET_ASIDE, None)

    house = House(store, GramEmbedder(), clock)
    assert house.status.retry_failed(ALICE) == 1
    handlers = {RunKind.SOURCE: lambda _actor, subject, _call: told.append(subject["source"])}
    assert Worker(store, house.model, clock, handlers, 300.0).drain(PATIENCE)
    assert told == ["poison"], "and it was brought back"
    assert targets(store, run_id)["poison"].status is TargetStatus.DONE


def test_the_one_text_that_kills_its_worker_is_found(
    database: Database, clock: SteppingClock
) -> None:
    house = House(database.open(), GramEmbedder(), clock)
    for number in range(20):
        house.add(f"n-{number}", body="poison" if number == 7 else f"food {number}")
    deaths = 0
    while killed(database.address, clock, embed_once):
        deaths += 1
        assert deaths <= MAX_CRASHES
        clock.advance(CLAIM_SECONDS)
    assert deaths == MAX_CRASHES
    status = house.status.of_org(ALICE)
    assert status.chunks == ChunkCounts(total=20, ready=19, failed=1)
    assert status.failures == (SET_ASIDE,)
    assert house.status.retry_failed(ALICE) == 1
    clock.advance(LEASE_SECONDS)
    house.embed()
    assert house.status.of_org(ALICE).chunks == ChunkCounts(total=20, ready=20)


def test_a_text_that_kills_who_prepares_another_model_is_set_aside(
    database: Database, clock: SteppingClock
) -> None:
    house = House(database.open(), GramEmbedder("r1"), clock)
    for number in range(20):
        house.add(f"n-{number}", body="poison" if number == 7 else f"food {number}")
    ReembeddingService(house.store, GramEmbedder("r1"), clock).adopt()
    house.embed()
    preparing = ReembeddingService(house.store, GramEmbedder("r2"), clock)
    preparing.start()
    deaths = 0
    while killed(database.address, clock, reembed_once):
        deaths += 1
        assert deaths <= MAX_CRASHES
        if deaths == MAX_CRASHES:
            assert preparing.progress().set_aside == 1
        clock.advance(PREPARING_SECONDS)
    assert deaths == MAX_CRASHES
    finished = preparing.progress()
    assert (finished.serving, finished.embedded, finished.set_aside) == ("grams-r2@64", 19, 0)


def test_a_model_that_is_away_costs_no_attempt(database: Database, clock: SteppingClock) -> None:
    house = House(database.open(), GramEmbedder("r1"), clock)
    house.add("n-1", body="food")
    ReembeddingService(house.store, GramEmbedder("r1"), clock).adopt()
    house.embed()
    away = UnreachableEmbedder(failures=MAX_CRASHES + 1)
    away.identity = GramEmbedder("r2").identity
    preparing = ReembeddingService(house.store, away, clock)
    preparing.start()
    for _ in range(MAX_CRASHES + 2):
        while preparing.step():
            pass
        clock.advance(PREPARING_SECONDS)
    assert preparing.progress().complete
    assert preparing.progress().embedded == 1
