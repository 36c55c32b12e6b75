"""The workspace scope of a call: one project, several, global, or all."""

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
    """A scope; `projects` are ids, empty unless the scope names projects."""

    name: ScopeName
    projects: tuple[str, ...] = ()

    def holds(self, project_id: str | None) -> bool:
        """Whether the scope includes a project's attachments; None stands for global ones."""
        if self.name is ScopeName.ALL:
            return True
        return project_id is None if self.name is ScopeName.GLOBAL else project_id in self.projects

    @property
    def project(self) -> str | None:
        """The project to write to, in a scope with one project; None stands for global."""
        return self.projects[0] if self.name is ScopeName.PROJECT else None


EVERYTHING = WorkspaceScope(ScopeName.ALL)


def scope_of(
    name: ScopeName | None, project_id: str | None, project_ids: Sequence[str] = ()
) -> WorkspaceScope:
    """The named scope; without a name, the projects given, else everything."""
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
