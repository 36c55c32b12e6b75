"""A resource with all that it may link to, and what has to be done when its files change.

Pure: from what is kept and what is there now.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from commonplace.codegraph.coding import VERSION
from commonplace.codegraph.languages import BY_NAME, language_of
from commonplace.codegraph.layout import Layout, layout_of
from commonplace.codegraph.modules import NeighbouringModules
from commonplace.codegraph.neighbours import (
    MANIFEST,
    dependents,
    elsewhere_now,
    is_manifest,
    located,
    packages_around,
)
from commonplace.model.graph import CodeFile, Symbol
from commonplace.model.workspace import FileState


@dataclass(frozen=True, slots=True)
class Around:
    """`keys` are the resource's own and its neighbours'; `paths` the files of code by place."""

    resource_key: int
    keys: Sequence[int]
    files: Sequence[CodeFile]
    paths: Mapping[str, CodeFile]
    layouts: Mapping[str, Layout]


def around_of(
    resource_key: int, keys: Sequence[int], files: Sequence[CodeFile], texts: Mapping[int, bytes]
) -> Around:
    """`texts` are those of the manifests."""
    code = {located(f.resource_key, f.path): f for f in files if f.language != MANIFEST}
    manifests: dict[int, dict[str, str]] = {key: {} for key in keys}
    for file in files:
        if file.language == MANIFEST:
            manifests[file.resource_key][file.path] = texts[file.key].decode(errors="replace")
    layouts = {str(key): layout_of(manifests[key]) for key in keys}
    return Around(resource_key, keys, files, code, layouts)


class Change:
    """`stale` has to be extracted, `gone` to be forgotten, `affected` to be linked again."""

    def __init__(
        self,
        around: Around,
        states: Iterable[FileState],
        given: frozenset[int],
        removed: frozenset[int],
    ) -> None:
        self._around = around
        wanted = {state.key: state for state in states if _is_read(state.path)}
        known = {f.key: f for f in around.files if f.resource_key == around.resource_key}
        self._known = known
        self.stale = [
            state
            for key, state in wanted.items()
            if key in given or not _is_current(known.get(key), state)
        ]
        self.gone = [file for key, file in known.items() if key not in wanted]
        self.affected = self._affected(removed, wanted)

    def _affected(self, removed: frozenset[int], wanted: Mapping[int, FileState]) -> set[int]:
        around, known = self._around, self._known
        if any(map(is_manifest, [*(s.path for s in self.stale), *(f.path for f in self.gone)])):
            return {file.key for file in around.files}
        moved = [s for s in self.stale if s.key in known and known[s.key].path != s.path]
        left = [*self.gone, *(known[state.key] for state in moved)]
        added = [*moved, *(state for state in self.stale if state.key not in known)]
        present = {file.key for file in around.files}
        lost = {key for file in around.files for key in file.reads} - present - wanted.keys()
        changed = lost | removed | {file.key for file in left}
        changed |= self._elsewhere(
            {located(around.resource_key, state.path) for state in added},
            {located(around.resource_key, file.path) for file in left},
        )
        packages = frozenset(file.package for file in left)
        return dependents(around.files, frozenset(changed), packages) | (changed & present)

    def _elsewhere(self, added: set[str], left: set[str]) -> set[int]:
        """Files in which a name of a module leads elsewhere, once files have come or gone."""
        if not added and not left:
            return set()
        paths, layouts = self._around.paths, self._around.layouts
        before = NeighbouringModules(paths.keys(), layouts)
        now = NeighbouringModules((paths.keys() - left) | added, layouts)
        beside = packages_around(added | left)
        named = {file.key for path, file in paths.items() if path in beside}
        return named | elsewhere_now(paths.values(), before, now)

    def dependents_of(
        self, file: CodeFile, was: Sequence[Symbol], now: Sequence[Symbol]
    ) -> set[int]:
        """The files that have to be linked again because this one looks different now."""
        before = self._known.get(file.key)
        lost = {symbol.key for symbol in was} - {symbol.key for symbol in now}
        if before is not None and before.interface == file.interface and not lost:
            return set()
        packages: frozenset[str] = frozenset()
        if before is None or before.package != file.package or _outer(was) != _outer(now):
            packages = frozenset({file.package, before.package if before else file.package})
        return dependents(self._around.files, frozenset({file.key}), packages)


def names_changed(file: CodeFile, was: Sequence[Symbol], now: Sequence[Symbol]) -> list[str]:
    """Names that one more or one less symbol has, where names are all that links."""
    if file.language not in BY_NAME:
        return []
    before, after = sorted((s.name, s.kind) for s in was), sorted((s.name, s.kind) for s in now)
    if before == after:
        return []
    return sorted({name for name, _ in (*before, *after)})


def _is_read(path: str) -> bool:
    return language_of(path) is not None or is_manifest(path)


def _is_current(file: CodeFile | None, state: FileState) -> bool:
    return file is not None and (file.content_hash, file.path, file.version) == (
        state.content_hash,
        state.path,
        VERSION,
    )


def _outer(symbols: Iterable[Symbol]) -> set[str]:
    """The names that a file gives to its package."""
    return {symbol.name for symbol in symbols if symbol.path == symbol.name}
