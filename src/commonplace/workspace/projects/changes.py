"""What can be done to the attachments of a scope, and what came of it; as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from commonplace.model.chunk import TrustTier
from commonplace.model.graph import FileProblem
from commonplace.model.workspace import (
    Attached,
    Attachment,
    AttachmentDraft,
    IndexStatus,
    Project,
    Resource,
    ResourceCounts,
)
from commonplace.workspace.projects.scope import WorkspaceScope


class AttachmentOp(StrEnum):
    ADD = "add"
    REMOVE = "remove"
    ENABLE = "enable"
    DISABLE = "disable"
    UPDATE = "update"


@dataclass(frozen=True, slots=True)
class Preferences:
    """What may be said of an attachment; None leaves it as it is, or to its default."""

    label: str | None = None
    trust: TrustTier | None = None
    weight: float | None = None
    enabled: bool | None = None

    def applied_to(self, attachment: Attachment) -> Attachment:
        return replace(attachment, **self._given())

    def draft(self, plain: AttachmentDraft) -> AttachmentDraft:
        return replace(plain, **self._given())

    def _given(self) -> dict[str, Any]:
        said = {name: getattr(self, name) for name in ("label", "trust", "weight", "enabled")}
        return {name: value for name, value in said.items() if value is not None}


@dataclass(frozen=True, slots=True)
class AttachmentChange:
    """One change; an ADD has a shape and a locator, all others an attachment."""

    op: AttachmentOp
    attachment_id: str = ""
    knowledge_type: str = ""
    resource_kind: str = ""
    locator: str = ""
    preferences: Preferences = Preferences()


class AttachmentOutcome(StrEnum):
    ATTACHED = "attached"
    ALREADY_ATTACHED = "already_attached"
    DETACHED = "detached"
    ENABLED = "enabled"
    DISABLED = "disabled"
    UPDATED = "updated"


OUTCOMES = {
    AttachmentOp.ENABLE: AttachmentOutcome.ENABLED,
    AttachmentOp.DISABLE: AttachmentOutcome.DISABLED,
    AttachmentOp.UPDATE: AttachmentOutcome.UPDATED,
    AttachmentOp.REMOVE: AttachmentOutcome.DETACHED,
}


@dataclass(frozen=True, slots=True)
class Done:
    op: AttachmentOp
    outcome: AttachmentOutcome
    attached: Attached


@dataclass(frozen=True, slots=True)
class View:
    """What is attached in a scope. `projects` are all of the org, by id; `problems` are files of
    code that are not read whole; so many `commits` are kept of the folder at each locator."""

    scope: WorkspaceScope
    attached: tuple[Attached, ...]
    projects: Mapping[str, Project]
    counts: Mapping[int, ResourceCounts] = field(default_factory=dict)
    problems: tuple[FileProblem, ...] = ()
    commits: Mapping[str, int] = field(default_factory=dict)

    @property
    def resources(self) -> tuple[Resource, ...]:
        """Each once, in the order they were attached."""
        return tuple({one.resource.key: one.resource for one in self.attached}.values())

    def status_of(self, resource: Resource) -> IndexStatus:
        """Entries are indexed as they are written: they are ready once they are embedded."""
        status = resource.indexing.status
        counts = self.counts.get(resource.key, ResourceCounts())
        ready = resource.kind.is_written and status is IndexStatus.STALE and not counts.unembedded
        return IndexStatus.READY if ready else status

    @property
    def sources(self) -> View:
        """Attachments without what was written: entries are counted apart from sources."""
        kept = (one for one in self.attached if not one.resource.kind.is_written)
        return replace(self, attached=tuple(kept))

    @property
    def entries(self) -> tuple[Attached, ...]:
        return tuple(one for one in self.attached if one.resource.kind.is_written)

    @property
    def pending(self) -> int:
        """How many chunks wait to be embedded, of sources and entries."""
        return sum(self.counts[resource.key].unembedded for resource in self.resources)

    @property
    def previewed(self) -> int:
        """How many chunks have a preview only."""
        return sum(self.counts[resource.key].previewed for resource in self.resources)

    @property
    def left_out(self) -> int:
        """How many chunks are boilerplate, which is not embedded."""
        return sum(self.counts[resource.key].left_out for resource in self.resources)

    def problems_of(self, resource: Resource) -> tuple[FileProblem, ...]:
        return tuple(one for one in self.problems if one.resource_key == resource.key)

    def with_status(self, status: IndexStatus) -> int:
        return sum(self.status_of(resource) is status for resource in self.resources)


@dataclass(frozen=True, slots=True)
class Changed:
    """What each operation did, and the attachments that are left of those it was done to."""

    done: tuple[Done, ...]
    view: View
