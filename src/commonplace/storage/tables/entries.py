"""Entries and the change record, over named statements; every write adds its change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from commonplace.errors import NotFound, RevisionConflict
from commonplace.model.change import AuditQuery, Change, Operation
from commonplace.model.entry import Entry, EntryContent, EntryDraft, EntryKind, Place, Visibility
from commonplace.model.image import image_of
from commonplace.model.query import Filter, ListPosition
from commonplace.model.times import from_micros, to_micros
from commonplace.storage.session import LAST, Codec, Row, Session, filter_values

ENTITY = "entry"
# Later than every time, greater than every key.
_BEYOND = 2**63 - 1


def entry_of(row: Row, codec: Codec) -> Entry:
    return Entry(
        key=row["key"],
        org=row["org"],
        id=row["id"],
        kind=EntryKind(row["kind"]),
        content=_content_of(row, codec),
        source=row["source"],
        agent=row["agent"],
        revision=row["revision"],
        created_at=from_micros(row["created_at"]),
        updated_at=from_micros(row["updated_at"]),
        deleted_at=from_micros(row["deleted_at"]),
        superseded_by=row["superseded_by"],
        head=row["head"],
    )


def _content_of(row: Row, codec: Codec) -> EntryContent:
    return EntryContent(
        title=row["title"],
        body=row["body"],
        tags=tuple(codec.read_array(row["tags"])),
        visibility=Visibility(row["visibility"]),
        place=Place(row["workspace"], row["space"], row["project"], row["resource_key"]),
        confidence=row["confidence"],
        expires_at=from_micros(row["expires_at"]),
        attributes=codec.read_document(row["attributes"]),
        category=row["category"],
        domain=row["domain"],
    )


def _content_values(content: EntryContent, codec: Codec) -> dict[str, object]:
    return {
        "title": content.title,
        "body": content.body,
        "tags": codec.array(content.tags),
        "visibility": content.visibility.value,
        "workspace": content.place.workspace,
        "space": content.place.space,
        "project": content.place.project,
        "resource_key": content.place.resource,
        "confidence": content.confidence,
        "expires_at": to_micros(content.expires_at),
        "attributes": codec.document(content.attributes),
        "category": content.category,
        "domain": content.domain,
    }


def record_change(
    session: Session,
    operation: Operation,
    entity: str,
    entity_id: str,
    revision: int,
    before: Mapping[str, Any] | None,
) -> None:
    """Add a change to the record, in the transaction of the write itself."""
    session.run(
        "insert_change",
        client=session.actor.client,
        operation=operation.value,
        entity=entity,
        entity_id=entity_id,
        revision=revision,
        before=None if before is None else session.codec.document(before),
    )


class EntryTable:
    """Implements port.Entries."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def insert(self, draft: EntryDraft) -> Entry:
        session = self._session
        row = session.row(
            "insert_entry",
            id=draft.id,
            kind=draft.kind.value,
            source=draft.source,
            **_content_values(draft.content, session.codec),
        )
        assert row is not None, "an insert returns its row"
        entry = self._entry(row)
        self._record(Operation.CREATE, entry, None)
        return entry

    def get(self, id: str, kind: EntryKind | None = None) -> Entry | None:
        row = self._session.row("get_entry", id=id, kind=kind.value if kind else None)
        return self._entry(row) if row else None

    def ids_beginning(self, beginning: str, limit: int) -> list[str]:
        rows = self._session.rows(
            "ids_beginning", beginning=beginning, beyond=beginning + LAST, limit=limit
        )
        return [row["id"] for row in rows]

    def changed_since(self, since: datetime, limit: int) -> list[Entry]:
        rows = self._session.rows("entries_changed_since", since=to_micros(since), limit=limit)
        return [self._entry(row) for row in rows]

    def by_keys(self, keys: Sequence[int]) -> dict[int, Entry]:
        rows = self._session.rows("entries_by_keys", keys=self._session.codec.array(keys))
        return {row["key"]: self._entry(row) for row in rows}

    def lock(self, keys: Sequence[int]) -> list[Entry]:
        rows = self._session.rows("lock_entries", keys=self._session.codec.array(keys))
        return [self._entry(row) for row in rows]

    def update(self, entry: Entry, operation: Operation) -> Entry:
        session = self._session
        before = next((e for e in self.lock([entry.key]) if e.revision == entry.revision), None)
        if before is None:
            raise RevisionConflict
        row = session.row(
            "update_entry",
            key=entry.key,
            revision=entry.revision,
            deleted_at=to_micros(entry.deleted_at),
            superseded_by=entry.superseded_by,
            head=entry.head,
            **_content_values(entry.content, session.codec),
        )
        if row is None:
            raise RevisionConflict
        after = self._entry(row)
        self._record(operation, after, before)
        return after

    def update_computed(self, entry: Entry) -> Entry:
        self._session.run(
            "revalue_entry",
            key=entry.key,
            confidence=entry.content.confidence,
            attributes=self._session.codec.document(entry.content.attributes),
        )
        return entry

    def lock_chains(self) -> None:
        self._session.row("lock_chains")

    def with_head(self, kind: EntryKind, head: str) -> list[Entry]:
        rows = self._session.rows("entries_with_head", kind=kind.value, head=head)
        return [self._entry(row) for row in rows]

    def chain(self, kind: EntryKind, head: str) -> list[Entry]:
        rows = self._session.rows("chain_of_entries", kind=kind.value, head=head)
        return [self._entry(row) for row in rows]

    def page(
        self, wanted: Filter, limit: int, offset: int, before: ListPosition | None = None
    ) -> list[Entry]:
        statement, values = self._listing(wanted, "page_of_kind", "page_of_entries")
        place = {**position_parameters(before), "limit": limit, "offset": offset}
        return [self._entry(row) for row in self._session.rows(statement, **place, **values)]

    def count(self, wanted: Filter) -> int:
        return sum(self.tally(wanted).values())

    def tally(self, wanted: Filter) -> dict[str | None, int]:
        statement, values = self._listing(wanted, "tally_of_kind", "tally_entries")
        rows = self._session.rows(statement, **values)
        return {row["category"]: int(row["entries"]) for row in rows}

    def _listing(self, wanted: Filter, of_kind: str, of_any: str) -> tuple[str, dict[str, object]]:
        """Choose the statement: for a single kind, one that uses an index of its own."""
        if len(wanted.kinds) != 1:
            return of_any, filter_values(wanted, self._session.codec)
        values = filter_values(replace(wanted, kinds=()), self._session.codec)
        return of_kind, {**values, "kind": wanted.kinds[0]}

    def keys_after(self, key: int, limit: int, kind: EntryKind | None = None) -> list[int]:
        rows = self._session.rows(
            "entry_keys_after", key=key, limit=limit, kind=kind.value if kind else None
        )
        return [row["key"] for row in rows]

    def erase(self, entry: Entry) -> None:
        session = self._session
        if not session.run("erase_entry", key=entry.key):
            raise NotFound
        session.run("blank_changes", entity=ENTITY, entity_id=_entity_id(entry))
        session.run("forget_answers", id=entry.id)
        session.run("forget_comments", id=entry.id)
        session.run("forget_moment", id=entry.id)
        if entry.kind is EntryKind.RECORD:
            session.run("blank_attachments", resource=entry.id)
            session.run("erase_record", resource_key=entry.content.place.resource)
        self._record(Operation.PURGE, replace(entry, revision=entry.revision + 1), None)

    def _entry(self, row: Row) -> Entry:
        return entry_of(row, self._session.codec)

    def _record(self, operation: Operation, after: Entry, before: Entry | None) -> None:
        image = image_of(before) if before else None
        record_change(self._session, operation, ENTITY, _entity_id(after), after.revision, image)


def position_parameters(position: ListPosition | None) -> dict[str, int]:
    """Parameters of a statement that lists what is older than the position; without one,
    everything."""
    at, key = (to_micros(position.at), position.key) if position else (_BEYOND, _BEYOND)
    return {"before_at": at, "before_key": key}


def _entity_id(entry: Entry) -> str:
    """The kind and the id, because ids are only unique within a kind."""
    return f"{entry.kind.value}/{entry.id}"


class ChangeTable:
    """Implements port.Changes."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def history(self, entry: Entry) -> list[Change]:
        rows = self._session.rows("history_of", entity=ENTITY, entity_id=_entity_id(entry))
        return [self._change(row) for row in rows]

    def since(self, sequence: int, limit: int) -> list[Change]:
        rows = self._session.rows("changes_since", sequence=sequence, limit=limit)
        return [self._change(row) for row in rows]

    def last_by(self, agent: str) -> datetime | None:
        row = self._session.row("last_change_by", author=agent)
        return from_micros(row["at"]) if row else None

    def latest(self, before: int | None, limit: int) -> list[Change]:
        sequence = _BEYOND if before is None else before
        rows = self._session.rows("latest_changes", sequence=sequence, limit=limit)
        return [self._change(row) for row in rows]

    def audit(self, asked: AuditQuery, after: int) -> list[Change]:
        rows = self._session.rows(
            "audit_page",
            sequence=after,
            since=to_micros(asked.since),
            author=asked.agent,
            entity=asked.entity,
            entity_id=asked.entity_id,
            limit=asked.limit,
        )
        return [self._change(row) for row in rows]

    def _change(self, row: Row) -> Change:
        before = row["before"]
        return Change(
            sequence=row["sequence"],
            org=row["org"],
            agent=row["agent"],
            client=row["client"],
            at=from_micros(row["at"]),
            operation=Operation(row["operation"]),
            entity=row["entity"],
            entity_id=row["entity_id"],
            revision=row["revision"],
            before=None if before is None else self._session.codec.read_document(before),
        )
