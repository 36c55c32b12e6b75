"""The files of a folder, wherever their bytes are: on disk, or stored by a push."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from commonplace.errors import SourceUnreadable
from commonplace.model.actor import Actor
from commonplace.model.call import Call
from commonplace.model.folder import FolderFile, Listing
from commonplace.model.workspace import FileState
from commonplace.storage.port import Store
from commonplace.workspace.indexing.drafts import content_hash
from commonplace.workspace.indexing.graph import FactsInPassing
from commonplace.workspace.indexing.plan import settled_time


@dataclass(frozen=True, slots=True)
class FolderFiles:
    """Lists and reads the files of a resource, and holds the facts that chunking them gave.

    `digests` are of files whose bytes are stored.
    """

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


def sent_files(store: Store, actor: Actor, known: Sequence[FileState]) -> FolderFiles:
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

    return FolderFiles(lambda _call: Listing(found), read, digests)
