"""How files of attached folders are named: by their project and their path in it.

Equal for every clone of a repository, and free of the machine that it lies on.
"""

from __future__ import annotations

from collections.abc import Sequence
from posixpath import join, normpath, relpath

from commonplace.model.references import GLOBAL, ShortReference, of_file
from commonplace.model.workspace import Attached, Project, Resource
from commonplace.workspace.projects.policy import is_within, path_of


def filed_under(project: Project | None) -> str:
    """The name that a file's reference begins with; of what no project owns, `global`."""
    return project.handle if project else GLOBAL


def filed_folder(resource: Resource, roots: Sequence[str]) -> str:
    """Where a resource lies in its project: below a root, else under its own name; "" is its top.

    What was sent lies on no disk, and is its project's top.
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
    """The reference of a file by its path in a resource, or of some of its lines."""
    folder = filed_folder(attached.resource, project.roots if project else ())
    return of_file(filed_under(project), join(folder, path) if folder else path, first, last)


def path_in(resource: Resource, roots: Sequence[str], filed: str) -> str | None:
    """The path in a resource of a file that is named by its project; None if it lies elsewhere."""
    folder = filed_folder(resource, roots)
    if not folder:
        return filed
    return filed.removeprefix(f"{folder}/") if filed.startswith(f"{folder}/") else None
