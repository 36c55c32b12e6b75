"""Projects, resources, attachments and files, over named statements; writes add their changes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from sys import intern

from commonplace.errors import NotFound, RevisionConflict
from commonplace.model.change import Operation
from commonplace.model.chunk import TrustTier
from commonplace.model.times import from_micros, to_micros
from commonplace.model.workspace import (
    Attached,
    Attachment,
    AttachmentDraft,
    FileState,
    Indexing,
    IndexStatus,
    KnowledgeType,
    Project,
    ProjectDraft,
    Resource,
    ResourceCounts,
    ResourceDraft,
    ResourceKind,
    attachment_image,
    project_image,
)
from commonplace.storage.session import Codec, Row, Session
from commonplace.storage.tables.background import BlobTable
from commonplace.storage.tables.entries import record_change

PROJECT = "project"
ATTACHMENT = "attachment"
_COUNTED = ("chunks", "unembedded", "previewed", "left_out")


class ProjectTable:
    """Implements port.Projects."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def insert(self, draft: ProjectDraft) -> Project:
        session = self._session
        row = session.row("insert_project", id=draft.id, **self._given(draft))
        assert row is not None, "an insert returns its row"
        project = _project_of(row, session.codec)
        self._record(Operation.CREATE, project, None)
        return project

    def get(self, id: str) -> Project | None:
        return self._one(self._session.row("get_project", id=id))

    def find(self, *, handle: str | None = None, repository: str | None = None) -> Project | None:
        if handle is not None:
            return self._one(self._session.row("project_by_handle", handle=handle))
        if repository is not None:
            return self._one(self._session.row("project_by_repository", repository=repository))
        return None

    def all(self) -> list[Project]:
        codec = self._session.codec
        return [_project_of(row, codec) for row in self._session.rows("all_projects")]

    def update(self, project: Project) -> Project:
        return self._write(project, Operation.EDIT)

    def remove(self, project: Project) -> None:
        self._write(replace(project, deleted_at=self._session.now), Operation.DELETE)

    def _write(self, project: Project, operation: Operation) -> Project:
        before = self.get(project.id)
        row = self._session.row(
            "update_project",
            key=project.key,
            revision=project.revision,
            deleted_at=to_micros(project.deleted_at),
            **self._given(project),
        )
        if before is None or row is None:
            raise RevisionConflict
        after = _project_of(row, self._session.codec)
        self._record(operation, after, before)
        return after

    def _given(self, project: Project | ProjectDraft) -> dict[str, object]:
        return {
            "handle": project.handle,
            "name": project.name,
            "roots": self._session.codec.array(project.roots),
            "repository": project.repository,
        }

    def _one(self, row: Row | None) -> Project | None:
        return _project_of(row, self._session.codec) if row else None

    def _record(self, operation: Operation, after: Project, before: Project | None) -> None:
        image = project_image(before) if before else None
        record_change(self._session, operation, PROJECT, after.id, after.revision, image)


class ResourceTable:
    """Implements port.Resources. Changes of a resource are recorded with its attachments."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def insert(self, draft: ResourceDraft) -> Resource:
        row = self._session.row(
            "insert_workspace_resource",
            id=draft.id,
            type=draft.kind.value,
            knowledge_type=draft.knowledge_type.value,
            locator=draft.locator,
            name=draft.name,
        )
        assert row is not None, "an insert returns its row"
        return _resource_of(row, row["key"], row["id"])

    def get(self, id: str) -> Resource | None:
        return self._one(self._session.row("get_workspace_resource", id=id))

    def at(self, knowledge_type: KnowledgeType, locator: str) -> Resource | None:
        asked = {"knowledge_type": knowledge_type.value, "locator": locator}
        return self._one(self._session.row("resource_at", **asked))

    def histories(self) -> list[Resource]:
        return [_resource_of(row, row["key"], row["id"]) for row in self._session.rows("histories")]

    def lock(self, key: int) -> Resource | None:
        return self._one(self._session.row("lock_workspace_resource", key=key))

    def queue(self, keys: Sequence[int], run_id: str | None) -> None:
        keyed = self._session.codec.array(keys)
        self._session.run("queue_resources", keys=keyed, run_id=run_id)

    def settle(
        self,
        resource: Resource,
        status: IndexStatus,
        error: str | None = None,
        version: str | None = None,
    ) -> bool:
        read = status is IndexStatus.READY
        settled = self._session.run(
            "settle_resource",
            key=resource.key,
            generation=resource.indexing.generation,
            status=status.value,
            error=error,
            indexed_at=to_micros(self._session.now) if read else None,
            version=version,
        )
        return bool(settled)

    def watch(self, keys: Sequence[int], until: datetime) -> None:
        keyed = self._session.codec.array(keys)
        self._session.run("watch_resources", keys=keyed, until=to_micros(until))

    def remove(self, resource: Resource) -> None:
        if not self._session.run("remove_resource", key=resource.key):
            raise NotFound
        files = FileTable(self._session)
        files.remove([state.key for state in files.of_resource(resource.key)])

    def counts(self, keys: Sequence[int]) -> Mapping[int, ResourceCounts]:
        asked = self._session.codec.array(keys)
        found = dict.fromkeys(keys, ResourceCounts())
        languages: dict[int, list[str]] = defaultdict(list)
        for row in self._session.rows("file_counts", keys=asked):
            key = row["resource_key"]
            languages[key] += [row["language"]] if row["language"] else []
            files = found[key].files + row["files"]
            found[key] = replace(found[key], files=files, languages=tuple(languages[key]))
        for row in self._session.rows("chunk_counts_of_resources", keys=asked):
            counted = {name: row[name] for name in _COUNTED}
            found[row["resource_key"]] = replace(found[row["resource_key"]], **counted)
        for row in self._session.rows("entry_counts_of_resources", keys=asked):
            found[row["resource_key"]] = replace(found[row["resource_key"]], entries=row["entries"])
        return found

    def entry_keys(self, key: int) -> list[int]:
        return [row["key"] for row in self._session.rows("entries_of_resource", resource_key=key)]

    def _one(self, row: Row | None) -> Resource | None:
        return _resource_of(row, row["key"], row["id"]) if row else None


class AttachmentTable:
    """Implements port.Attachments."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def insert(self, draft: AttachmentDraft) -> Attached:
        self._session.run(
            "attach",
            id=draft.id,
            resource_key=draft.resource_key,
            scope="global" if draft.project_id is None else "project",
            project_id=draft.project_id,
            **_settings_of(draft),
        )
        attached = self._stored(draft.id)
        self._record(Operation.CREATE, attached, None)
        return attached

    def get(self, id: str) -> Attached | None:
        row = self._session.row("get_attached", id=id)
        return _attached_of(row) if row else None

    def lock(self) -> None:
        self._session.row("lock_attachments")

    def all(self) -> list[Attached]:
        return [_attached_of(row) for row in self._session.rows("all_attached")]

    def of_resource(self, resource_key: int) -> list[Attachment]:
        rows = self._session.rows("attachments_of_resource", resource_key=resource_key)
        return [_attachment_of(row) for row in rows]

    def update(self, attachment: Attachment) -> Attached:
        before = self._stored(attachment.id)
        self._session.run("update_attachment", key=attachment.key, **_settings_of(attachment))
        after = self._stored(attachment.id)
        self._record(Operation.EDIT, after, before)
        return after

    def remove(self, attachment: Attachment) -> None:
        before = self._stored(attachment.id)
        self._session.run("detach", key=attachment.key)
        self._record(Operation.DELETE, before, before)

    def _stored(self, id: str) -> Attached:
        attached = self.get(id)
        if attached is None:
            raise NotFound
        return attached

    def _record(self, operation: Operation, after: Attached, before: Attached | None) -> None:
        image = attachment_image(before) if before else None
        record_change(self._session, operation, ATTACHMENT, after.attachment.id, 1, image)


class FileTable:
    """Implements port.Files."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def of_resource(self, resource_key: int) -> list[FileState]:
        rows = self._session.rows("files_of_resource", resource_key=resource_key)
        return [_file_of(row) for row in rows]

    def named(self, resource_key: int, name: str) -> list[FileState]:
        rows = self._session.rows("files_named", resource_key=resource_key, name=name)
        return [_file_of(row) for row in rows]

    def after(self, resource_key: int, path: str, limit: int) -> list[FileState]:
        rows = self._session.rows("files_after", resource_key=resource_key, after=path, limit=limit)
        return [_file_of(row) for row in rows]

    def get(self, keys: Sequence[int]) -> dict[int, FileState]:
        rows = self._session.rows("files_by_keys", keys=self._session.codec.array(keys))
        return {row["key"]: _file_of(row) for row in rows}

    def put(self, resource_key: int, state: FileState) -> int:
        row = self._session.row(
            "put_file",
            resource_key=resource_key,
            path=state.path,
            content_hash=state.content_hash,
            chunk_count=state.chunk_count,
            size=state.size,
            modified_ns=state.modified_ns,
            language=state.language,
            digest=state.digest,
        )
        assert row is not None, "an insert returns its key"
        return int(row["key"])

    def move(self, key: int, path: str, modified_ns: int) -> None:
        self._session.run("move_file", key=key, path=path, modified_ns=modified_ns)
        self._session.run("move_chunks", key=key, path=path)

    def touch(self, key: int, paths: Sequence[str]) -> None:
        named = self._session.codec.array(list(dict.fromkeys(paths)))
        self._session.run("put_touched_files", document_key=key, paths=named)

    def touched(self, keys: Sequence[int]) -> dict[int, tuple[str, ...]]:
        found: dict[int, list[str]] = defaultdict(list)
        for row in self._session.rows("touched_files", keys=self._session.codec.array(keys)):
            found[row["document_key"]].append(row["path"])
        return {key: tuple(paths) for key, paths in found.items()}

    def remove(self, keys: Sequence[int]) -> None:
        given = [state.digest for state in self.get(keys).values() if state.digest]
        self._session.run("remove_files", keys=self._session.codec.array(keys))
        BlobTable(self._session).release(given)


def _project_of(row: Row, codec: Codec) -> Project:
    return Project(
        key=row["key"],
        org=row["org"],
        id=row["id"],
        handle=row["handle"],
        name=row["name"],
        roots=tuple(codec.read_array(row["roots"])),
        repository=row["repository"],
        agent=row["agent"],
        revision=row["revision"],
        created_at=from_micros(row["created_at"]),
        deleted_at=from_micros(row["deleted_at"]),
    )


def _resource_of(row: Row, key: int, id: str) -> Resource:
    return Resource(
        key=key,
        org=row["org"],
        id=id,
        kind=ResourceKind(row["type"]),
        knowledge_type=KnowledgeType(row["knowledge_type"]),
        locator=row["locator"],
        name=row["name"],
        indexing=Indexing(
            status=IndexStatus(row["status"]),
            error=row["error"],
            generation=row["generation"],
            indexed_at=from_micros(row["synced_at"]),
            run_id=row["run_id"],
            watched_until=from_micros(row["watched_until"]),
            version=row["etag"],
        ),
        agent=row["agent"],
        revision=row["revision"],
        created_at=from_micros(row["created_at"]),
    )


def _attachment_of(row: Row) -> Attachment:
    return Attachment(
        key=row["key"],
        org=row["org"],
        id=row["id"],
        resource_key=row["resource_key"],
        project_id=row["project_id"],
        label=row["label"],
        trust=TrustTier(row["trust"]),
        weight=row["weight"],
        enabled=bool(row["enabled"]),
    )


def _attached_of(row: Row) -> Attached:
    resource = _resource_of(row, row["resource_key"], row["resource_id"])
    return Attached(_attachment_of(row), resource)


def _settings_of(attachment: Attachment | AttachmentDraft) -> dict[str, object]:
    return {
        "label": attachment.label,
        "trust": attachment.trust.value,
        "weight": attachment.weight,
        "enabled": attachment.enabled,
    }


def _file_of(row: Row) -> FileState:
    return FileState(
        key=row["key"],
        path=row["path"],
        content_hash=row["content_hash"],
        chunk_count=row["chunk_count"],
        size=row["size"],
        modified_ns=row["modified_ns"],
        language=intern(row["language"]) if row["language"] else None,
        digest=row["digest"],
    )
