"""Indexes one folder: reads, chunks and stores what has changed, batch by batch.

Each batch is a short transaction that checks the resource's generation: a run that was superseded
stops, and the next run continues from what it has stored.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial

from commonplace.errors import (
    CallStopped,
    CommonplaceError,
    LeaseLost,
    SourceError,
    SourceUnreadable,
    StorageError,
)
from commonplace.model.actor import Actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.chunk import ChunkDraft, Owner, OwnerType
from commonplace.model.folder import FolderFile, Listing, Unread
from commonplace.model.workspace import (
    FileState,
    IndexStatus,
    KnowledgeType,
    Resource,
    ResourceKind,
)
from commonplace.reading.port import Folders, Original, ProcessPool, Reader
from commonplace.storage.port import Store, Transaction
from commonplace.workspace.indexing.drafts import (
    content_hash,
    drafts_in,
    facts_in,
    file_language,
    is_prose,
    is_wanted,
    metadata_of,
    prose_drafts,
)
from commonplace.workspace.indexing.graph import FactsInPassing, GraphIndexer
from commonplace.workspace.indexing.plan import Plan, is_edit, plan_of, settled_time, suspects
from commonplace.workspace.indexing.priorities import as_edited
from commonplace.workspace.indexing.progress import Phases
from commonplace.workspace.indexing.reading import NOTHING_READ, OVERTAKEN, Reading
from commonplace.workspace.projects.policy import path_of

_LOG = logging.getLogger("commonplace.workspace.indexing")
_READ_FROM_FILES = (ResourceKind.FOLDER, ResourceKind.PUSHED)
_UNEXPECTED = "An unexpected error; the server's log has the details."
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


@dataclass(frozen=True, slots=True)
class _Files:
    """Where the files of a resource come from, and the facts that chunking them gave. `digests` are
    of files whose bytes are stored."""

    list: Callable[[Call], Listing]
    read: Callable[[str], tuple[FolderFile, bytes]]
    digests: dict[str, str | None] = field(default_factory=dict)
    facts: FactsInPassing = field(default_factory=FactsInPassing)

    def state(self, path: str) -> tuple[FileState, bytes]:
        """A file as it is now, not chunked yet."""
        read_at = time.time_ns()
        found, data = self.read(path)
        modified = settled_time(found, read_at)
        hashed, digest = content_hash(data), self.digests.get(path)
        return FileState(0, path, hashed, 0, found.size, modified, None, digest), data


class _Overtaken(Exception):
    """The resource was queued again or deleted, so this run no longer counts."""


class FolderIndexer:
    """Indexes one folder; `pool` chunks code and other text in child processes."""

    def __init__(
        self,
        store: Store,
        folders: Folders,
        reader: Reader,
        pool: ProcessPool,
        graph: GraphIndexer,
    ) -> None:
        self._store = store
        self._folders = folders
        self._reader = reader
        self._graph = graph
        self._pool = pool

    def bring(
        self, actor: Actor, id: str, call: Call = PLAIN_CALL, *, anew: bool, whole: bool
    ) -> Reading:
        """Bring a folder up to date. A problem with it is returned and becomes its status.

        With `whole` the graph is told of every file, because the run before did not finish.
        """
        resource = self._begin(actor, id)
        if resource is None:
            return OVERTAKEN
        try:
            reading = self._read(actor, resource, call, anew=anew, whole=whole)
        except _Overtaken:
            return OVERTAKEN
        except LeaseLost:
            # The process that holds the lease now sets the status.
            raise
        except (CallStopped, StorageError):
            self._settle(actor, resource, IndexStatus.STALE)
            raise
        except CommonplaceError as error:
            reading = Reading(error=error.message)
        except Exception:  # noqa: BLE001 - a folder that breaks us is a folder in error
            _LOG.exception("reading a folder failed", extra={"resource": resource.id})
            reading = Reading(error=_UNEXPECTED)
        status = IndexStatus.FAILED if reading.error else IndexStatus.READY
        self._settle(actor, resource, status, reading.error or reading.unread_note)
        return reading

    def differs(self, actor: Actor, resource: Resource) -> bool:
        """Whether the folder has changed, judging by its listing without opening files."""
        with self._store.read(actor) as tx:
            known = tx.files.of_resource(resource.key)
        try:
            listing = self._files(actor, resource, known).list(PLAIN_CALL)
        except SourceError:
            return resource.indexing.status is IndexStatus.READY
        found = [each for each in listing.files if is_wanted(each.path, resource.knowledge_type)]
        gone = {state.path for state in known} - {each.path for each in found}
        return bool(gone or suspects(known, found))

    def _begin(self, actor: Actor, id: str) -> Resource | None:
        with self._store.write(actor) as tx:
            resource = tx.resources.get(id)
            if resource is None or not tx.resources.settle(resource, IndexStatus.INDEXING):
                return None
            return resource

    def _settle(
        self, actor: Actor, resource: Resource, status: IndexStatus, error: str | None = None
    ) -> None:
        with self._store.write(actor) as tx:
            tx.resources.settle(resource, status, error)

    def _read(
        self, actor: Actor, resource: Resource, call: Call, *, anew: bool, whole: bool
    ) -> Reading:
        if resource.kind not in _READ_FROM_FILES:
            return NOTHING_READ
        with self._store.read(actor) as tx:
            known = tx.files.of_resource(resource.key)
        files, phases = self._files(actor, resource, known), Phases(call)
        # The known states of a large folder are freed before the graph needs memory.
        plan, problems = self._bring_words(actor, resource, known, files, phases, call, anew=anew)
        del known
        if resource.knowledge_type is KnowledgeType.CODE and (whole or anew or not plan.is_empty):
            self._link(actor, resource, plan, files, phases.next(), whole=whole or anew)
        return Reading(len(plan.written), len(plan.moved), len(plan.gone), tuple(problems))

    def _bring_words(
        self,
        actor: Actor,
        resource: Resource,
        known: Sequence[FileState],
        files: _Files,
        phases: Phases,
        call: Call,
        *,
        anew: bool,
    ) -> tuple[Plan, list[Unread]]:
        """Make the folder searchable by words; returns the plan and what could not be read."""
        listing = files.list(call)
        found = [each for each in listing.files if is_wanted(each.path, resource.knowledge_type)]
        seen, unread = _looked_at(suspects(known, found, anew=anew), files, call)
        there = [each for each in found if each.path not in unread]
        hashes = {path: state.content_hash for path, state in seen.items()}
        plan = plan_of(known, there, hashes, anew=anew)
        problems = self._write(
            actor, resource, plan, files, phases.next(), edited=not anew and is_edit(known, plan)
        )
        self._touch(actor, resource, plan, seen)
        self._remove(actor, resource, plan)
        return plan, [*problems, *listing.unread, *unread.values()]

    def _files(self, actor: Actor, resource: Resource, known: Sequence[FileState]) -> _Files:
        if resource.kind is ResourceKind.FOLDER:
            root = path_of(resource.locator)
            return _Files(
                lambda call: self._folders.list(root, call),
                lambda path: self._folders.read(root, path),
            )
        return _sent_files(self._store, actor, known)

    def _write(
        self,
        actor: Actor,
        resource: Resource,
        plan: Plan,
        files: _Files,
        call: Call,
        *,
        edited: bool,
    ) -> list[Unread]:
        """Store moved files first, while their old rows are there, then new ones, in batches."""
        moves = {move.path: move.known for move in plan.moved}
        problems: list[Unread] = []
        total = len(moves) + len(plan.written)
        done = 0
        for batch in self._batches((*moves, *plan.written), files, call):
            with self._writing(actor, resource) as tx:
                for cut in batch:
                    drafts = as_edited(cut.drafts) if edited else cut.drafts
                    _put(tx, resource, replace(cut, drafts=drafts), moves.get(cut.state.path))
                call.check()
            problems += [Unread(c.state.path, c.problem) for c in batch if c.problem]
            if resource.knowledge_type is KnowledgeType.CODE:
                for cut in batch:
                    if cut.facts is not None:
                        files.facts.keep(cut.state, cut.facts)
            done += len(batch)
            call.progress(done, total, f"{resource.name}: {done} of {total} files")
        return problems

    def _touch(
        self, actor: Actor, resource: Resource, plan: Plan, seen: dict[str, FileState]
    ) -> None:
        """Remember the new times of unchanged files, so that they are not read again."""
        times = {path: state.modified_ns for path, state in seen.items()}
        later = [each for each in plan.touched if each.modified_ns != times[each.path]]
        for start in range(0, len(later), _BATCH_CHUNKS):
            with self._writing(actor, resource) as tx:
                for state in later[start : start + _BATCH_CHUNKS]:
                    tx.files.put(resource.key, replace(state, modified_ns=times[state.path]))

    def _batches(self, paths: Sequence[str], files: _Files, call: Call) -> Iterator[list[_Cut]]:
        batch: list[_Cut] = []
        for cut in self._pool.ahead(partial(self._cut, files), paths, call):
            if cut is None:
                continue
            batch.append(cut)
            if len(batch) >= _BATCH_FILES or _chunks(batch) >= _BATCH_CHUNKS:
                yield batch
                batch = []
        if batch:
            yield batch

    def _cut(self, files: _Files, path: str, call: Call) -> _Cut | None:
        """The chunks of a file; None if it vanished after it was listed.

        Reads the file again after `_looked_at`, because the suspects do not all fit into memory.
        """
        try:
            state, data = files.state(path)
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

    def _remove(self, actor: Actor, resource: Resource, plan: Plan) -> None:
        for start in range(0, len(plan.gone), _BATCH_FILES):
            with self._writing(actor, resource) as tx:
                remove_files(tx, plan.gone[start : start + _BATCH_FILES])

    def _link(
        self,
        actor: Actor,
        resource: Resource,
        plan: Plan,
        files: _Files,
        call: Call,
        *,
        whole: bool,
    ) -> None:
        """Tell the graph what has changed, or everything after a run that did not finish."""
        # Words are found before links are known: what chunking has learned of the code is kept
        # until then, but neither its bytes nor its trees.
        new = {*plan.written, *(move.path for move in plan.moved)}
        gone = [state.key for state in plan.gone]

        def read(state: FileState) -> bytes:
            return files.read(state.path)[1]

        changed = None if whole else new
        self._graph.update(actor, resource, changed, gone, read, call, files.facts.take)

    @contextmanager
    def _writing(self, actor: Actor, resource: Resource) -> Iterator[Transaction]:
        with self._store.write(actor) as tx:
            held = tx.resources.lock(resource.key)
            if held is None or held.indexing.generation != resource.indexing.generation:
                raise _Overtaken
            yield tx


def remove_files(tx: Transaction, states: Sequence[FileState]) -> None:
    """Remove files together with their chunks."""
    for state in states:
        tx.chunks.remove(Owner(OwnerType.DOCUMENT, state.key))
    tx.files.remove([state.key for state in states])


def _put(tx: Transaction, resource: Resource, cut: _Cut, moved: FileState | None) -> None:
    path = cut.state.path
    if moved is not None:
        _cut_into(tx, resource, moved.key, cut)
        tx.files.move(moved.key, path, cut.state.modified_ns)
        tx.files.put(resource.key, cut.state)
        return
    _cut_into(tx, resource, tx.files.put(resource.key, cut.state), cut)


def _cut_into(tx: Transaction, resource: Resource, key: int, cut: _Cut) -> None:
    metadata = metadata_of(resource, cut.state.path)
    tx.chunks.replace(Owner(OwnerType.DOCUMENT, key), metadata, cut.drafts)


def _looked_at(
    suspected: Sequence[FolderFile], files: _Files, call: Call
) -> tuple[dict[str, FileState], dict[str, Unread]]:
    """The present states of files, and those that cannot be read; both by path."""
    seen: dict[str, FileState] = {}
    unread: dict[str, Unread] = {}
    for each in suspected:
        call.check()
        try:
            seen[each.path] = files.state(each.path)[0]
        except SourceError as error:
            unread[each.path] = Unread(each.path, error.message)
    return seen, unread


def _sent_files(store: Store, actor: Actor, known: Sequence[FileState]) -> _Files:
    """The files of a pushed folder: their bytes are stored, so the known files are all files."""
    digests = {state.path: state.digest for state in known}
    found = tuple(FolderFile(state.path, state.size, state.modified_ns) for state in known)

    def read(path: str) -> tuple[FolderFile, bytes]:
        with store.read(actor) as tx:
            data = tx.blobs.get(digests.get(path) or "")
        if data is None:
            raise SourceUnreadable("The bytes that were sent are gone.")
        times = {each.path: each.modified_ns for each in found}
        return FolderFile(path, len(data), times[path]), data

    return _Files(lambda _call: Listing(found), read, digests)


def _chunks(batch: Sequence[_Cut]) -> int:
    return sum(len(cut.drafts) for cut in batch)
