"""An entry: a piece of knowledge that someone wrote, and how it is changed."""

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
    """Where in an org something belongs; empty parts mean the org as a whole.

    `resource` is the key of the resource that it is a part of.
    """

    workspace: str | None = None
    space: str | None = None
    project: str | None = None
    resource: int | None = None


def plain_tag(tag: str) -> str:
    """A tag as all entries have it, whoever writes it; a search asks for it in the same way."""
    return tag.lower()


@dataclass(frozen=True, slots=True)
class EntryContent:
    """What an author writes. Confidence is on the core's one scale, 0 to 1.

    A category is a dialect's own type within a kind, a domain the field that it is about.
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
        """What the entry is called: its title, its description where it has one, its tags."""
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
        """Whether indexes hold the entry: not when it is deleted or in quarantine."""
        return self.deleted_at is None and not self.content.attributes.get("quarantined")

    def is_current(self, now: datetime) -> bool:
        """Whether default read paths show the entry at that moment."""
        expired = self.content.expires_at is not None and self.content.expires_at <= now
        return self.deleted_at is None and self.head is None and not expired
