"""One run over a folder: reads, chunks and stores what has changed, batch by batch.

Each batch is a short transaction that checks the resource's generation: a run that was superseded
stops, and the next run continues from what it has stored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from commonplace.errors import SourceError
from commonplace.model.actor import Actor
from commonplace.model.call import Call
from commonplace.model.chunk import ChunkDraft, Owner, OwnerType
from commonplace.model.folder import FolderFile, Unread
from commonplace.model.workspace import FileState, KnowledgeType, Resource
from commonplace.reading.port import Original, ProcessPool, Reader
from commonplace.storage.port import Store, Transaction
from commonplace.workspace.indexing.drafts import (
    drafts_in,
    facts_in,
    file_language,
    is_prose,
    is_wanted,
    metadata_of,
    prose_drafts,
)
from commonplace.workspace.indexing.graph import GraphIndexer
from commonplace.workspace.indexing.plan import Plan, is_edit, plan_of, suspects
from commonplace.workspace.indexing.priorities import as_edited
from commonplace.workspace.indexing.progress import Phases
from commonplace.workspace.indexing.service.files import FolderFiles

# A transaction this small leaves others waiting for a tenth of a second.
_BATCH_FILES = 32
_BATCH_CHUNKS = 128


@dataclass(frozen=True, slots=True)
class _Cut:
    """A file as it was read and chunked; without `drafts` if it contains no searchable text."""

    state: FileState
    drafts: Sequence[ChunkDraft]
    problem: str = ""
    facts: bytes | None = None


class Overtaken(Exception):
    """The resource was queued again or deleted, so this run no longer counts."""


class FolderRun:
    """One run over the files of one resource."""

    def __init__(
        self,
        store: Store,
        reader: Reader,
        pool: ProcessPool,
        graph: GraphIndexer,
        actor: Actor,
        resource: Resource,
        files: FolderFiles,
        call: Call,
    ) -> None:
        self._store = store
        self._reader = reader
        self._pool = pool
        self._graph = graph
        self._actor = actor
        self._resource = resource
        self._files = files
        self._call = call
        self._phases = Phases(call)

    def make_searchable(
        self, known: Sequence[FileState], *, anew: bool
    ) -> tuple[Plan, list[Unread]]:
        """Make the folder searchable by words; returns the plan and what could not be read."""
        listing = self._files.list(self._call)
        knowledge_type = self._resource.knowledge_type
        found = [each for each in listing.files if is_wanted(each.path, knowledge_type)]
        seen, unread = self._looked_at(suspects(known, found, anew=anew))
        there = [each for each in found if each.path not in unread]
        hashes = {path: state.content_hash for path, state in seen.items()}
        plan = plan_of(known, there, hashes, anew=anew)
        problems = self._write(plan, edited=not anew and is_edit(known, plan))
        self._touch(plan, seen)
        self._remove(plan)
        return plan, [*problems, *listing.unread, *unread.values()]

    def link(self, plan: Plan, *, whole: bool) -> None:
        """Tell the graph what has changed, or everything after a run that did not finish."""
        # Words are found before links are known: what chunking has learned of the code is kept
        # until then, but neither its bytes nor its trees.
        files = self._files
        new = {*plan.written, *(move.path for move in plan.moved)}
        gone = [state.key for state in plan.gone]

        def read(state: FileState) -> bytes:
            return files.read(state.path)[1]

        changed = None if whole else new
        call = self._phases.next()
        self._graph.update(self._actor, self._resource, changed, gone, read, call, files.facts.take)

    def _looked_at(
        self, suspected: Sequence[FolderFile]
    ) -> tuple[dict[str, FileState], dict[str, Unread]]:
        """The present states of files, and those that cannot be read; both by path."""
        seen: dict[str, FileState] = {}
        unread: dict[str, Unread] = {}
        for each in suspected:
            self._call.check()
            try:
                seen[each.path] = self._files.state(each.path)[0]
            except SourceError as error:
                unread[each.path] = Unread(each.path, error.message)
        return seen, unread

    def _write(self, plan: Plan, *, edited: bool) -> list[Unread]:
        """Store moved files first, while their old rows are there, then new ones, in batches."""
        moves = {move.path: move.known for move in plan.moved}
        call = self._phases.next()
        problems: list[Unread] = []
        total = len(moves) + len(plan.written)
        done = 0
        for batch in self._batches((*moves, *plan.written), call):
            with self._writing() as tx:
                for cut in batch:
                    drafts = as_edited(cut.drafts) if edited else cut.drafts
                    _put(tx, self._resource, replace(cut, drafts=drafts), moves)
                call.check()
            problems += [Unread(c.state.path, c.problem) for c in batch if c.problem]
            self._keep_facts(batch)
            done += len(batch)
            call.progress(done, total, f"{self._resource.name}: {done} of {total} files")
        return problems

    def _keep_facts(self, batch: Sequence[_Cut]) -> None:
        """Keep the facts of code until the graph asks for them."""
        if self._resource.knowledge_type is KnowledgeType.CODE:
            for cut in batch:
                if cut.facts is not None:
                    self._files.facts.keep(cut.state, cut.facts)

    def _touch(self, plan: Plan, seen: Mapping[str, FileState]) -> None:
        """Remember the new times of unchanged files, so that they are not read again."""
        times = {path: state.modified_ns for path, state in seen.items()}
        later = [each for each in plan.touched if each.modified_ns != times[each.path]]
        for start in range(0, len(later), _BATCH_CHUNKS):
            with self._writing() as tx:
                for state in later[start : start + _BATCH_CHUNKS]:
                    touched = replace(state, modified_ns=times[state.path])
                    tx.files.put(self._resource.key, touched)

    def _remove(self, plan: Plan) -> None:
        for start in range(0, len(plan.gone), _BATCH_FILES):
            with self._writing() as tx:
                remove_files(tx, plan.gone[start : start + _BATCH_FILES])

    def _batches(self, paths: Sequence[str], call: Call) -> Iterator[list[_Cut]]:
        batch: list[_Cut] = []
        for cut in self._pool.ahead(self._cut, paths, call):
            if cut is None:
                continue
            batch.append(cut)
            if len(batch) >= _BATCH_FILES or _chunks(batch) >= _BATCH_CHUNKS:
                yield batch
                batch = []
        if batch:
            yield batch

    def _cut(self, path: str, call: Call) -> _Cut | None:
        """The chunks of a file; None if it vanished after it was listed.

        Reads the file again after `_looked_at`, because the suspects do not all fit into memory.
        """
        try:
            state, data = self._files.state(path)
        except SourceError:
            return None
        try:
            drafts, facts, problem = self._read_text(path, data, call)
        except SourceError as error:
            return _Cut(state, (), error.message)
        language = file_language(path) if drafts else None
        state = replace(state, chunk_count=len(drafts), language=language)
        return _Cut(state, drafts, problem, facts)

    def _read_text(
        self, path: str, data: bytes, call: Call
    ) -> tuple[list[ChunkDraft], bytes | None, str]:
        """The chunks of a file, its facts if it is code, and why there is no text, if so."""
        if not is_prose(path):
            answer = self._pool.ask({"path": path}, data, call)
            return drafts_in(answer), facts_in(answer), answer["problem"]
        if not data.strip():
            return [], None, ""
        return prose_drafts(self._reader.read(Original(data, path), call), path), None, ""

    @contextmanager
    def _writing(self) -> Iterator[Transaction]:
        with self._store.write(self._actor) as tx:
            held = tx.resources.lock(self._resource.key)
            if held is None or held.indexing.generation != self._resource.indexing.generation:
                raise Overtaken
            yield tx


def remove_files(tx: Transaction, states: Sequence[FileState]) -> None:
    """Remove files together with their chunks."""
    for state in states:
        tx.chunks.remove(Owner(OwnerType.DOCUMENT, state.key))
    tx.files.remove([state.key for state in states])


def _put(tx: Transaction, resource: Resource, cut: _Cut, moves: Mapping[str, FileState]) -> None:
    path = cut.state.path
    if moved := moves.get(path):
        _cut_into(tx, resource, moved.key, cut)
        tx.files.move(moved.key, path, cut.state.modified_ns)
        tx.files.put(resource.key, cut.state)
        return
    _cut_into(tx, resource, tx.files.put(resource.key, cut.state), cut)


def _cut_into(tx: Transaction, resource: Resource, key: int, cut: _Cut) -> None:
    metadata = metadata_of(resource, cut.state.path)
    tx.chunks.replace(Owner(OwnerType.DOCUMENT, key), metadata, cut.drafts)


def _chunks(batch: Sequence[_Cut]) -> int:
    return sum(len(cut.drafts) for cut in batch)
