"""Whatever happens to a folder while it is read: in the end its index is that of a rebuild."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import pytest

from commonplace.model.call import Call
from commonplace.model.run import RunKind
from commonplace.model.workspace import IndexStatus
from commonplace.reading.watching import FolderWatcher
from commonplace.worker.service.loop import Worker
from commonplace.workspace.runs.outcome import Execution, RunMode, RunRequest, TargetOutcome
from commonplace.workspace.watching.service import FolderWatch, Pace
from tests.folders.conftest import NewYard
from tests.folders.yard import Yard, plant, rows, stir
from tests.generate import ALICE
from tests.processes import wall_clock
from tests.stores import open_store
from tests.waiting import at_some_moment, eventually, patiently

BACKGROUND = RunRequest(execution=Execution.BACKGROUND)
PATIENCE = 60.0
QUICK = Pace(look=0.3, sweep=1.0, rest=0.3)


class Loop(Protocol):
    def run(self, stop: threading.Event) -> None: ...


def worker(yard: Yard) -> Worker:
    handlers = {RunKind.INGEST: yard.runs.process}
    return Worker(yard.store, yard.model, wall_clock, handlers, 300.0)


def fresh_rows(new_yard: NewYard, root: Path) -> list[object]:
    yard = new_yard(f"fresh{time.monotonic_ns()}")
    yard.attach(root)
    (target,) = yard.runs.ingest(ALICE, RunRequest(mode=RunMode.REBUILD)).targets
    assert target.outcome is TargetOutcome.READY, target.reading.error
    return rows(yard.store)


@contextmanager
def beside(*loops: Loop) -> Iterator[None]:
    """Loops that run until the end of the block."""
    stop = threading.Event()
    threads = [threading.Thread(target=each.run, args=(stop,)) for each in loops]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def changing_while_read(new_yard: NewYard, root: Path, files: int, changes: int) -> None:
    dice = plant(root, files)
    yard = new_yard("index")
    yard.attach(root)
    yard.runs.ingest(ALICE, BACKGROUND)
    with beside(worker(yard)):
        for _ in range(changes):
            stir(root, dice)
            at_some_moment(dice, 0.05)
            if dice.random() < 0.2:
                yard.runs.ingest(ALICE, BACKGROUND)
    while not worker(yard).drain(PATIENCE):
        pass
    yard.runs.ingest(ALICE, RunRequest())
    assert rows(yard.store) == fresh_rows(new_yard, root)


def test_files_change_while_they_are_read(new_yard: NewYard, tmp_path: Path) -> None:
    changing_while_read(new_yard, tmp_path / "root", files=60, changes=40)


@pytest.mark.soak
def test_files_change_for_long_while_they_are_read(new_yard: NewYard, tmp_path: Path) -> None:
    changing_while_read(new_yard, tmp_path / "root", files=600, changes=1500)


def ingest_and_say_so(address: str, begun: str) -> None:
    """In a process of its own, which is killed."""
    yard = Yard(open_store(address, wall_clock))
    Path(begun).touch()
    yard.runs.ingest(ALICE, RunRequest())


def killed_half_way(new_yard: NewYard, tmp_path: Path, kills: int) -> None:
    root, dice = tmp_path / "root", random.Random(7)
    plant(root, 80)
    yard = new_yard("index")
    yard.attach(root)
    spawn = multiprocessing.get_context("spawn")
    for number in range(kills):
        begun = tmp_path / f"begun{number}"
        given = (str(tmp_path / "index.db"), str(begun))
        process = spawn.Process(target=ingest_and_say_so, args=given)
        process.start()
        eventually(begun.exists, look=0.01)
        at_some_moment(dice, 0.8)
        assert process.pid is not None
        os.kill(process.pid, signal.SIGKILL)
        process.join()
        stir(root, dice)
    wanted = fresh_rows(new_yard, root)
    # The lease of who was killed has to run out.
    for _ in patiently(PATIENCE, look=0.2):
        if rows(yard.store) == wanted:
            break
        yard.runs.ingest(ALICE, RunRequest())
    assert rows(yard.store) == wanted


def test_an_ingest_is_killed_half_way(new_yard: NewYard, tmp_path: Path) -> None:
    killed_half_way(new_yard, tmp_path, kills=2)


@pytest.mark.soak
def test_many_ingests_are_killed_half_way(new_yard: NewYard, tmp_path: Path) -> None:
    killed_half_way(new_yard, tmp_path, kills=40)


def watched_by_two(new_yard: NewYard, root: Path, changes: int) -> None:
    dice = plant(root, 30)
    yards = [new_yard("index"), new_yard("index")]
    resource = yards[0].attach(root)
    yards[0].runs.ingest(ALICE, RunRequest())
    watches = [FolderWatch(yard.store, FolderWatcher(), yard.runs, QUICK) for yard in yards]
    with beside(*watches, *map(worker, yards)):
        for _ in range(changes):
            stir(root, dice)
            at_some_moment(dice, 0.1)
        wanted = fresh_rows(new_yard, root)
        eventually(lambda: rows(yards[1].store) == wanted, PATIENCE, look=0.2)
        with yards[0].store.read(ALICE) as tx:
            watched = tx.resources.get(resource.id)
        assert watched is not None
        assert watched.indexing.watched_until is not None
        assert watched.indexing.watched_until > wall_clock()


def test_two_servers_watch_the_same_folder(new_yard: NewYard, tmp_path: Path) -> None:
    watched_by_two(new_yard, tmp_path / "root", changes=15)


@pytest.mark.soak
def test_two_servers_watch_the_same_folder_for_long(new_yard: NewYard, tmp_path: Path) -> None:
    watched_by_two(new_yard, tmp_path / "root", changes=1500)


def test_a_first_reading_that_was_broken_off_is_finished_by_who_watches(
    new_yard: NewYard, tmp_path: Path
) -> None:
    root = tmp_path / "root"
    plant(root, 30)
    yard = new_yard("index")
    resource = yard.attach(root)
    looks = iter(range(20))

    def ended() -> None:
        """As where the process ends: nobody says anything of the resource any more."""
        if next(looks, None) is None:
            raise SystemExit

    with pytest.raises(SystemExit):
        yard.runs.ingest(ALICE, RunRequest(), Call(check=ended))
    with yard.store.read(ALICE) as tx:
        left = tx.resources.get(resource.id)
    assert left is not None
    assert (left.indexing.status, left.indexing.indexed_at) == (IndexStatus.INDEXING, None)
    wanted = fresh_rows(new_yard, root)
    watch = FolderWatch(yard.store, FolderWatcher(), yard.runs, QUICK)
    with beside(watch, worker(yard)):
        eventually(lambda: rows(yard.store) == wanted, PATIENCE, look=0.2)


def test_one_changed_file_touches_only_its_chunks(new_yard: NewYard, tmp_path: Path) -> None:
    root = tmp_path / "root"
    plant(root, 12)
    yard = new_yard("index")
    yard.attach(root)
    yard.runs.ingest(ALICE, RunRequest())
    yard.embedder.batches.clear()
    changed = min(root.rglob("*.ts"))
    changed.write_text(f"{changed.read_text()}\nexport function brandNew() {{ return 1; }}\n")

    (target,) = yard.runs.ingest(ALICE, RunRequest()).targets

    assert target.reading.written == 1
    assert len(yard.embedder.embedded) == 1
    assert "brandNew" in yard.embedder.embedded[0]


def test_the_same_file_in_another_tree_is_not_embedded_again(
    new_yard: NewYard, tmp_path: Path
) -> None:
    root = tmp_path / "root"
    plant(root, 6)
    yard = new_yard("index")
    yard.attach(root)
    yard.runs.ingest(ALICE, RunRequest())
    yard.embedder.batches.clear()
    original = min(root.rglob("*.ts"))
    copy = root / "copied" / original.relative_to(root)
    copy.parent.mkdir(parents=True)
    copy.write_text(original.read_text())

    (target,) = yard.runs.ingest(ALICE, RunRequest()).targets

    assert target.reading.written == 1
    assert yard.embedder.embedded == []


def test_progress_is_told_while_files_are_read_and_embedded(
    new_yard: NewYard, tmp_path: Path
) -> None:
    root = tmp_path / "root"
    plant(root, 50)
    yard = new_yard("index")
    yard.attach(root)
    told: list[tuple[int, int, str]] = []

    yard.runs.ingest(ALICE, RunRequest(), Call(progress=lambda *said: told.append(said)))

    reached = [done for done, _total, _message in told]
    assert reached == sorted(set(reached))
    assert (50, 50, "yard: 50 of 50 files") in told
    assert any("chunks embedded" in message for _done, _total, message in told)
    assert told[-1][0] == told[-1][1]
