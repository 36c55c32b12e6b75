"""A record: a snapshot of something kept elsewhere, identified by its type, id and version
there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import quote

from commonplace.model.chunk import TrustTier
from commonplace.model.entry import EntryContent, Place
from commonplace.model.workspace import DEFAULT_WEIGHT as PLAIN_WEIGHT

DEFAULT_TRUST = TrustTier.OPERATIONAL
DEFAULT_WEIGHT = PLAIN_WEIGHT


@dataclass(frozen=True, slots=True)
class RecordIdentity:
    """What a snapshot is of; a version without a fraction is shown as an integer."""

    type: str
    id: str
    version: float | int

    @property
    def shown_version(self) -> float | int:
        whole = isinstance(self.version, float) and self.version.is_integer()
        return int(self.version) if whole else self.version


@dataclass(frozen=True, slots=True)
class NewRecord:
    identity: RecordIdentity
    title: str | None = None
    body: str | None = None
    trust: TrustTier | None = None
    weight: float | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RecordEdit:
    """A change of a record; None keeps a field."""

    title: str | None = None
    body: str | None = None
    trust: TrustTier | None = None
    weight: float | None = None
    metadata: Mapping[str, Any] | None = None


def locator_of(project: str | None, identity: RecordIdentity) -> str:
    """Equal for the same version of the same object in the same scope."""
    place = f"project/{quote(project, safe='')}" if project else "global"
    parts = (identity.type, identity.id, str(identity.shown_version))
    return f"valdr-record://{place}/" + "/".join(quote(part, safe="") for part in parts)


def record_content(new: NewRecord, project: str | None, resource: int) -> EntryContent:
    """The entry of a record; without a title its identity is the title, without a body the title
    is."""
    identity = new.identity
    title = new.title or f"{identity.type} {identity.id}"
    return EntryContent(
        title=title,
        body=new.body or title,
        place=Place(project=project, resource=resource),
        attributes={
            "record": {
                "type": identity.type,
                "id": identity.id,
                "version": identity.shown_version,
            },
            "metadata": dict(new.metadata),
        },
    )


def edited(content: EntryContent, edit: RecordEdit) -> EntryContent:
    metadata = content.attributes["metadata"] if edit.metadata is None else dict(edit.metadata)
    return replace(
        content,
        title=content.title if edit.title is None else edit.title,
        body=content.body if edit.body is None else edit.body,
        attributes={**content.attributes, "metadata": metadata},
    )


def identity_in(content: EntryContent) -> RecordIdentity:
    known = content.attributes["record"]
    return RecordIdentity(known["type"], known["id"], known["version"])
