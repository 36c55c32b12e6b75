"""A lease that is taken away in the middle of the work that it is for, on both stores."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from commonplace.codegraph.service.graph import CodeGraph
from commonplace.errors import LeaseLost
from commonplace.model.actor import Actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.run import RunKind, TargetStatus
from commonplace.model.workspace import FileState, IndexStatus, Resource
from commonplace.reading.child_process import PipedChildProcess, ProcessLimits
from commonplace.reading.pool import PooledProcesses
from commonplace.reading.watching import FolderWatcher
from commonplace.storage.port import Store
from commonplace.storage.port.leases import hold_lease, wait_for_lease
from commonplace.worker.leases import Leases
from commonplace.worker.reembedding.service import ReembeddingService
from commonplace.worker.service.loop import Worker
from commonplace.workspace.indexing.graph import GraphIndexer
from commonplace.workspace.runs.outcome import Execution, RunRequest, TargetOutcome
from commonplace.workspace.watching.service import FolderWatch, Pace
from tests.features.embedders import GramEmbedder
from tests.features.house import House
from tests.folders.yard import UNGRAPHED, Yard
from tests.generate import ALICE
from tests.stores import SteppingClock
from tests.waiting import eventually

PATIENCE = 60.0
OTHERS_SECONDS = 50.0
EXTRACTING = "commonplace.codegraph.keeping.offloading:extract_some"


def renewing() -> int:
    return sum(thread.name == "lease" for thread in threading.enumerate())


def steal(store: Store, clock: SteppingClock, name: str) -> None:
    """As after a long sleep of the machine; who had it notices when it next renews."""
    before = renewing()
    clock.advance(3600)
    assert store.take_lease(name, "another process", OTHERS_SECONDS)
    eventually(lambda: renewing() < before or not before)


def test_a_lost_lease_ends_what_it_was_for(store: Store, clock: SteppingClock) -> None:
    def work() -> None:
        with hold_lease(store, "work", 60.0) as lease:
            assert lease is not None
            steal(store, clock, "work")
            with store.write(ALICE) as tx:
                tx.blobs.put(b"half of it", "text/plain")
                lease.guard(PLAIN_CALL).check()

    with pytest.raises(LeaseLost):
        work()
    with store.read(ALICE) as tx:
        assert tx.blobs.get(hashlib.sha256(b"half of it").hexdigest()) is None
    assert not store.take_lease("work", "a third", 1.0), "it is the other's now"


def test_a_lease_that_was_taken_and_given_back_is_lost_too(
    store: Store, clock: SteppingClock
) -> None:
    """What the other one did meanwhile is not what was read before."""

    def work() -> None:
        with hold_lease(store, "work", 60.0):
            clock.advance(3600)
            assert store.take_lease("work", "another process", 1.0)
            store.drop_lease("work", "another process")

    with pytest.raises(LeaseLost):
        work()


def test_a_lease_that_ran_out_and_that_nobody_wanted_is_kept(
    store: Store, clock: SteppingClock
) -> None:
    with hold_lease(store, "work", 60.0) as lease:
        assert lease is not None
        clock.advance(3600)
    assert store.take_lease("work", "another process", 1.0)


def test_who_waits_for_a_lease_gets_it(store: Store) -> None:
    entered = threading.Event()

    def work() -> None:
        with wait_for_lease(store, "work", 60.0, PLAIN_CALL):
            entered.set()

    with hold_lease(store, "work", 60.0) as lease, hold_lease(store, "work", 60.0) as second:
        assert lease is not None
        assert second is None
        thread = threading.Thread(target=work)
        thread.start()
    assert entered.wait(PATIENCE)
    thread.join()


class Stealing:
    """A graph of symbols in the middle of which somebody else begins to read the folder."""

    def __init__(self, steal: Callable[[str], None]) -> None:
        self._steal = steal

    def update(self, _actor: Actor, resource: Resource, *others: Any) -> None:
        call = next(each for each in others if isinstance(each, Call))
        self._steal(f"resource:{resource.key}")
        call.check()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "root"
    folder.mkdir()
    for name in "abc":
        (folder / f"{name}.py").write_text(f"def {name}():\n    return {name}\n")
    return folder


@pytest.fixture
def new_yard(store: Store) -> Iterator[Callable[..., Yard]]:
    made: list[Yard] = []

    def new(graph: GraphIndexer = UNGRAPHED) -> Yard:
        made.append(Yard(store, graph))
        return made[-1]

    yield new
    for yard in made:
        yard.close()


def status_of(store: Store) -> IndexStatus:
    with store.read(ALICE) as tx:
        resource = tx.resources.get("res_yard")
    assert resource is not None
    return resource.indexing.status


def test_an_ingest_that_lost_its_folder_leaves_it_to_the_other(
    store: Store, clock: SteppingClock, root: Path, new_yard: Callable[..., Yard]
) -> None:
    yard = new_yard(Stealing(partial(steal, store, clock)))
    yard.attach(root)
    (target,) = yard.runs.ingest(ALICE, RunRequest()).targets
    assert target.outcome is TargetOutcome.SKIPPED
    assert status_of(store) is IndexStatus.INDEXING, "what the other one said of it"


def test_a_run_that_lost_its_folder_is_tried_again(
    store: Store, clock: SteppingClock, root: Path, new_yard: Callable[..., Yard]
) -> None:
    yard = new_yard(Stealing(partial(steal, store, clock)))
    yard.attach(root)
    run_id = yard.runs.ingest(ALICE, RunRequest(execution=Execution.BACKGROUND)).run_id
    handlers = {RunKind.INGEST: yard.runs.process}
    worker = Worker(store, yard.model, clock, handlers, 300.0)
    eventually(lambda: worker.step() and renewing() == 0)
    worker.stop()
    with store.read(ALICE) as tx:
        run = tx.runs.get(run_id)
    assert run is not None
    assert run.targets[0].status is TargetStatus.QUEUED
    assert run.targets[0].error is None


@pytest.fixture
def graph(store: Store) -> Iterator[CodeGraph]:
    made = CodeGraph(store, PooledProcesses([PipedChildProcess(EXTRACTING, ProcessLimits())]))
    yield made
    made.close()


def test_a_graph_that_lost_its_turn_keeps_nothing(
    store: Store,
    clock: SteppingClock,
    root: Path,
    new_yard: Callable[..., Yard],
    graph: CodeGraph,
) -> None:
    yard = new_yard()
    resource = yard.attach(root)
    yard.runs.ingest(ALICE, RunRequest())

    def read(state: FileState) -> bytes:
        if renewing():
            steal(store, clock, f"codegraph/{ALICE.org}")
        return (root / state.path).read_bytes()

    with pytest.raises(LeaseLost):
        graph.update(ALICE, resource, None, [], read)
    with store.read(ALICE) as tx:
        assert tx.code_files.of_resources([resource.key]) == []


def test_a_graph_that_lost_its_turn_links_nothing(
    store: Store,
    clock: SteppingClock,
    root: Path,
    new_yard: Callable[..., Yard],
    graph: CodeGraph,
) -> None:
    yard = new_yard()
    resource = yard.attach(root)
    yard.runs.ingest(ALICE, RunRequest())

    def progress(done: int, total: int, message: str) -> None:
        if message == "linking code":
            steal(store, clock, f"codegraph/{ALICE.org}")

    def read(state: FileState) -> bytes:
        return (root / state.path).read_bytes()

    with pytest.raises(LeaseLost):
        graph.update(ALICE, resource, None, [], read, Call(progress=progress))
    with store.read(ALICE) as tx:
        kept = tx.code_files.of_resources([resource.key])
    assert [file.linked for file in kept] == [False] * 3


def test_a_worker_that_lost_its_file_leaves_off(house: House, clock: SteppingClock) -> None:
    """Where workers share a database there is nothing to lose."""
    house.add("n-1")
    house.embed()
    begun, ended = threading.Event(), threading.Event()

    def last(actor: Actor, subject: Mapping[str, Any], call: Call) -> None:
        begun.set()
        try:
            while not ended.wait(0.01):
                call.check()
        finally:
            ended.set()

    leases = Leases(worker=0.3, renew=0.1)
    handlers = {RunKind.REBUILD: last}
    worker = Worker(house.store, house.model, clock, handlers, 300.0, leases)
    run = house.rebuilding.start(ALICE)
    eventually(lambda: worker.step() and begun.is_set())
    if house.store.shared_by_processes:
        assert worker.step()
    else:
        steal(house.store, clock, "worker")
        eventually(lambda: not worker.step())
        assert ended.is_set()
        waiting = house.status.run(ALICE, run.id)
        assert waiting is not None
        assert waiting.targets[0].status is TargetStatus.QUEUED
    worker.stop()


def test_a_watch_that_lost_a_folder_does_not_follow_it(
    store: Store, clock: SteppingClock, root: Path, new_yard: Callable[..., Yard]
) -> None:
    yard = new_yard()
    resource = yard.attach(root)
    yard.runs.ingest(ALICE, RunRequest())
    watch = FolderWatch(store, FolderWatcher(), yard.runs, Pace(lease=0.03))
    assert list(watch._take()) == [str(root)]
    steal(store, clock, f"watch:{resource.key}")
    eventually(lambda: not watch._take())


def test_a_change_of_model_that_another_process_has_taken_over_stops(
    house: House, clock: SteppingClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("commonplace.worker.reembedding.service._LEASE_SECONDS", 0.03)
    for number in range(40):
        house.add(f"n-{number}")
    house.embed()
    new = ReembeddingService(house.store, GramEmbedder("r2"), clock)
    new.start()
    assert new.step()
    embedded = new.progress().embedded
    assert 0 < embedded < 40
    steal(house.store, clock, "reembedding")
    eventually(lambda: not new._lease.take())
    assert not new.step()
    assert new.progress().embedded == embedded
