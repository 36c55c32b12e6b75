"""Project rules: what is valid, how a project is shown, and how a reference to one is resolved."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from commonplace.errors import Conflict, InvalidArgument, ProjectNotFound
from commonplace.model.workspace import Project, ProjectDraft
from commonplace.text.gate import clean
from commonplace.workspace.projects.policy import is_within
from commonplace.workspace.projects.scope import WorkspaceScope

MAX_NAME = 200
_MOST_NAMED = 20
_NO_KEY = re.compile(r"[^A-Za-z0-9._-]+")
_HANDLE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,99}")


@dataclass(frozen=True, slots=True)
class NewProject:
    """A project to be added; `roots` are paths or file URLs as given."""

    handle: str
    roots: tuple[str, ...] = ()
    id: str | None = None
    name: str | None = None


def checked(new: NewProject) -> NewProject:
    if not _HANDLE.fullmatch(new.handle):
        raise InvalidArgument(
            "key must be letters, digits, '.', '_' and '-', at most 100 of them.", field="key"
        )
    if new.id is not None and not _ID.fullmatch(new.id):
        raise InvalidArgument(
            "id must be letters, digits, '.', '_', ':' and '-', at most 100 of them.", field="id"
        )
    if new.name is None:
        return new
    name = " ".join(clean(new.name, field="name", max_chars=MAX_NAME).split())
    if not name:
        raise InvalidArgument("name must not be empty.", field="name")
    return replace(new, name=name)


def free_key(folder: str, taken: Collection[str]) -> str:
    """A key based on the folder's name that no project has yet."""
    plain = _NO_KEY.sub("-", folder).strip("-._")[:90] or "project"
    numbered = (f"{plain}-{number}" for number in range(2, len(taken) + 3))
    return next(key for key in (plain, *numbered) if key not in taken)


def project_document(project: Project) -> dict[str, Any]:
    """A project as it is shown to people and programs."""
    return {
        "id": project.id,
        "key": project.handle,
        "name": project.name,
        "roots": list(project.roots),
        "repository": project.repository,
        "created_at": project.created_at.isoformat(),
    }


def draft_of(
    new: NewProject, id: str, roots: tuple[str, ...], repository: str | None
) -> ProjectDraft:
    return ProjectDraft(id, new.handle, new.name or new.handle, roots, repository)


def with_additions(
    known: Project, new: NewProject, roots: tuple[str, ...], repository: str | None
) -> Project:
    """An existing project with additional roots; whatever is not given stays as it is."""
    if new.id not in (None, known.id):
        raise Conflict(f"The key {known.handle} is that of the project {known.id}.")
    return replace(
        known,
        name=new.name or known.name,
        roots=tuple(dict.fromkeys([*known.roots, *roots])),
        repository=known.repository or repository,
    )


def find_project(projects: Mapping[str, Project], reference: str) -> Project:
    """The project with that id or key."""
    by_handle = (project for project in projects.values() if project.handle == reference)
    project = projects.get(reference) or next(by_handle, None)
    if project is None:
        raise ProjectNotFound(f"There is no project {reference}. {_existing(projects)}")
    return project


def names_of(project: Project) -> frozenset[str]:
    """What a project is called, in lower case."""
    return frozenset(map(str.casefold, (project.handle, project.id, project.name)))


def project_called(projects: Iterable[Project], given: str) -> Project | None:
    """The project with that key or id, else with that name; in any case, if none is just so."""
    folded = given.casefold()

    def distance(project: Project) -> int:
        keys = (project.handle, project.id)
        if given in keys:
            return 0
        return 1 if folded in map(str.casefold, keys) else 2

    called = (project for project in projects if folded in names_of(project))
    return min(called, key=distance, default=None)


def _existing(projects: Mapping[str, Project]) -> str:
    """What a caller can do instead of naming an unknown project."""
    if not projects:
        return "There are no projects yet: `commonplace init` makes a folder one."
    keys = sorted(project.handle for project in projects.values())
    more = f" and {len(keys) - _MOST_NAMED} more" if len(keys) > _MOST_NAMED else ""
    return f"These exist: {', '.join(keys[:_MOST_NAMED])}{more}."


def resolve_scope(projects: Mapping[str, Project], scope: WorkspaceScope) -> WorkspaceScope:
    """The scope with existing projects, named by their ids."""
    ids = (find_project(projects, reference).id for reference in scope.projects)
    return replace(scope, projects=tuple(dict.fromkeys(ids)))


def project_around(projects: Iterable[Project], folder: str) -> Project | None:
    """The project with the innermost root around a folder."""
    around = [
        (len(root), project)
        for project in projects
        for root in project.roots
        if is_within(folder, root)
    ]
    return max(around, key=lambda one: one[0])[1] if around else None
