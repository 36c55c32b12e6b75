"""Which resources may link to each other, and which files of them have to be linked again."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from commonplace.codegraph.extraction.languages import BARE_MEMBERS
from commonplace.codegraph.resolution.builds import GRADLE, MAVEN, PYPROJECT
from commonplace.codegraph.resolution.names import Modules
from commonplace.model.graph import CodeFile
from commonplace.model.workspace import Attached, KnowledgeType

MANIFEST = "manifest"
_MANIFESTS = frozenset({"package.json", "go.mod", "Cargo.toml", PYPROJECT}) | MAVEN | GRADLE


def is_manifest(path: str) -> bool:
    name = path.rsplit("/", 1)[-1]
    return name in _MANIFESTS or (name.startswith("tsconfig") and name.endswith(".json"))


def located(resource_key: int, path: str) -> str:
    """A file's path among those of all resources that are looked at together."""
    return f"{resource_key}/{path}"


def neighbours(attached: Iterable[Attached], resource_key: int) -> list[int]:
    """The resource and all code that is attached where it is; what everybody has is everywhere."""
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
    """The files of each package, for languages that have such."""
    found: dict[str, list[str]] = {}
    for file in files:
        if file.language in BARE_MEMBERS or file.package:
            found.setdefault(file.package, []).append(located(file.resource_key, file.path))
    return found


def elsewhere_now(files: Iterable[CodeFile], before: Modules, after: Modules) -> set[int]:
    """Files that name a module which is found, and was not, or is another one now."""
    return {
        file.key
        for file in files
        if file.language not in BARE_MEMBERS
        and any(_moved(file, specifier, before, after) for specifier in file.specifiers)
    }


def _moved(file: CodeFile, specifier: str, before: Modules, after: Modules) -> bool:
    path = located(file.resource_key, file.path)
    return before.find(path, specifier) != after.find(path, specifier)


def packages_around(paths: Collection[str]) -> set[str]:
    """The files that stand for the folders of these: they give a name to what lies beside them."""
    folders = {path.rpartition("/")[0] for path in paths}
    outer = {folder.rpartition("/")[0] for folder in folders}
    return {f"{folder}/__init__.{ending}" for folder in folders | outer for ending in ("py", "pyi")}


def dependents(
    files: Iterable[CodeFile], changed: frozenset[int], packages: frozenset[str]
) -> set[int]:
    """Files whose links were made by looking at one of the changed files or packages."""
    return {
        file.key
        for file in files
        if not changed.isdisjoint(file.reads) or not packages.isdisjoint(file.packages)
    }
