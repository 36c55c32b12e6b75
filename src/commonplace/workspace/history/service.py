"""Updates the stored commits of a folder from its repository.

A folder's history is a resource with the same locator. It is never attached itself, and it is
deleted when no attached folder has that locator any more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from uuid import uuid4

from commonplace.errors import Conflict, SourceError
from commonplace.model.actor import Actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.chunk import Owner, OwnerType
from commonplace.model.commits import Commit
from commonplace.model.retry import retry_on
from commonplace.model.workspace import (
    FileState,
    IndexStatus,
    KnowledgeType,
    Resource,
    ResourceDraft,
    ResourceKind,
)
from commonplace.reading.port import CommitHistory
from commonplace.storage.port import Store, Transaction
from commonplace.workspace.history.kept import REVISION, Mask, kept_commit
from commonplace.workspace.projects.policy import path_of

# A transaction of this size makes others wait for a tenth of a second.
_BATCH = 64
_COMMITS_PER_REQUEST = 200


class FolderHistory:
    """The stored history of folders; `most` limits the commits per folder (0 keeps none)."""

    def __init__(self, store: Store, log: CommitHistory, mask: Mask, most: int) -> None:
        self._store = store
        self._log = log
        self._mask = mask
        self._most = most

    def update(self, actor: Actor, folder: Resource, call: Call = PLAIN_CALL) -> None:
        """Store the latest commits that touched a folder, and delete all others.

        A folder without a repository has none. A problem is stored as the history's status.
        """
        version = self._version(folder)
        history = self._known(actor, folder)
        if version is None or version == _version_of(history):
            return
        history = history or retry_on(Conflict, lambda: self._start(actor, folder))
        if history is None:
            return
        try:
            path = path_of(folder.locator)
            wanted = self._log.latest(path, self._most) if version else []
            self._follow(actor, history, path, wanted, call)
        except SourceError as error:
            self._settle(actor, history, IndexStatus.FAILED, error.message, version)
        else:
            self._settle(actor, history, IndexStatus.READY, None, version)

    def differs(self, actor: Actor, folder: Resource) -> bool:
        """Whether the repository's head has moved since it was last read; cheap."""
        version = self._version(folder)
        return version is not None and version != _version_of(self._known(actor, folder))

    def _version(self, folder: Resource) -> str | None:
        """The version of an up-to-date history; empty if no commits are to be kept.

        None if it cannot be determined, for example if the folder is missing.
        """
        if folder.kind is not ResourceKind.FOLDER:
            return None
        try:
            head = self._log.head(path_of(folder.locator))
        except SourceError:
            return None
        return f"{REVISION}-{self._most}-{head}" if head and self._most else ""

    def _known(self, actor: Actor, folder: Resource) -> Resource | None:
        with self._store.read(actor) as tx:
            return tx.resources.at(KnowledgeType.HISTORY, folder.locator)

    def _start(self, actor: Actor, folder: Resource) -> Resource | None:
        """Create or claim the history; None if the folder was detached, as nothing would delete it
        later."""
        draft = ResourceDraft(
            f"res_{uuid4().hex}",
            ResourceKind.FOLDER,
            KnowledgeType.HISTORY,
            folder.locator,
            folder.name,
        )
        with self._store.write(actor) as tx:
            if tx.resources.lock(folder.key) is None:
                return None
            return tx.resources.at(draft.knowledge_type, draft.locator) or tx.resources.insert(
                draft
            )

    def _follow(
        self, actor: Actor, history: Resource, folder: str, wanted: Sequence[str], call: Call
    ) -> None:
        with self._store.read(actor) as tx:
            known = {state.path: state for state in tx.files.of_resource(history.key)}
        gone = [known[id] for id in known.keys() - {*wanted}]
        for start in range(0, len(gone), _BATCH):
            with self._store.write(actor) as tx:
                remove_commits(tx, gone[start : start + _BATCH])
        new = [id for id in wanted if id not in known]
        done = 0
        for batch in self._read(folder, new, call):
            with self._store.write(actor) as tx:
                if tx.resources.lock(history.key) is None:
                    return
                for commit in batch:
                    _put(tx, history, commit, self._mask)
                call.check()
            done += len(batch)
            call.progress(done, len(new), f"{history.name}: {done} of {len(new)} commits")

    def _read(self, folder: str, ids: Sequence[str], call: Call) -> Iterator[Sequence[Commit]]:
        left = list(ids)
        while left:
            call.check()
            told = self._log.commits(folder, left[:_COMMITS_PER_REQUEST])
            if not told:
                return
            for start in range(0, len(told), _BATCH):
                yield told[start : start + _BATCH]
            read = {commit.id for commit in told}
            left = [id for id in left if id not in read]

    def _settle(
        self,
        actor: Actor,
        history: Resource,
        status: IndexStatus,
        error: str | None,
        version: str,
    ) -> None:
        with self._store.write(actor) as tx:
            tx.resources.settle(history, status, error, version)


def _version_of(history: Resource | None) -> str:
    return history.indexing.version if history else ""


def remove_commits(tx: Transaction, commits: Sequence[FileState]) -> None:
    """Remove commits with their chunks."""
    for state in commits:
        tx.chunks.remove(Owner(OwnerType.DOCUMENT, state.key))
    tx.files.remove([state.key for state in commits])


def _put(tx: Transaction, history: Resource, commit: Commit, mask: Mask) -> None:
    kept = kept_commit(commit, history, mask)
    key = tx.files.put(history.key, kept.state)
    tx.chunks.replace(Owner(OwnerType.DOCUMENT, key), kept.metadata, [kept.draft])
    tx.files.touch(key, kept.files)
