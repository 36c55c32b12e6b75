"""An entry: a piece of knowledge that someone wrote."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any


class EntryKind(StrEnum):
    NOTE = "note"
    ITEM = "item"
    PAGE = "page"
    NOTEBOOK_NOTE = "notebook_note"
    RECORD = "record"
    UNIT = "unit"
    SKILL = "skill"


class Visibility(StrEnum):
    PRIVATE = "private"
    ORG = "org"
    NETWORK = "network"


@dataclass(frozen=True, slots=True)
class Place:
    """Where something belongs in an org; empty fields mean the org as a whole.

    `resource` is the key of the resource that it is part of.
    """

    workspace: str | None = None
    space: str | None = None
    project: str | None = None
    resource: int | None = None


def plain_tag(tag: str) -> str:
    """The stored form of a tag; searches for tags use the same form."""
    return tag.lower()


@dataclass(frozen=True, slots=True)
class EntryContent:
    """What an author writes. `confidence` is on the core's scale from 0 to 1.

    A category is a dialect's own subtype of a kind; a domain is the field that the entry is about.
    """

    title: str
    body: str
    tags: tuple[str, ...] = ()
    visibility: Visibility = Visibility.ORG
    place: Place = Place()
    confidence: float = 0.8
    expires_at: datetime | None = None
    attributes: Mapping[str, Any] = field(default_factory=dict)
    category: str | None = None
    domain: str | None = None

    @property
    def label(self) -> str:
        """The text that names the entry: title, description if there is one, and tags."""
        parts = (self.title, self.attributes.get("description"), " ".join(self.tags))
        return "\n".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class EntryDraft:
    """An entry about to be stored for the first time."""

    id: str
    kind: EntryKind
    content: EntryContent
    source: str = "agent"


@dataclass(frozen=True, slots=True)
class Entry:
    """A stored entry. `superseded_by` is the direct successor, `head` the newest one."""

    key: int
    org: str
    id: str
    kind: EntryKind
    content: EntryContent
    source: str
    agent: str
    revision: int
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None = None
    superseded_by: str | None = None
    head: str | None = None

    @property
    def searchable(self) -> bool:
        """Whether indexes contain the entry: it is neither deleted nor in quarantine."""
        return self.deleted_at is None and not self.content.attributes.get("quarantined")

    def is_current(self, now: datetime) -> bool:
        """Whether reads show the entry by default: not deleted, superseded or expired at `now`."""
        expired = self.content.expires_at is not None and self.content.expires_at <= now
        return self.deleted_at is None and self.head is None and not expired
