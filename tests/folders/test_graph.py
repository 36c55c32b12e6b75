"""The graph of symbols is told what has changed of a source tree, and everything when in doubt."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from commonplace.codegraph.extraction.coding import decoded
from commonplace.codegraph.extraction.extract import extract
from commonplace.codegraph.service.graph import CodeGraph
from commonplace.model.actor import Actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.workspace import FileState, IndexStatus, Resource
from commonplace.reading.pool import PooledProcesses
from commonplace.workspace.indexing import graph
from commonplace.workspace.indexing.drafts import content_hash
from commonplace.workspace.indexing.graph import FactsInPassing, ReadFile, TakeFacts
from commonplace.workspace.runs.outcome import RunMode, RunRequest
from tests.features.codegraph.folders import Here
from tests.folders.yard import Yard
from tests.generate import ALICE
from tests.processes import wall_clock
from tests.stores import open_store


class Recorder:
    """Remembers what it was told."""

    def __init__(self) -> None:
        self.told: list[tuple[dict[str, bytes] | None, int]] = []
        self.facts: TakeFacts = _nothing

    def update(
        self,
        actor: Actor,
        resource: Resource,
        changed: Collection[str] | None,
        removed: Sequence[int],
        read: ReadFile,
        call: Call,
        facts: TakeFacts,
    ) -> None:
        call.check()
        assert (actor, resource.id) == (ALICE, "res_yard")
        self.facts = facts
        texts = None if changed is None else {path: read(_state(path)) for path in changed}
        self.told.append((texts, len(removed)))


def _state(path: str, text: bytes = b"") -> FileState:
    return FileState(0, path, content_hash(text), 0, 0, 0)


def _nothing(_state: FileState) -> bytes | None:
    return None


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


def test_it_is_given_the_facts_of_what_was_chunked(
    yard: Yard, root: Path, recorder: Recorder
) -> None:
    (root / "empty.py").write_text("")
    (root / "made.js").write_text("x=1;" * 50_000)
    (root / "notes.md").write_text("# Notes\n\nNo code.\n")
    yard.runs.ingest(ALICE, RunRequest())

    for path in ("a.ts", "empty.py", "made.js"):
        text = (root / path).read_bytes()
        given = recorder.facts(_state(path, text))
        assert given is not None
        assert decoded(path, given).facts == extract(path, text)
    assert recorder.facts(_state("b.ts", b"an older version")) is None
    assert recorder.facts(_state("notes.md", (root / "notes.md").read_bytes())) is None


class _Counting(Here):
    """A process that parses, and how often it did."""

    asked = 0

    def ask(
        self, question: Mapping[str, Any], data: bytes, call: Call = PLAIN_CALL
    ) -> dict[str, Any]:
        self.asked += 1
        return super().ask(question, data, call)


def test_a_file_is_parsed_once(tmp_path: Path, root: Path) -> None:
    store, parser = open_store(str(tmp_path / "index.db"), wall_clock), _Counting()
    yard = Yard(store, CodeGraph(store, PooledProcesses([parser])))
    resource = yard.attach(root)
    try:
        yard.runs.ingest(ALICE, RunRequest())
        (root / "a.ts").write_text("export const other = 2;\n")
        yard.runs.ingest(ALICE, RunRequest())
        with store.read(ALICE) as tx:
            names = {each.name for each in tx.graph.named(["other", "b"], [resource.key], 9)}
    finally:
        yard.close()
        store.close()
    assert names == {"other", "b"}
    assert parser.asked == 0


def test_facts_are_kept_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph, "_MOST_BYTES", 10)
    kept = FactsInPassing()
    kept.keep(_state("a.ts"), b"12345678")
    kept.keep(_state("b.ts"), b"123")
    assert kept.take(_state("a.ts")) == b"12345678"
    assert kept.take(_state("a.ts")) is None
    assert kept.take(_state("b.ts")) is None
