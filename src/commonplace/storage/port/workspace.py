"""Projects, resources and their attachments, and the files that were read of a resource."""

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
    """Projects of the org, each write with its change in the same transaction."""

    def insert(self, draft: ProjectDraft) -> Project:
        """Conflict when the id or the handle is taken."""
        ...

    def get(self, id: str) -> Project | None: ...

    def find(self, *, handle: str | None = None, repository: str | None = None) -> Project | None:
        """A project by its id or its handle."""
        ...

    def all(self) -> list[Project]:
        """Projects by handle."""
        ...

    def update(self, project: Project) -> Project:
        """Replace name, handle, roots, repository of the same revision; else RevisionConflict."""
        ...

    def remove(self, project: Project) -> None:
        """Takes a project out of sight; its attachments must be gone before."""
        ...


class Resources(Protocol):
    """What text is read from, and how far reading has come."""

    def insert(self, draft: ResourceDraft) -> Resource: ...

    def get(self, id: str) -> Resource | None: ...

    def at(self, knowledge_type: KnowledgeType, locator: str) -> Resource | None: ...

    def histories(self) -> list[Resource]:
        """The histories of attached folders, each with the locator of its folder."""
        ...

    def lock(self, key: int) -> Resource | None:
        """Read it so that nobody changes it before this transaction ends."""
        ...

    def queue(self, keys: Sequence[int], run_id: str | None) -> None:
        """Let them wait to be read; a reading that is under way no longer counts."""
        ...

    def settle(
        self,
        resource: Resource,
        status: IndexStatus,
        error: str | None = None,
        version: str | None = None,
    ) -> bool:
        """Keep how far reading has come; False when it was queued again or has gone meanwhile."""
        ...

    def watch(self, keys: Sequence[int], until: datetime) -> None:
        """Say that a living process follows them."""
        ...

    def remove(self, resource: Resource) -> None:
        """Removes a resource with its files; what stands on them must be gone before."""
        ...

    def counts(self, keys: Sequence[int]) -> Mapping[int, ResourceCounts]: ...

    def entry_keys(self, key: int) -> list[int]:
        """The entries that it consists of, oldest first."""
        ...


class Attachments(Protocol):
    """Where resources are present, each write with its change in the same transaction."""

    def insert(self, draft: AttachmentDraft) -> Attached: ...

    def get(self, id: str) -> Attached | None: ...

    def all(self) -> list[Attached]:
        """Attachments of the org, in the order they were made."""
        ...

    def of_resource(self, resource_key: int) -> list[Attachment]: ...

    def update(self, attachment: Attachment) -> Attached:
        """Replace label, trust, weight and enabled."""
        ...

    def remove(self, attachment: Attachment) -> None: ...


class Files(Protocol):
    """The files of a resource, as they were read last."""

    def of_resource(self, resource_key: int) -> list[FileState]:
        """Files of a resource, by path."""
        ...

    def after(self, resource_key: int, path: str, limit: int) -> list[FileState]:
        """Some files of a resource, by path, from the one behind a path on."""
        ...

    def get(self, keys: Sequence[int]) -> dict[int, FileState]: ...

    def put(self, resource_key: int, state: FileState) -> int:
        """Add the file, or replace the one of the same path; its key. `state.key` is ignored."""
        ...

    def move(self, key: int, path: str, modified_ns: int) -> None:
        """The same content under another path."""
        ...

    def touch(self, key: int, paths: Sequence[str]) -> None:
        """Say of a commit, which was put just now, which files it touched."""
        ...

    def touched(self, keys: Sequence[int]) -> dict[int, tuple[str, ...]]:
        """The files that commits touched, by path; nothing of what is no commit."""
        ...

    def remove(self, keys: Sequence[int]) -> None:
        """Their chunks must be gone before."""
        ...
