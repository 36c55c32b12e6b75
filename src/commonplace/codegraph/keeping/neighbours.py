"""Neighbouring resources, which may link to each other, and files that depend on a change."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from commonplace.codegraph.extraction.languages import BARE_MEMBERS, INCLUDING
from commonplace.codegraph.resolution.builds import GRADLE, MAVEN, PYPROJECT
from commonplace.codegraph.resolution.exports import Modules
from commonplace.model.graph import CodeFile
from commonplace.model.workspace import Attached, KnowledgeType

MANIFEST = "manifest"
_MANIFESTS = frozenset({"package.json", "go.mod", "Cargo.toml", PYPROJECT}) | MAVEN | GRADLE


def is_manifest(path: str) -> bool:
    name = path.rsplit("/", 1)[-1]
    return name in _MANIFESTS or (name.startswith("tsconfig") and name.endswith(".json"))


def located(resource_key: int, path: str) -> str:
    """A file's path with the key of its resource, unique across resources."""
    return f"{resource_key}/{path}"


def neighbours(attached: Iterable[Attached], resource_key: int) -> list[int]:
    """The resource and all code attached to the same projects; shared resources are in all."""
    places: dict[int, set[str | None]] = {}
    for one in attached:
        if one.resource.knowledge_type is KnowledgeType.CODE:
            places.setdefault(one.resource.key, set()).add(one.attachment.project_id)
    own = places.pop(resource_key, set())
    near = [
        key
        for key, theirs in sorted(places.items())
        if None in own or None in theirs or own & theirs
    ]
    return [resource_key, *near]


def packages_of(files: Iterable[CodeFile]) -> dict[str, list[str]]:
    """The files of each package, for languages with packages."""
    found: dict[str, list[str]] = {}
    for file in files:
        if file.language in BARE_MEMBERS or file.package:
            found.setdefault(file.package, []).append(located(file.resource_key, file.path))
    return found


def elsewhere_now(
    files: Iterable[CodeFile],
    specifiers: Mapping[int, Sequence[str]],
    before: Modules,
    after: Modules,
) -> set[int]:
    """Files that import a module whose path resolves to another file than before, or to none."""
    return {
        file.key
        for file in files
        if file.language not in BARE_MEMBERS - INCLUDING
        and any(_moved(file, each, before, after) for each in specifiers.get(file.key, ()))
    }


def _moved(file: CodeFile, specifier: str, before: Modules, after: Modules) -> bool:
    path = located(file.resource_key, file.path)
    return before.find(path, specifier) != after.find(path, specifier)


def packages_around(paths: Collection[str]) -> set[str]:
    """The `__init__` files of the folders of these paths and of their parents.

    They give access to the modules beside them.
    """
    folders = {path.rpartition("/")[0] for path in paths}
    outer = {folder.rpartition("/")[0] for folder in folders}
    return {f"{folder}/__init__.{ending}" for folder in folders | outer for ending in ("py", "pyi")}


def dependents(
    files: Iterable[CodeFile], changed: frozenset[int], packages: frozenset[str]
) -> set[int]:
    """Files whose links depend on one of the changed files or packages."""
    return {
        file.key
        for file in files
        if not changed.isdisjoint(file.reads) or not packages.isdisjoint(file.packages)
    }
