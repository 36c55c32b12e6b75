"""Changes of a scope's attachments and their results, as values."""

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
    """Options of an attachment; None keeps the current value, or the default."""

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
    """One change. ADD has a shape and a locator; all others have an attachment id."""

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
    """The attachments in a scope.

    `projects` are all of the org, by id. `problems` are code files that could not be read
    completely. `commits` has the number of stored commits by folder locator.
    """

    scope: WorkspaceScope
    attached: tuple[Attached, ...]
    projects: Mapping[str, Project]
    counts: Mapping[int, ResourceCounts] = field(default_factory=dict)
    problems: tuple[FileProblem, ...] = ()
    commits: Mapping[str, int] = field(default_factory=dict)

    @property
    def resources(self) -> tuple[Resource, ...]:
        """The attached resources, each once, in order of attachment."""
        return tuple({one.resource.key: one.resource for one in self.attached}.values())

    def status_of(self, resource: Resource) -> IndexStatus:
        """The resource's status. Written entries need no reading: they are ready once embedded."""
        status = resource.indexing.status
        counts = self.counts.get(resource.key, ResourceCounts())
        ready = resource.kind.is_written and status is IndexStatus.STALE and not counts.unembedded
        return IndexStatus.READY if ready else status

    @property
    def sources(self) -> View:
        """The view without written entries, which are counted separately from sources."""
        kept = (one for one in self.attached if not one.resource.kind.is_written)
        return replace(self, attached=tuple(kept))

    @property
    def entries(self) -> tuple[Attached, ...]:
        return tuple(one for one in self.attached if one.resource.kind.is_written)

    @property
    def pending(self) -> int:
        """The number of chunks that wait for an embedding, of sources and entries."""
        return sum(self.counts[resource.key].unembedded for resource in self.resources)

    @property
    def previewed(self) -> int:
        """The number of chunks that only have a preview."""
        return sum(self.counts[resource.key].previewed for resource in self.resources)

    @property
    def left_out(self) -> int:
        """The number of boilerplate chunks, which are never embedded."""
        return sum(self.counts[resource.key].left_out for resource in self.resources)

    def problems_of(self, resource: Resource) -> tuple[FileProblem, ...]:
        return tuple(one for one in self.problems if one.resource_key == resource.key)

    def with_status(self, status: IndexStatus) -> int:
        return sum(self.status_of(resource) is status for resource in self.resources)


@dataclass(frozen=True, slots=True)
class Changed:
    """The result of each operation, and what remains of the attachments concerned."""

    done: tuple[Done, ...]
    view: View
