"""The layout of a project from its manifests: packages, path aliases and source roots."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from posixpath import dirname, join, normpath
from typing import Any

from commonplace.codegraph.resolution.builds import PYPROJECT, BuildModule, modules_of, source_roots


@dataclass(frozen=True, slots=True)
class Alias:
    """A path alias. `pattern` may end in `*`; `targets` replace it, relative to the project."""

    pattern: str
    targets: tuple[str, ...]


# Conditions of exports that do not hold wherever code runs.
_SOME_ENVIRONMENTS = frozenset(
    {
        "react-server", "react-native", "browser", "worker", "workerd", "edge-light", "deno", "bun",
        "electron", "netlify", "node-addons",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Package:
    """A package. `exports` maps subpaths (`.`, `./x`, `./*`) to files, sources first."""

    folder: str
    exports: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Layout:
    """The layout of a project. `elements` has, by folder, the library that declares JSX tags."""

    packages: Mapping[str, Package] = field(default_factory=dict)
    aliases: tuple[Alias, ...] = ()
    roots: tuple[str, ...] = ("", "src")
    elements: tuple[tuple[str, str], ...] = ()
    modules: tuple[BuildModule, ...] = ()

    def below(self, folder: str) -> Layout:
        """The same layout, with paths relative to the parent of the project's folder."""
        return Layout(
            {
                name: Package(inside(folder, each.folder), each.exports)
                for name, each in self.packages.items()
            },
            tuple(
                Alias(each.pattern, tuple(inside(folder, target) for target in each.targets))
                for each in self.aliases
            ),
            tuple(inside(folder, root) for root in self.roots),
            tuple((inside(folder, below), library) for below, library in self.elements),
            tuple(each.below(folder) for each in self.modules),
        )


def layout_of(manifests: Mapping[str, str]) -> Layout:
    """Read the layout of a project from its manifests; a malformed manifest adds nothing."""
    packages: dict[str, Package] = {}
    aliases: list[Alias] = []
    elements: list[tuple[str, str]] = []
    roots: list[str] = ["", "src"]
    for path, text in sorted(manifests.items()):
        if path.endswith(PYPROJECT):
            roots.extend(source_roots(path, text))
            continue
        if path.endswith("go.mod"):
            module = _GO_MODULE.search(text)
            packages.update({module[1]: Package(dirname(path))} if module else {})
            continue
        if path.endswith("Cargo.toml"):
            crate = _CRATE.search(text)
            packages.update({crate[1]: Package(dirname(path))} if crate else {})
            continue
        content = _json(text) if path.endswith(".json") else {}
        if path.endswith("package.json") and isinstance(content.get("name"), str):
            packages[content["name"]] = _package(dirname(path), content)
            aliases.extend(_imports(dirname(path), content.get("imports")))
        elif "tsconfig" in path:
            aliases.extend(_aliases(dirname(path), content.get("compilerOptions")))
            elements.extend(_elements(dirname(path), content.get("compilerOptions")))
    return Layout(
        packages,
        tuple(aliases),
        tuple(dict.fromkeys(roots)),
        tuple(elements),
        modules_of(manifests),
    )


def inside(folder: str, path: str) -> str:
    """The normalised path of a file in a folder of the project."""
    return normpath(join(folder, path)).removeprefix("./")


def is_within(path: str, folder: str) -> bool:
    return folder in {"", "."} or path == folder or path.startswith(f"{folder}/")


def _package(folder: str, content: dict[str, Any]) -> Package:
    exports = content.get("exports")
    entries: dict[str, tuple[str, ...]] = {}
    if isinstance(exports, dict) and any(key.startswith(".") for key in exports):
        entries = {key: tuple(_files(value)) for key, value in exports.items()}
    elif exports is not None:
        entries = {".": tuple(_files(exports))}
    mains = (content.get(key) for key in ("source", "types", "typings", "module", "main"))
    entries.setdefault(".", tuple(main for main in mains if isinstance(main, str)))
    return Package(folder, entries)


def _files(value: object) -> Iterator[str]:
    """The files of an export, under any condition; those for some environments only come last."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for condition in sorted(value, key=_SOME_ENVIRONMENTS.__contains__):
            yield from _files(value[condition])
    elif isinstance(value, list):
        for each in value:
            yield from _files(each)


def _imports(folder: str, imports: object) -> Iterator[Alias]:
    """A package's private aliases for its own files: `#name`."""
    for pattern, files in (imports if isinstance(imports, dict) else {}).items():
        yield Alias(pattern, tuple(inside(folder, file) for file in _files(files)))


def _elements(folder: str, options: object) -> Iterator[tuple[str, str]]:
    library = options.get("jsxImportSource") if isinstance(options, dict) else None
    if isinstance(library, str):
        yield folder, library


def _aliases(folder: str, options: object) -> Iterator[Alias]:
    if not isinstance(options, dict):
        return
    start = inside(folder, str(options.get("baseUrl") or "."))
    paths = options.get("paths")
    for pattern, targets in (paths if isinstance(paths, dict) else {}).items():
        if isinstance(targets, list):
            yield Alias(pattern, tuple(inside(start, str(target)) for target in targets))
    if "baseUrl" in options:
        yield Alias("*", (inside(start, "*"),))


_GO_MODULE = re.compile(r'^module[ \t]++"?([^\s"]++)', re.MULTILINE)
_CRATE = re.compile(
    r'^\[package\](?:\n(?!\[)[^\n]*+)*?\nname[ \t]*+=[ \t]*+"([^"\n]++)"', re.MULTILINE
)
_COMMENT = re.compile(r'("(?:\\.|[^"\\])*+(?:"|\Z))|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")


def _json(text: str) -> dict[str, Any]:
    bare = _COMMENT.sub(lambda found: found[1] or "", text)
    try:
        content = json.loads(_TRAILING_COMMA.sub(r"\1", bare))
    except (ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}
