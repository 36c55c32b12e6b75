"""The port for sources: what was provided is canonical, how far reading has come is derived."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from commonplace.model.change import Operation
from commonplace.model.entry import Place
from commonplace.model.query import ListPosition, Reach
from commonplace.model.source import Origin, Source, SourceDraft, SourceScope


class Sources(Protocol):
    """Sources. Each canonical write adds its change in the same transaction."""

    def insert(self, draft: SourceDraft) -> Source: ...

    def get(self, id: str) -> Source | None:
        """A source of the org (even a deleted one) or of the system."""
        ...

    def ids_beginning(self, beginning: str, limit: int) -> list[str]:
        """Ids of the org's own and the system's sources with this prefix, in order."""
        ...

    def lock(self, key: int) -> Source | None:
        """Read one of the org's own sources and lock it until the transaction ends."""
        ...

    def in_reach(self, reach: Reach | None) -> list[Source]:
        """Sources within reach, newest first; without a reach, all of the org and of the system."""
        ...

    def of_origin(self, origin: Origin, scope: SourceScope, place: Place) -> Source | None:
        """The org's latest source from that origin in that place, unless reading it failed."""
        ...

    def page(self, limit: int, before: ListPosition | None) -> list[Source]:
        """Sources of the org and the system, newest first, from a list position on."""
        ...

    def of_documents(self, keys: Sequence[int]) -> dict[int, Source]:
        """Sources by the keys of their documents."""
        ...

    def queue(self, source: Source) -> Source:
        """Queue a source to be read again; the result of a reading in progress will be
        discarded."""
        ...

    def settle(self, source: Source) -> bool:
        """Store its `sync`; False if it was queued again or removed meanwhile."""
        ...

    def put_document(self, source: Source, content_hash: str, chunk_count: int) -> int:
        """Store the document; returns its key, which owns the chunks."""
        ...

    def update(self, source: Source, operation: Operation) -> Source:
        """Replace origin and deletion if the revision is the same; else RevisionConflict."""
        ...

    def erase(self, source: Source) -> None:
        """Delete the source, its content in the change record, and blobs that nothing else uses."""
        ...
