"""Folders of code without a disk: what a store and a graph see of files that come and go."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from textwrap import dedent
from typing import Any

from commonplace.codegraph.keeping.offloading import extract_some
from commonplace.codegraph.service.graph import CodeGraph
from commonplace.errors import SourceUnreadable
from commonplace.model.actor import Actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.workspace import (
    AttachmentDraft,
    FileState,
    KnowledgeType,
    Resource,
    ResourceDraft,
    ResourceKind,
)
from commonplace.reading.pool import PooledProcesses
from commonplace.storage.port import Store
from tests.generate import ALICE


class Here:
    """Implements reading.port.ChildProcess in this process."""

    def ask(
        self, question: Mapping[str, Any], data: bytes, call: Call = PLAIN_CALL
    ) -> dict[str, Any]:
        call.check()
        return extract_some(dict(question), data)

    def close(self) -> None:
        """Nothing to give back."""


class Fragile(Here):
    """Breaks on some files, as a grammar may."""

    def ask(
        self, question: Mapping[str, Any], data: bytes, call: Call = PLAIN_CALL
    ) -> dict[str, Any]:
        if b"break the grammar" in data:
            raise SourceUnreadable("The file crashed the program that reads it.")
        return super().ask(question, data, call)


def graph_on(store: Store) -> CodeGraph:
    return CodeGraph(store, PooledProcesses([Here(), Here()]))


@dataclass
class Folder:
    """One attached folder; `write` makes its files be these and no others."""

    store: Store
    graph: CodeGraph
    name: str = "app"
    project: str | None = None
    actor: Actor = ALICE
    texts: dict[str, bytes] = field(default_factory=dict)
    resource: Resource = field(init=False)

    def __post_init__(self) -> None:
        with self.store.write(self.actor) as tx:
            draft = ResourceDraft(
                f"res_{self.name}", ResourceKind.FOLDER, KnowledgeType.CODE,
                f"file:///{self.name}", self.name,
            )  # fmt: skip
            self.resource = tx.resources.insert(draft)
            tx.attachments.insert(
                AttachmentDraft(f"att_{self.name}", self.resource.key, self.project, self.name)
            )

    def write(self, files: Mapping[str, str], call: Call = PLAIN_CALL) -> None:
        new = {path: dedent(text).encode() for path, text in files.items()}
        changed = [path for path in new if self.texts.get(path) != new[path]]
        with self.store.write(self.actor) as tx:
            known = {state.path: state for state in tx.files.of_resource(self.resource.key)}
            removed = [state.key for path, state in known.items() if path not in new]
            tx.files.remove(removed)
            for path in changed:
                tx.files.put(self.resource.key, _state(path, new[path]))
        self.texts = new
        self.graph.update(
            self.actor,
            self.resource,
            changed,
            removed,
            lambda state: new[state.path],
            call,
        )

    def key(self, path: str) -> int:
        with self.store.read(self.actor) as tx:
            states = tx.files.of_resource(self.resource.key)
        return next(state.key for state in states if state.path == path)


def _state(path: str, data: bytes) -> FileState:
    return FileState(0, path, hashlib.sha256(data).hexdigest(), 1, len(data), 0)


def told(*folders: Folder) -> list[str]:
    """The whole graph in words, without keys: equal for equal graphs."""
    names_of = {folder.resource.key: folder.name for folder in folders}
    with folders[0].store.read(folders[0].actor) as tx:
        files = tx.code_files.of_resources(sorted(names_of))
        tallies = tx.code_files.tallies(sorted(names_of))
        paths = {file.key: f"{names_of[file.resource_key]}/{file.path}" for file in files}
        symbols = {each.key: each for each in tx.graph.symbols_of(sorted(paths))}
        edges = tx.graph.edges_from(sorted(paths))
    names = {
        key: f"{paths[each.document_key]}:{each.line} {each.path} ({each.kind})"
        for key, each in symbols.items()
    }
    lines = [
        f"{paths[edge.document_key]} {names.get(edge.source_key or -1, '-')} {edge.use} "
        f"{edge.name} {edge.lines} -> {names[edge.target_key] if edge.target_key else '?'} "
        f"{edge.rank} {edge.resolution} {edge.confidence:.3f}"
        for edge in edges
    ]
    counts = [f"{paths[file.key]} {file.language} {_plain(tallies[file.key])}" for file in files]
    return sorted(lines) + sorted(names.values()) + sorted(counts)


def _plain(tally: Any) -> str:
    return f"{sorted(tally.symbols.items())} {sorted(tally.references.items())} {tally.resolved}"


_ORGS = count(1)


def written_and_rebuilt(store: Store, versions: Sequence[dict[str, str]]) -> tuple[Folder, Folder]:
    """A folder that went through versions of its files, and one that began with the last."""
    graph = graph_on(store)
    changed, rebuilt = (
        Folder(store, graph, actor=replace(ALICE, org=f"org-{next(_ORGS)}")) for _ in range(2)
    )
    for files in versions:
        changed.write(files)
    rebuilt.write(versions[-1])
    return changed, rebuilt
