"""Brings a folder up to date, and keeps its status."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from commonplace.errors import CallStopped, CommonplaceError, LeaseLost, SourceError, StorageError
from commonplace.model.actor import Actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.workspace import (
    FileState,
    IndexStatus,
    KnowledgeType,
    Resource,
    ResourceKind,
)
from commonplace.reading.port import Folders, ProcessPool, Reader
from commonplace.storage.port import Store
from commonplace.workspace.indexing.drafts import is_wanted
from commonplace.workspace.indexing.graph import GraphIndexer
from commonplace.workspace.indexing.plan import suspects
from commonplace.workspace.indexing.reading import NOTHING_READ, OVERTAKEN, Reading
from commonplace.workspace.indexing.service.files import FolderFiles, sent_files
from commonplace.workspace.indexing.service.run import FolderRun, Overtaken
from commonplace.workspace.projects.policy import path_of

_LOG = logging.getLogger("commonplace.workspace.indexing")
_READ_FROM_FILES = (ResourceKind.FOLDER, ResourceKind.PUSHED)
_UNEXPECTED = "An unexpected error; the server's log has the details."


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

    def refresh(
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
        except Overtaken:
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
        files = self._files(actor, resource, known)
        run = FolderRun(
            self._store, self._reader, self._pool, self._graph, actor, resource, files, call
        )
        # The known states of a large folder are freed before the graph needs memory.
        plan, unread = run.make_searchable(known, anew=anew)
        del known
        if resource.knowledge_type is KnowledgeType.CODE and (whole or anew or not plan.is_empty):
            run.link(plan, whole=whole or anew)
        return Reading(len(plan.written), len(plan.moved), len(plan.gone), tuple(unread))

    def _files(self, actor: Actor, resource: Resource, known: Sequence[FileState]) -> FolderFiles:
        if resource.kind is ResourceKind.FOLDER:
            root = path_of(resource.locator)
            return FolderFiles(
                lambda call: self._folders.list(root, call),
                lambda path: self._folders.read(root, path),
            )
        return sent_files(self._store, actor, known)
