"""Sources: what was given of them is canonical, how far reading has come is derived."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from commonplace.model.change import Operation
from commonplace.model.entry import Place
from commonplace.model.query import ListPosition, Reach
from commonplace.model.source import Origin, Source, SourceDraft, SourceScope


class Sources(Protocol):
    """Sources, each canonical write with its change in the same transaction."""

    def insert(self, draft: SourceDraft) -> Source: ...

    def get(self, id: str) -> Source | None:
        """The org's own or one of the system; own ones also when they are deleted."""
        ...

    def ids_beginning(self, beginning: str, limit: int) -> list[str]:
        """Ids that begin so, of the org's own sources and the system's, in order."""
        ...

    def lock(self, key: int) -> Source | None:
        """Read one of the org's own so that nobody changes it before this transaction ends."""
        ...

    def in_reach(self, reach: Reach | None) -> list[Source]:
        """Newest first; without a reach, all of the org and of the system."""
        ...

    def of_origin(self, origin: Origin, scope: SourceScope, place: Place) -> Source | None:
        """The org's own that came last from there to that place, unless reading it failed."""
        ...

    def page(self, limit: int, before: ListPosition | None) -> list[Source]:
        """Sources of the org and of the system after a mark in their order, newest first."""
        ...

    def of_documents(self, keys: Sequence[int]) -> dict[int, Source]:
        """Sources by the keys of their documents."""
        ...

    def queue(self, source: Source) -> Source:
        """Let it wait to be read again; a reading that is under way no longer counts."""
        ...

    def settle(self, source: Source) -> bool:
        """Keep its `sync`; False when it was queued again or has gone meanwhile."""
        ...

    def put_document(self, source: Source, content_hash: str, chunk_count: int) -> int:
        """The key of the document, which owns the chunks."""
        ...

    def update(self, source: Source, operation: Operation) -> Source:
        """Replace origin and deletion of the same revision; else RevisionConflict."""
        ...

    def erase(self, source: Source) -> None:
        """Remove the source, what the change record remembers of it, and bytes nobody else has."""
        ...
