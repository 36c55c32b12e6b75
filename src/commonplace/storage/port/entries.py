"""Entries, the record of canonical writes, and what limits them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from commonplace.model.change import AuditQuery, Change, Operation
from commonplace.model.entry import Entry, EntryDraft, EntryKind
from commonplace.model.query import Filter, ListPosition


class Entries(Protocol):
    """Entries, each write with its change in the same transaction."""

    def insert(self, draft: EntryDraft) -> Entry: ...

    def get(self, id: str, kind: EntryKind | None = None) -> Entry | None:
        """Deleted entries are returned too, to those who may write them."""
        ...

    def ids_beginning(self, beginning: str, limit: int) -> list[str]:
        """Ids of the org's own entries that begin so, deleted ones too, in order."""
        ...

    def changed_since(self, since: datetime, limit: int) -> list[Entry]:
        """The org's own that were written since then, deleted ones too, newest first."""
        ...

    def by_keys(self, keys: Sequence[int]) -> dict[int, Entry]: ...

    def lock(self, keys: Sequence[int]) -> list[Entry]:
        """Read the org's own entries so that nobody changes them before this transaction ends."""
        ...

    def update(self, entry: Entry, operation: Operation) -> Entry:
        """Replace the row of the same revision; else RevisionConflict."""
        ...

    def revalue(self, entry: Entry) -> Entry:
        """Keep a confidence and attributes that others decided on; no revision, no history."""
        ...

    def hold_chains(self) -> None:
        """Wait until nobody else changes who supersedes whom in the org, and keep it so."""
        ...

    def with_head(self, kind: EntryKind, head: str) -> list[Entry]:
        """Entries whose newest successor is `head`, held like those of `lock`."""
        ...

    def chain(self, kind: EntryKind, head: str) -> list[Entry]:
        """The entry `head` and the present ones whose newest successor it is, oldest first."""
        ...

    def page(
        self, wanted: Filter, limit: int, offset: int, before: ListPosition | None = None
    ) -> list[Entry]:
        """Newest first; from a mark on, however far down it is, at the cost of the first page."""
        ...

    def count(self, wanted: Filter) -> int: ...

    def tally(self, wanted: Filter) -> dict[str | None, int]:
        """How many there are of each category."""
        ...

    def keys_after(self, key: int, limit: int, kind: EntryKind | None = None) -> list[int]:
        """The org's own undeleted entries in key order, to walk through all of them."""
        ...

    def erase(self, entry: Entry) -> None:
        """Remove the entry and blank what the change record remembers of its content."""
        ...


class Changes(Protocol):
    """The record of canonical writes."""

    def history(self, entry: Entry) -> list[Change]:
        """Oldest first."""
        ...

    def since(self, sequence: int, limit: int) -> list[Change]: ...

    def last_by(self, agent: str) -> datetime | None:
        """When an agent of the org wrote last."""
        ...

    def latest(self, before: int | None, limit: int) -> list[Change]:
        """Changes before a sequence, or the last of all, newest first; without what was before."""
        ...

    def audit(self, asked: AuditQuery, after: int) -> list[Change]:
        """Changes without what the entities were before."""
        ...
