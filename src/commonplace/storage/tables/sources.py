"""Sources, over named statements; one source is a row each of resource, attachment and document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from commonplace.errors import NotFound, RevisionConflict
from commonplace.model.change import Operation
from commonplace.model.entry import Place
from commonplace.model.query import ListPosition, Reach
from commonplace.model.source import (
    DocumentState,
    Origin,
    Source,
    SourceDraft,
    SourceScope,
    SourceStatus,
    SourceType,
    Sync,
    source_image,
)
from commonplace.model.times import from_micros, to_micros
from commonplace.storage.session import LAST, Row, Session
from commonplace.storage.tables.background import BlobTable
from commonplace.storage.tables.entries import position_parameters, record_change

ENTITY = "source"


def source_of(row: Row) -> Source:
    return Source(
        key=row["key"],
        org=row["org"],
        id=row["id"],
        name=row["label"],
        scope=SourceScope(row["scope"]),
        place=Place(row["workspace"], row["space"]),
        origin=Origin(SourceType(row["type"]), row["locator"], row["digest"], row["media_type"]),
        sync=_sync_of(row),
        agent=row["agent"],
        revision=row["revision"],
        created_at=from_micros(row["created_at"]),
        deleted_at=from_micros(row["deleted_at"]),
        document=_document_of(row),
    )


def _sync_of(row: Row) -> Sync:
    return Sync(
        status=SourceStatus(row["status"]),
        error=row["error"],
        generation=row["generation"],
        etag=row["etag"],
        last_modified=row["last_modified"],
        synced_at=from_micros(row["synced_at"]),
    )


def _document_of(row: Row) -> DocumentState | None:
    if row["document_key"] is None:
        return None
    return DocumentState(row["document_key"], row["content_hash"], row["chunk_count"])


class SourceTable:
    """Implements port.Sources."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def insert(self, draft: SourceDraft) -> Source:
        session, origin, place = self._session, draft.origin, draft.place
        row = session.row(
            "insert_resource",
            id=draft.id,
            type=origin.type.value,
            locator=origin.locator,
            digest=origin.digest,
            media_type=origin.media_type,
        )
        assert row is not None, "an insert returns its key"
        session.run(
            "insert_attachment",
            resource_key=row["key"],
            scope=draft.scope.value,
            workspace=place.workspace,
            space=place.space,
            label=draft.name,
        )
        source = self._stored(row["key"])
        self._record(Operation.CREATE, source, None)
        return source

    def get(self, id: str) -> Source | None:
        row = self._session.row("get_source", id=id)
        return source_of(row) if row else None

    def ids_beginning(self, beginning: str, limit: int) -> list[str]:
        rows = self._session.rows(
            "source_ids_beginning", beginning=beginning, beyond=beginning + LAST, limit=limit
        )
        return [row["id"] for row in rows]

    def lock(self, key: int) -> Source | None:
        row = self._session.row("lock_source", key=key)
        return source_of(row) if row else None

    def in_reach(self, reach: Reach | None) -> list[Source]:
        workspace, space = (reach.workspace, reach.space) if reach else (None, None)
        rows = self._session.rows("sources_in_reach", workspace=workspace, space=space)
        return [source_of(row) for row in rows]

    def of_origin(self, origin: Origin, scope: SourceScope, place: Place) -> Source | None:
        row = self._session.row(
            "source_of_origin",
            type=origin.type.value,
            locator=origin.locator,
            digest=origin.digest,
            media_type=origin.media_type,
            scope=scope.value,
            workspace=place.workspace,
            space=place.space,
        )
        return source_of(row) if row else None

    def page(self, limit: int, before: ListPosition | None) -> list[Source]:
        rows = self._session.rows("page_of_sources", limit=limit, **position_parameters(before))
        return [source_of(row) for row in rows]

    def of_documents(self, keys: Sequence[int]) -> dict[int, Source]:
        rows = self._session.rows("sources_of_documents", keys=self._session.codec.array(keys))
        return {row["document_key"]: source_of(row) for row in rows}

    def queue(self, source: Source) -> Source:
        row = self._session.row("queue_source", key=source.key)
        if row is None:
            raise NotFound
        return self._stored(source.key)

    def settle(self, source: Source) -> bool:
        sync = source.sync
        settled = self._session.run(
            "settle_source",
            key=source.key,
            generation=sync.generation,
            status=sync.status.value,
            error=sync.error,
            etag=sync.etag,
            last_modified=sync.last_modified,
            synced_at=to_micros(sync.synced_at),
        )
        return bool(settled)

    def put_document(self, source: Source, content_hash: str, chunk_count: int) -> int:
        row = self._session.row(
            "put_document",
            resource_key=source.key,
            content_hash=content_hash,
            chunk_count=chunk_count,
        )
        assert row is not None, "an insert returns its key"
        return int(row["key"])

    def update(self, source: Source, operation: Operation) -> Source:
        session = self._session
        before = self.lock(source.key)
        updated = session.run(
            "update_resource",
            key=source.key,
            revision=source.revision,
            locator=source.origin.locator,
            digest=source.origin.digest,
            media_type=source.origin.media_type,
            deleted_at=to_micros(source.deleted_at),
        )
        if before is None or not updated:
            raise RevisionConflict
        if source.deleted_at is not None:
            session.run("remove_document", resource_key=source.key)
        after = self._stored(source.key)
        self._record(operation, after, before)
        self._release(before)
        return after

    def erase(self, source: Source) -> None:
        session = self._session
        if not session.run("erase_resource", key=source.key):
            raise NotFound
        session.run("blank_changes", entity=ENTITY, entity_id=source.id)
        self._record(Operation.PURGE, replace(source, revision=source.revision + 1), None)
        self._release(source)

    def _release(self, source: Source) -> None:
        if source.origin.digest is not None:
            BlobTable(self._session).release([source.origin.digest])

    def _stored(self, key: int) -> Source:
        source = self.lock(key)
        assert source is not None, "a source exists once it was written"
        return source

    def _record(self, operation: Operation, after: Source, before: Source | None) -> None:
        image = source_image(before) if before else None
        record_change(self._session, operation, ENTITY, after.id, after.revision, image)
