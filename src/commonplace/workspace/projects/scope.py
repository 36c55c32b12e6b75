"""Which part of the workspace a call is about: one project, several, what is shared, or all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from commonplace.errors import ProjectRequired


class ScopeName(StrEnum):
    PROJECT = "project"
    PROJECTS = "projects"
    GLOBAL = "global"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class WorkspaceScope:
    """`projects` are ids, and empty where none can be named."""

    name: ScopeName
    projects: tuple[str, ...] = ()

    def holds(self, project_id: str | None) -> bool:
        """Whether what belongs to the project is in it; None is what no project owns."""
        if self.name is ScopeName.ALL:
            return True
        return project_id is None if self.name is ScopeName.GLOBAL else project_id in self.projects

    @property
    def project(self) -> str | None:
        """The project of a scope that can be written to; None is what no project owns."""
        return self.projects[0] if self.name is ScopeName.PROJECT else None


EVERYTHING = WorkspaceScope(ScopeName.ALL)


def scope_of(
    name: ScopeName | None, project_id: str | None, project_ids: Sequence[str] = ()
) -> WorkspaceScope:
    """The scope as named; without a name, as wide as the ids given, and all without any."""
    if name is None:
        name = _inferred(project_id, project_ids)
    if name is ScopeName.PROJECT:
        if not project_id:
            raise ProjectRequired("scope project needs projectId.", field="projectId")
        return WorkspaceScope(name, (project_id,))
    if name is ScopeName.PROJECTS:
        if not project_ids:
            raise ProjectRequired("scope projects needs projectIds.", field="projectIds")
        return WorkspaceScope(name, tuple(dict.fromkeys(project_ids)))
    return WorkspaceScope(name)


def _inferred(project_id: str | None, project_ids: Sequence[str]) -> ScopeName:
    if project_id:
        return ScopeName.PROJECT
    return ScopeName.PROJECTS if project_ids else ScopeName.ALL
