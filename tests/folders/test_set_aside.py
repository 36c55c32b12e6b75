"""A folder whose reading ended its workers: it says so, and nobody begins it again unasked."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from commonplace.model.actor import upkeep_actor
from commonplace.model.run import RunKind
from commonplace.model.workspace import (
    AttachmentDraft,
    IndexStatus,
    KnowledgeType,
    Resource,
    ResourceDraft,
    ResourceKind,
)
from commonplace.reading.watching import FolderWatcher
from commonplace.worker.retry import MAX_CRASHES, SET_ASIDE
from commonplace.worker.service.loop import Worker
from commonplace.workspace.projects.policy import url_of
from commonplace.workspace.runs.outcome import Execution, RunRequest, TargetOutcome
from commonplace.workspace.watching.service import FolderWatch, Pace
from tests.folders.yard import Yard
from tests.generate import ALICE
from tests.stores import Database, SteppingClock
from tests.waiting import eventually

LEASE_SECONDS = 16.0
PATIENCE = 60.0


@pytest.fixture
def yard(database: Database) -> Iterator[Yard]:
    yard = Yard(database.open())
    yield yard
    yard.close()


def attach(yard: Yard, root: Path) -> str:
    """A folder with one page; the id of its resource. They are watched in the order of names."""
    root.mkdir()
    (root / "page.md").write_text("# Pump\n\nOil the pump.\n")
    id, place = f"res_{root.name}", url_of(str(root))
    draft = ResourceDraft(id, ResourceKind.FOLDER, KnowledgeType.CODE, place, root.name)
    with yard.store.write(ALICE) as tx:
        resource = tx.resources.insert(draft)
        tx.attachments.insert(AttachmentDraft(f"att_{root.name}", resource.key, None, root.name))
    return id


def resource_of(yard: Yard, id: str) -> Resource:
    with yard.store.read(ALICE) as tx:
        resource = tx.resources.get(id)
    assert resource is not None
    return resource


def work(yard: Yard, clock: SteppingClock) -> None:
    handlers = {RunKind.INGEST: yard.runs.process}
    give_up = {RunKind.INGEST: yard.runs.set_aside}
    worker = Worker(yard.store, yard.model, clock, handlers, 300.0, give_up_handlers=give_up)
    assert worker.drain(PATIENCE)


def end_workers(yard: Yard, clock: SteppingClock, id: str) -> None:
    """What is left by workers that died with it."""
    yard.runs.ingest(ALICE, RunRequest(resource_ids=(id,), execution=Execution.BACKGROUND))
    for _ in range(MAX_CRASHES):
        with yard.store.write(upkeep_actor(ALICE.org)) as tx:
            assert tx.runs.claim(tx.now + timedelta(seconds=LEASE_SECONDS - 1)) is not None
        clock.advance(LEASE_SECONDS)


def queued(yard: Yard) -> list[str]:
    with yard.store.read(ALICE) as tx:
        runs = [tx.runs.get(run.id) for run in tx.runs.recent(100)]
    return [target.subject["resource"] for run in runs if run for target in run.targets]


def test_a_folder_that_ends_its_workers_says_so(
    yard: Yard, clock: SteppingClock, tmp_path: Path
) -> None:
    id = attach(yard, tmp_path / "deadly")
    end_workers(yard, clock, id)
    work(yard, clock)
    indexing = resource_of(yard, id).indexing
    assert (indexing.status, indexing.error) == (IndexStatus.FAILED, SET_ASIDE)

    (target,) = yard.runs.ingest(ALICE, RunRequest()).targets
    assert target.outcome is TargetOutcome.READY
    indexing = resource_of(yard, id).indexing
    assert (indexing.status, indexing.error) == (IndexStatus.READY, None), "it was asked for"


def test_the_watch_leaves_a_folder_alone_that_was_set_aside(
    yard: Yard, clock: SteppingClock, tmp_path: Path
) -> None:
    deadly, harmless = (attach(yard, tmp_path / name) for name in ("a_deadly", "b_harmless"))
    yard.runs.ingest(ALICE, RunRequest())
    end_workers(yard, clock, deadly)
    work(yard, clock)
    before = queued(yard)
    for name in ("a_deadly", "b_harmless"):
        (tmp_path / name / "page.md").write_text("# Pump\n\nOil it twice.\n")

    pace = Pace(look=0.1, sweep=0.2, rest=0.1)
    watch = FolderWatch(yard.store, FolderWatcher(), yard.runs, pace)
    stop = threading.Event()
    watching = threading.Thread(target=watch.run, args=(stop,))
    watching.start()
    eventually(lambda: harmless in queued(yard)[: -len(before)], PATIENCE)
    stop.set()
    watching.join()

    # The deadly one was looked at first.
    assert set(queued(yard)[: -len(before)]) == {harmless}
    assert resource_of(yard, deadly).indexing.error == SET_ASIDE
