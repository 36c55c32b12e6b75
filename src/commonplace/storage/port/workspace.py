"""The ports for projects, resources, their attachments, and their files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from commonplace.model.workspace import (
    Attached,
    Attachment,
    AttachmentDraft,
    FileState,
    IndexStatus,
    KnowledgeType,
    Project,
    ProjectDraft,
    Resource,
    ResourceCounts,
    ResourceDraft,
)


class Projects(Protocol):
    """Projects of the org. Each write adds its change in the same transaction."""

    def insert(self, draft: ProjectDraft) -> Project:
        """Add a project; Conflict if its id or handle is taken."""
        ...

    def get(self, id: str) -> Project | None: ...

    def find(self, *, handle: str | None = None, repository: str | None = None) -> Project | None:
        """A project by its handle or its repository."""
        ...

    def all(self) -> list[Project]:
        """All projects, ordered by handle."""
        ...

    def update(self, project: Project) -> Project:
        """Replace name, handle, roots and repository if the revision is the same; else
        RevisionConflict."""
        ...

    def remove(self, project: Project) -> None:
        """Hide a project; its attachments must have been removed before."""
        ...


class Resources(Protocol):
    """Resources, and how far reading them has come."""

    def insert(self, draft: ResourceDraft) -> Resource: ...

    def get(self, id: str) -> Resource | None: ...

    def at(self, knowledge_type: KnowledgeType, locator: str) -> Resource | None: ...

    def histories(self) -> list[Resource]:
        """The histories of attached folders, each with the locator of its folder."""
        ...

    def lock(self, key: int) -> Resource | None:
        """Read a resource and lock it until the transaction ends."""
        ...

    def queue(self, keys: Sequence[int], run_id: str | None) -> None:
        """Queue resources to be read; the results of readings in progress will be discarded."""
        ...

    def settle(
        self,
        resource: Resource,
        status: IndexStatus,
        error: str | None = None,
        version: str | None = None,
    ) -> bool:
        """Store how far reading has come; False if it was queued again or removed meanwhile."""
        ...

    def watch(self, keys: Sequence[int], until: datetime) -> None:
        """Record that a living process watches them."""
        ...

    def remove(self, resource: Resource) -> None:
        """Remove a resource and its files; whatever refers to it must be gone."""
        ...

    def counts(self, keys: Sequence[int]) -> Mapping[int, ResourceCounts]: ...

    def entry_keys(self, key: int) -> list[int]:
        """Keys of the entries that the resource consists of, oldest first."""
        ...


class Attachments(Protocol):
    """Attachments of resources. Each write adds its change in the same transaction."""

    def insert(self, draft: AttachmentDraft) -> Attached: ...

    def get(self, id: str) -> Attached | None: ...

    def lock(self) -> None:
        """Lock the attachments of the org against others who change several of them, in whatever
        order, until the transaction ends."""
        ...

    def all(self) -> list[Attached]:
        """Attachments of the org, in the order of creation."""
        ...

    def of_resource(self, resource_key: int) -> list[Attachment]: ...

    def update(self, attachment: Attachment) -> Attached:
        """Replace label, trust, weight and enabled."""
        ...

    def remove(self, attachment: Attachment) -> None: ...


class Files(Protocol):
    """The files of a resource, as last read."""

    def of_resource(self, resource_key: int) -> list[FileState]:
        """Files of a resource, ordered by path."""
        ...

    def named(self, resource_key: int, name: str) -> list[FileState]:
        """Files of a resource with that name, in whatever folder, ordered by path."""
        ...

    def after(self, resource_key: int, path: str, limit: int) -> list[FileState]:
        """Files of a resource after a path, at most `limit`, in path order."""
        ...

    def get(self, keys: Sequence[int]) -> dict[int, FileState]: ...

    def put(self, resource_key: int, state: FileState) -> int:
        """Add or replace the file with that path; returns its key. `state.key` is ignored."""
        ...

    def move(self, key: int, path: str, modified_ns: int) -> None:
        """Give a file another path; its content stays the same."""
        ...

    def touch(self, key: int, paths: Sequence[str]) -> None:
        """Record which files a newly stored commit touched."""
        ...

    def touched(self, keys: Sequence[int]) -> dict[int, tuple[str, ...]]:
        """The paths that commits touched, in order; empty for files that are not commits."""
        ...

    def remove(self, keys: Sequence[int]) -> None:
        """Remove files; their chunks must have been removed before."""
        ...
