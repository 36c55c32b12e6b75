"""Projects, and the resources that are attached to them or to the global scope."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from commonplace.model.chunk import TrustTier
from commonplace.model.times import to_micros

DEFAULT_WEIGHT = 1.0


class KnowledgeType(StrEnum):
    """What kind of knowledge a resource holds. HISTORY, the commits of the repository that contains
    an attached folder, is never attached itself."""

    DOCS = "docs"
    CODE = "code_intelligence"
    NOTEBOOK = "agent_knowledge"
    RECORD = "valdr_record"
    HISTORY = "history"


class ResourceKind(StrEnum):
    """A FOLDER is read from disk; the files of a PUSHED folder were sent by a client and are in
    `blobs`."""

    FOLDER = "folder"
    PUSHED = "pushed"
    NOTEBOOK = "notebook"
    RECORD = "record"

    @property
    def is_written(self) -> bool:
        """Whether it consists of entries; other resources are read from files."""
        return self in (ResourceKind.NOTEBOOK, ResourceKind.RECORD)


class IndexStatus(StrEnum):
    STALE = "pending"
    INDEXING = "processing"
    READY = "ready"
    FAILED = "error"


@dataclass(frozen=True, slots=True)
class ProjectDraft:
    """A project about to be stored. `repository` is equal for all clones and worktrees of it."""

    id: str
    handle: str
    name: str
    roots: tuple[str, ...]
    repository: str | None = None


@dataclass(frozen=True, slots=True)
class Project:
    """A stored project. `handle` is its readable key; `roots` are absolute, with forward
    slashes."""

    key: int
    org: str
    id: str
    handle: str
    name: str
    roots: tuple[str, ...]
    repository: str | None
    agent: str
    revision: int
    created_at: datetime
    deleted_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ResourceDraft:
    id: str
    kind: ResourceKind
    knowledge_type: KnowledgeType
    locator: str
    name: str


@dataclass(frozen=True, slots=True)
class Indexing:
    """How far indexing has come. `generation` counts the requests to read the resource; `version`
    names what was read last, if that has a name."""

    status: IndexStatus = IndexStatus.STALE
    error: str | None = None
    generation: int = 1
    indexed_at: datetime | None = None
    run_id: str | None = None
    watched_until: datetime | None = None
    version: str = ""


@dataclass(frozen=True, slots=True)
class Resource:
    """Something that text is read from; several attachments may share it."""

    key: int
    org: str
    id: str
    kind: ResourceKind
    knowledge_type: KnowledgeType
    locator: str
    name: str
    indexing: Indexing
    agent: str
    revision: int
    created_at: datetime


@dataclass(frozen=True, slots=True)
class AttachmentDraft:
    """An attachment about to be stored; without a project it is global."""

    id: str
    resource_key: int
    project_id: str | None
    label: str
    trust: TrustTier = TrustTier.OPERATIONAL
    weight: float = DEFAULT_WEIGHT
    enabled: bool = True


@dataclass(frozen=True, slots=True)
class Attachment:
    """The presence of a resource in one scope."""

    key: int
    org: str
    id: str
    resource_key: int
    project_id: str | None
    label: str
    trust: TrustTier
    weight: float
    enabled: bool


@dataclass(frozen=True, slots=True)
class Attached:
    """An attachment with its resource."""

    attachment: Attachment
    resource: Resource


@dataclass(frozen=True, slots=True)
class FileState:
    """One file of a resource, as last read; `key` is the owner of its chunks and symbols.

    `path` is relative to the resource, with forward slashes; `digest` names bytes in `blobs`. In a
    history it is a commit: `path` is its id, `size` the number of files it touched.
    """

    key: int
    path: str
    content_hash: str
    chunk_count: int
    size: int
    modified_ns: int
    language: str | None = None
    digest: str | None = None


@dataclass(frozen=True, slots=True)
class ResourceCounts:
    """What is indexed of one resource.

    `unembedded` chunks have no vectors yet, `previewed` ones only a preview, and `left_out` ones
    never get any.
    """

    files: int = 0
    chunks: int = 0
    entries: int = 0
    unembedded: int = 0
    languages: tuple[str, ...] = ()
    previewed: int = 0
    left_out: int = 0


def project_image(project: Project) -> dict[str, Any]:
    """What the record of changes keeps of a project."""
    return {
        "handle": project.handle,
        "name": project.name,
        "roots": list(project.roots),
        "repository": project.repository,
        "deleted_at": to_micros(project.deleted_at),
    }


def attachment_image(attached: Attached) -> dict[str, Any]:
    """What the record of changes keeps of an attachment: what was provided, not what was
    derived."""
    attachment, resource = attached.attachment, attached.resource
    return {
        "resource": resource.id,
        "kind": resource.kind.value,
        "knowledge_type": resource.knowledge_type.value,
        "locator": resource.locator,
        "project": attachment.project_id,
        "label": attachment.label,
        "trust": attachment.trust.value,
        "weight": attachment.weight,
        "enabled": attachment.enabled,
    }
