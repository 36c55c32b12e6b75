"""A resource with all that it may link to, and what has to be done when its files change.

Pure: from what is kept and what is there now.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from commonplace.codegraph.extraction.facts import FileFacts
from commonplace.codegraph.extraction.languages import BY_NAME, language_of
from commonplace.codegraph.keeping.altered import Altered, altered, fresh
from commonplace.codegraph.keeping.asked import any_of, marks
from commonplace.codegraph.keeping.coding import VERSION
from commonplace.codegraph.keeping.neighbours import (
    MANIFEST,
    dependents,
    elsewhere_now,
    is_manifest,
    located,
    packages_around,
    packages_of,
)
from commonplace.codegraph.resolution.layout import Layout, layout_of
from commonplace.codegraph.resolution.linking import ANYWHERE
from commonplace.codegraph.resolution.modules import NeighbouringModules
from commonplace.codegraph.resolution.packages import package_mark
from commonplace.codegraph.resolution.visible import is_private
from commonplace.codegraph.scip.index_facts import BY_INDEX
from commonplace.model.graph import CodeFile, Symbol
from commonplace.model.workspace import FileState


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """`keys` are the resource's own and its neighbours'; `paths` the files of code by place."""

    resource_key: int
    keys: Sequence[int]
    files: Sequence[CodeFile]
    paths: Mapping[str, CodeFile]
    layouts: Mapping[str, Layout]

    def renewed(self, gone: Collection[int], waiting: Sequence[CodeFile]) -> Neighbourhood:
        """The same without files that have gone, and with those that wait as they are now."""
        left = {file.key: file for file in self.files if file.key not in gone}
        left |= {file.key: file for file in waiting}
        return around_of(self.resource_key, self.keys, left.values(), self.layouts)


def around_of(
    resource_key: int,
    keys: Sequence[int],
    files: Iterable[CodeFile],
    layouts: Mapping[str, Layout],
) -> Neighbourhood:
    """Files are in one order, however they were found: of equals the first is taken."""
    ordered = sorted(files, key=lambda file: (file.resource_key, file.path))
    code = {located(f.resource_key, f.path): f for f in ordered if f.language != MANIFEST}
    return Neighbourhood(resource_key, keys, ordered, code, layouts)


def layouts_of(
    keys: Sequence[int], files: Sequence[CodeFile], texts: Mapping[int, bytes]
) -> dict[str, Layout]:
    """`texts` are those of the manifests."""
    manifests: dict[int, dict[str, str]] = {key: {} for key in keys}
    for file in files:
        if file.language == MANIFEST:
            manifests[file.resource_key][file.path] = texts[file.key].decode(errors="replace")
    return {str(key): layout_of(manifests[key]) for key in keys}


class StaleFiles:
    """`stale` has to be extracted, `gone` to be forgotten, `affected` to be linked again.

    `given` are the paths of files that are said to be others now, None says so of all.
    """

    def __init__(
        self,
        around: Neighbourhood,
        states: Sequence[FileState],
        given: Collection[str] | None,
        removed: frozenset[int],
    ) -> None:
        self._around = around
        known = {f.key: f for f in around.files if f.resource_key == around.resource_key}
        brought = {s.key for s in states if _is_brought(known.get(s.key), s)}
        wanted = {s.key: s for s in states if _is_read(s.path) or s.key in brought}
        self._known = known
        self.stale = [
            state
            for key, state in wanted.items()
            if key not in brought
            and (given is None or state.path in given or not _is_current(known.get(key), state))
        ]
        self._stale = frozenset(state.key for state in self.stale)
        self.gone = [file for key, file in known.items() if key not in wanted]
        self.affected = self._affected(removed, wanted)

    def _affected(self, removed: frozenset[int], wanted: Mapping[int, FileState]) -> set[int]:
        around, known = self._around, self._known
        if self.lays_out:
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

    @property
    def lays_out(self) -> bool:
        """Whether a manifest is another one now, and with it where modules are."""
        paths = [*(state.path for state in self.stale), *(file.path for file in self.gone)]
        return any(map(is_manifest, paths))

    def before(self, key: int) -> CodeFile | None:
        """A file as it was kept, where its facts can be compared with those of now."""
        known = self._known.get(key)
        return known if known is not None and known.version == VERSION else None

    def dependents_of(
        self,
        file: CodeFile,
        was: Sequence[Symbol],
        now: Sequence[Symbol],
        versions: Callable[[], tuple[FileFacts | None, FileFacts]],
    ) -> set[int]:
        """The files that have to be linked again because this one looks different now.

        `versions` are its facts of before and of now. Files that are read again are linked anyway.
        """
        before, lost = self._known.get(file.key), _lost(was, now)
        if before is not None and before.interface == file.interface and not lost:
            return set()
        packages = frozenset({file.package, before.package if before else file.package})
        found = dependents(self._around.files, frozenset({file.key}), packages)
        if found <= self._stale:
            return found
        difference = self._difference(file, versions())
        if difference is None:
            return found
        package, names = package_mark(file.package), difference.names | lost
        places = (str(file.key), package, ANYWHERE)
        known = {each for place in places for each in marks(place, names)}
        new = marks(package, difference.fresh)
        return {
            each.key
            for each in self._around.files
            if each.key in found
            and (each.asked is None or any_of(known if file.key in each.reads else new, each.asked))
        }

    def _difference(
        self, file: CodeFile, versions: tuple[FileFacts | None, FileFacts]
    ) -> Altered | None:
        """None where all that look at the file or at its package may see something else."""
        was, now = versions
        if was is not None:
            return altered(was, now)
        known = file.key in self._known
        found_before = file.package in packages_of(self._around.paths.values())
        return fresh(now) if found_before and not known else None


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


def _is_brought(file: CodeFile | None, state: FileState) -> bool:
    """Whether an imported index told of this version of a file, which we cannot read as well."""
    return file is not None and file.problem.endswith(BY_INDEX) and _is_current(file, state)


def _lost(was: Sequence[Symbol], now: Sequence[Symbol]) -> set[str]:
    """The names of symbols that have gone, or stand for something else, or are private by now."""
    kept = {(symbol.key, symbol.name, is_private(symbol.signature)) for symbol in now}
    return {
        symbol.name
        for symbol in was
        if (symbol.key, symbol.name, is_private(symbol.signature)) not in kept
    }
