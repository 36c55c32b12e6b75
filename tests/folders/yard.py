"""A folder that changes, and what the index holds of it, compared row by row with a fresh one."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from commonplace.model.actor import Actor
from commonplace.model.call import Call
from commonplace.model.chunk import Owner, OwnerType
from commonplace.model.query import ANYTHING
from commonplace.model.workspace import (
    AttachmentDraft,
    KnowledgeType,
    Resource,
    ResourceDraft,
    ResourceKind,
)
from commonplace.reading.child_process import PipedChildProcess, ProcessLimits
from commonplace.reading.extraction import ReadingLimits
from commonplace.reading.folders import DiskFolders, FolderLimits
from commonplace.reading.git_log import GitLog
from commonplace.reading.pool import PooledProcesses
from commonplace.reading.sandbox import SandboxedReader
from commonplace.storage.port import Store
from commonplace.worker.service.embedding import WaitingChunks
from commonplace.workspace.history.service import FolderHistory
from commonplace.workspace.indexing.graph import GraphIndexer, ReadFile, TakeFacts
from commonplace.workspace.indexing.service.indexer import FolderIndexer
from commonplace.workspace.projects.policy import url_of
from commonplace.workspace.runs.service import RunService
from tests.features.embedders import GramEmbedder
from tests.generate import ALICE
from tests.models import always

CUTTING = "commonplace.workspace.indexing.drafts:chunks_of_text"
_WORDS = ("retry", "refund", "gateway", "ledger", "invoice", "tax", "order", "stock")


class Ungraphed:
    """A graph that keeps nothing, for tests of all that comes before it."""

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
        pass


UNGRAPHED = Ungraphed()


class Yard:
    """The parts that read folders on one store; closed at the end of a test."""

    def __init__(self, store: Store, graph: GraphIndexer = UNGRAPHED) -> None:
        self.store = store
        self.embedder = GramEmbedder()
        self._reader = SandboxedReader(ReadingLimits())
        self._cutters = PooledProcesses(
            [PipedChildProcess(CUTTING, ProcessLimits()) for _ in range(2)]
        )
        folders = DiskFolders(FolderLimits())
        self.indexer = FolderIndexer(store, folders, self._reader, self._cutters, graph)
        self.model = always(self.embedder)
        self.history = FolderHistory(store, GitLog(), str, most=5)
        chunks = WaitingChunks(store, self.model)
        self.runs = RunService(store, chunks, self.indexer, self.history)

    def close(self) -> None:
        self._reader.close()
        self._cutters.close()

    def attach(self, root: Path, actor: Actor = ALICE) -> Resource:
        draft = ResourceDraft(
            "res_yard", ResourceKind.FOLDER, KnowledgeType.CODE, url_of(str(root)), "yard"
        )
        with self.store.write(actor) as tx:
            resource = tx.resources.insert(draft)
            tx.attachments.insert(AttachmentDraft("att_yard", resource.key, None, "yard"))
        return resource


def rows(store: Store, actor: Actor = ALICE) -> list[Any]:
    """All that is derived from the folder, but keys and times."""
    with store.read(actor) as tx:
        resource = tx.resources.get("res_yard")
        assert resource is not None
        found: list[Any] = []
        for state in tx.files.of_resource(resource.key):
            chunks = tx.chunks.page(Owner(OwnerType.DOCUMENT, state.key), 10_000, 0)
            terms = {each.key: each for each in tx.chunks.terms([c.key for c in chunks], ANYTHING)}
            found.append(
                (state.path, state.content_hash, state.chunk_count, state.size, state.language)
            )
            found += [
                (
                    chunk.ordinal,
                    chunk.text,
                    chunk.context,
                    chunk.position,
                    chunk.symbol,
                    chunk.headings,
                    chunk.token_count,
                    (chunk.metadata.kind, chunk.metadata.path, chunk.metadata.language),
                    (terms[chunk.key].terms, terms[chunk.key].context_terms),
                )
                for chunk in chunks
            ]
    return found


def plant(root: Path, files: int, seed: int = 1) -> random.Random:
    """Code and pages; the dice for what happens to them next."""
    dice = random.Random(seed)
    for number in range(files):
        write(root, number, dice)
    return dice


def write(root: Path, number: int, dice: random.Random) -> None:
    words = dice.sample(_WORDS, 4)
    if number % 4 == 0:
        path = root / f"docs/page{number}.md"
        text = f"# {words[0]}\n\n{' '.join(words * 9)}.\n\n## {words[1]}\n\nMore on {words[2]}.\n"
    else:
        path = root / f"src/{words[0]}/file{number}.ts"
        functions = (
            f"export function {word}{number}(x: number) {{\n  return x + {dice.random()};\n}}\n"
            for word in words
        )
        text = "\n".join(functions)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def stir(root: Path, dice: random.Random) -> None:
    """Delete, rename, edit or add one file."""
    files = sorted(path for path in root.rglob("*") if path.is_file())
    what = dice.choice(("delete", "rename", "edit", "add"))
    if what == "add" or len(files) < 4:
        write(root, dice.randrange(1000, 9999), dice)
        return
    chosen = dice.choice(files)
    if what == "delete":
        chosen.unlink()
    elif what == "rename":
        chosen.rename(chosen.with_name(f"moved{dice.randrange(9999)}{chosen.suffix}"))
    else:
        chosen.write_text(f"{chosen.read_text()}\n// {dice.random()}\n")
