"""The graph of symbols is told what has changed of a source tree, and everything when in doubt."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import pytest

from commonplace.model.actor import Actor
from commonplace.model.call import Call
from commonplace.model.workspace import FileState, IndexStatus, Resource
from commonplace.workspace.indexing.graph import ReadFile
from commonplace.workspace.runs.outcome import RunMode, RunRequest
from tests.folders.yard import Yard
from tests.generate import ALICE
from tests.processes import wall_clock
from tests.stores import open_store


class Recorder:
    """Remembers what it was told."""

    def __init__(self) -> None:
        self.told: list[tuple[dict[str, bytes] | None, int]] = []

    def update(
        self,
        actor: Actor,
        resource: Resource,
        changed: Collection[str] | None,
        removed: Sequence[int],
        read: ReadFile,
        call: Call,
    ) -> None:
        call.check()
        assert (actor, resource.id) == (ALICE, "res_yard")
        texts = None if changed is None else {path: read(_state(path)) for path in changed}
        self.told.append((texts, len(removed)))


def _state(path: str) -> FileState:
    return FileState(0, path, "", 0, 0, 0)


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


@pytest.fixture
def yard(tmp_path: Path, recorder: Recorder) -> Iterator[Yard]:
    store = open_store(str(tmp_path / "index.db"), wall_clock)
    made = Yard(store, recorder)
    made.attach(tmp_path / "root")
    yield made
    made.close()
    store.close()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "root"
    folder.mkdir()
    for name in ("a.ts", "b.ts", "c.ts"):
        (folder / name).write_text(f"export const {name[0]} = 1;\n")
    return folder


def test_it_is_told_what_has_changed(yard: Yard, root: Path, recorder: Recorder) -> None:
    yard.runs.ingest(ALICE, RunRequest())
    assert recorder.told == [(None, 0)]
    recorder.told.clear()

    yard.runs.ingest(ALICE, RunRequest())
    assert recorder.told == []

    (root / "a.ts").write_text("export const other = 2;\n")
    (root / "b.ts").unlink()
    (root / "c.ts").rename(root / "d.ts")
    yard.runs.ingest(ALICE, RunRequest())
    assert recorder.told == [
        ({"a.ts": b"export const other = 2;\n", "d.ts": b"export const c = 1;\n"}, 1)
    ]


def test_it_is_told_everything_by_a_rebuild_and_after_a_run_that_did_not_end(
    yard: Yard, root: Path, recorder: Recorder
) -> None:
    yard.runs.ingest(ALICE, RunRequest())
    yard.runs.ingest(ALICE, RunRequest(mode=RunMode.REBUILD))
    with yard.store.write(ALICE) as tx:
        resource = tx.resources.get("res_yard")
        assert resource is not None
        tx.resources.settle(resource, IndexStatus.INDEXING)
    subject = {"resource": "res_yard", "anew": False, "whole": False}
    yard.runs.process(ALICE, subject)

    assert recorder.told == [(None, 0)] * 3
    assert sorted(path.name for path in root.iterdir()) == ["a.ts", "b.ts", "c.ts"]
