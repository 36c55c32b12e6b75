"""The ports for entries and for the record of canonical writes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from commonplace.model.change import AuditQuery, Change, Operation
from commonplace.model.entry import Entry, EntryDraft, EntryKind
from commonplace.model.query import Filter, ListPosition


class Entries(Protocol):
    """Entries. Each write adds its change in the same transaction."""

    def insert(self, draft: EntryDraft) -> Entry: ...

    def get(self, id: str, kind: EntryKind | None = None) -> Entry | None:
        """An entry by id; deleted ones too, for those who may write them."""
        ...

    def ids_beginning(self, beginning: str, limit: int) -> list[str]:
        """Ids of the org's own entries with this prefix, in order, including deleted ones."""
        ...

    def changed_since(self, since: datetime, limit: int) -> list[Entry]:
        """The org's own entries written since a time, newest first, including deleted ones."""
        ...

    def by_keys(self, keys: Sequence[int]) -> dict[int, Entry]: ...

    def lock(self, keys: Sequence[int]) -> list[Entry]:
        """Read the org's own entries and lock them until the transaction ends."""
        ...

    def update(self, entry: Entry, operation: Operation) -> Entry:
        """Replace the row if it has the same revision; else RevisionConflict."""
        ...

    def update_computed(self, entry: Entry) -> Entry:
        """Store a computed confidence and attributes, without a new revision or a change record."""
        ...

    def lock_chains(self) -> None:
        """Lock the org's supersession chains until the transaction ends."""
        ...

    def with_head(self, kind: EntryKind, head: str) -> list[Entry]:
        """Entries whose newest successor is `head`, locked as by `lock`."""
        ...

    def chain(self, kind: EntryKind, head: str) -> list[Entry]:
        """The entry `head` and the existing ones that it supersedes, oldest first."""
        ...

    def page(
        self, wanted: Filter, limit: int, offset: int, before: ListPosition | None = None
    ) -> list[Entry]:
        """Entries, newest first. With `before`, any page costs as much as the first."""
        ...

    def count(self, wanted: Filter) -> int: ...

    def tally(self, wanted: Filter) -> dict[str | None, int]:
        """The number of entries per category."""
        ...

    def keys_after(self, key: int, limit: int, kind: EntryKind | None = None) -> list[int]:
        """Keys of the org's own undeleted entries, in order, to walk through all of them."""
        ...

    def erase(self, entry: Entry) -> None:
        """Delete the entry, and erase its content from the change record, from answers kept for
        repeated calls, and from the moment that it was."""
        ...


class Changes(Protocol):
    """The record of canonical writes."""

    def history(self, entry: Entry) -> list[Change]:
        """The changes of an entry, oldest first."""
        ...

    def since(self, sequence: int, limit: int) -> list[Change]: ...

    def last_by(self, agent: str) -> datetime | None:
        """When an agent of the org last wrote something."""
        ...

    def latest(self, before: int | None, limit: int) -> list[Change]:
        """The latest changes (before a sequence number, if given), newest first, without old
        states."""
        ...

    def audit(self, asked: AuditQuery, after: int) -> list[Change]:
        """Changes that match the query, without old states."""
        ...
