"""Names of files in attached folders: project, and path in the project.

Equal for every clone of a repository, and independent of the machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from posixpath import join, normpath, relpath

from commonplace.model.references import GLOBAL, ShortReference, of_file
from commonplace.model.workspace import Attached, Project, Resource
from commonplace.workspace.projects.policy import is_within, path_of


def filed_under(project: Project | None) -> str:
    """The first part of a file's reference; `global` if no project owns it."""
    return project.handle if project else GLOBAL


def filed_folder(resource: Resource, roots: Sequence[str]) -> str:
    """The folder of a resource in its project: relative to a root, else its own name; "" for the
    top.

    A pushed folder has no path on disk and is the top of its project.
    """
    if not resource.locator.startswith("file:"):
        return ""
    folder = normpath(path_of(resource.locator))
    holding = [root for root in roots if is_within(folder, root)]
    if not holding:
        return resource.name
    inner = relpath(folder, max(holding, key=len))
    return "" if inner == "." else inner


def file_reference(
    attached: Attached,
    project: Project | None,
    path: str,
    first: int | None = None,
    last: int | None = None,
) -> ShortReference:
    """The reference of a file, by its path in a resource, or of some of its lines."""
    folder = filed_folder(attached.resource, project.roots if project else ())
    return of_file(filed_under(project), join(folder, path) if folder else path, first, last)
