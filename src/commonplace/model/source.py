"""A source: a file, web page or written page that is chunked, and who can find it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from commonplace.model.entry import Place
from commonplace.model.times import to_micros

DOCUMENT_KIND = "document"


class SourceType(StrEnum):
    URL = "url"
    FILE = "file"
    PAGE = "page"


class SourceScope(StrEnum):
    """Who can find a source: everybody, a workspace with all its spaces, or one space."""

    SYSTEM = "system"
    WORKSPACE = "workspace"
    SPACE = "space"


class SourceStatus(StrEnum):
    PENDING = "pending"
    PROCESSING = "processing"
    READY = "ready"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the text comes from: an address to fetch, or uploaded bytes."""

    type: SourceType
    locator: str
    digest: str | None = None
    media_type: str = ""


@dataclass(frozen=True, slots=True)
class SourceDraft:
    id: str
    name: str
    scope: SourceScope
    place: Place
    origin: Origin


@dataclass(frozen=True, slots=True)
class Sync:
    """How far reading has come. `generation` counts the requests to read the source."""

    status: SourceStatus = SourceStatus.PENDING
    error: str | None = None
    generation: int = 1
    etag: str = ""
    last_modified: str = ""
    synced_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class DocumentState:
    """The last version that was chunked; `key` is the owner of the chunks."""

    key: int
    content_hash: str
    chunk_count: int


@dataclass(frozen=True, slots=True)
class Source:
    key: int
    org: str
    id: str
    name: str
    scope: SourceScope
    place: Place
    origin: Origin
    sync: Sync
    agent: str
    revision: int
    created_at: datetime
    deleted_at: datetime | None = None
    document: DocumentState | None = None

    @property
    def chunk_count(self) -> int:
        return self.document.chunk_count if self.document else 0


def source_image(source: Source) -> dict[str, Any]:
    """What the record of changes keeps of a source: what was provided, not what was derived."""
    return {
        "name": source.name,
        "type": source.origin.type.value,
        "scope": source.scope.value,
        "workspace": source.place.workspace,
        "space": source.place.space,
        "locator": source.origin.locator,
        "digest": source.origin.digest,
        "media_type": source.origin.media_type,
        "deleted_at": to_micros(source.deleted_at),
    }
