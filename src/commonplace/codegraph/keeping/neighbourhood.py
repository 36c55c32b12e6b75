"""A resource with all resources that it may link to, and the work that a change of files makes.

Pure: it compares the stored files with those there are now.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from commonplace.codegraph.extraction.coding import VERSION
from commonplace.codegraph.extraction.facts import FileFacts
from commonplace.codegraph.extraction.languages import BY_NAME, INCLUDING, language_of
from commonplace.codegraph.keeping.lookup_marks import contains_any, marks
from commonplace.codegraph.keeping.name_changes import NameChanges, name_changes, names_added
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
    """A resource with its neighbours: all `keys` and `files`; `paths` has code by located path, and
    the paths in `layouts` are located as well."""

    resource_key: int
    keys: Sequence[int]
    files: Sequence[CodeFile]
    paths: Mapping[str, CodeFile]
    layouts: Mapping[str, Layout]

    def renewed(self, deleted: Collection[int], waiting: Sequence[CodeFile]) -> Neighbourhood:
        """The same without the deleted files, and with the current state of files that wait."""
        if not deleted and not waiting:
            return self
        left = {file.key: file for file in self.files if file.key not in deleted}
        left |= {file.key: file for file in waiting}
        return around_of(self.resource_key, self.keys, left.values(), self.layouts)


def around_of(
    resource_key: int,
    keys: Sequence[int],
    files: Iterable[CodeFile],
    layouts: Mapping[str, Layout],
) -> Neighbourhood:
    """Build a neighbourhood. Its files are sorted: linking takes the first of equal candidates."""
    ordered = sorted(files, key=lambda file: (file.resource_key, file.path))
    code = {located(f.resource_key, f.path): f for f in ordered if f.language != MANIFEST}
    return Neighbourhood(resource_key, keys, ordered, code, layouts)


def layouts_of(
    keys: Sequence[int], files: Sequence[CodeFile], texts: Mapping[int, bytes]
) -> dict[str, Layout]:
    """The layout of each resource, by its key as text, with located paths; `texts` are those of the
    manifests."""
    manifests: dict[int, dict[str, str]] = {key: {} for key in keys}
    for file in files:
        if file.language == MANIFEST:
            manifests[file.resource_key][file.path] = texts[file.key].decode(errors="replace")
    return {str(key): layout_of(manifests[key]).below(str(key)) for key in keys}


class StaleFiles:
    """The work after a change: `stale` to extract, `deleted` to remove, `affected` to relink.

    `changed` are the paths of files that are reported as changed; None means all files.
    `specifiers` gives the modules that each stored file names.
    """

    def __init__(
        self,
        around: Neighbourhood,
        states: Sequence[FileState],
        changed: Collection[str] | None,
        removed: frozenset[int],
        specifiers: Callable[[], Mapping[int, Sequence[str]]],
    ) -> None:
        self._around = around
        self._specifiers = specifiers
        known = {f.key: f for f in around.files if f.resource_key == around.resource_key}
        self._known = known
        self.stale: list[FileState] = []
        wanted = set[int]()
        for state in states:
            file = known.get(state.key)
            if file is not None and _is_current(file, state):
                reported = changed is None or state.path in changed
                # An imported index knows more of this version than we do.
                is_stale = reported and not file.problem.endswith(BY_INDEX)
            elif _is_read(state.path):
                is_stale = True
            else:
                continue
            wanted.add(state.key)
            if is_stale:
                self.stale.append(state)
        self._stale = frozenset(state.key for state in self.stale)
        self.deleted = [file for key, file in known.items() if key not in wanted]
        self.affected = self._affected(removed, wanted)

    def _affected(self, removed: frozenset[int], wanted: set[int]) -> set[int]:
        around, known = self._around, self._known
        if self.changes_layout:
            return {file.key for file in around.files}
        moved = [s for s in self.stale if s.key in known and known[s.key].path != s.path]
        left = [*self.deleted, *(known[state.key] for state in moved)]
        added = [*moved, *(state for state in self.stale if state.key not in known)]
        present = {file.key for file in around.files}
        lost = {key for file in around.files for key in file.reads} - present - wanted
        changed = lost | removed | {file.key for file in left}
        changed |= self._elsewhere(
            {located(around.resource_key, state.path) for state in added},
            {located(around.resource_key, file.path) for file in left},
        )
        packages = frozenset(file.package for file in left)
        return dependents(around.files, frozenset(changed), packages) | (changed & present)

    def _elsewhere(self, added: set[str], left: set[str]) -> set[int]:
        """Files with a module name that resolves differently, now that files came or went."""
        if not added and not left:
            return set()
        paths, layouts = self._around.paths, self._around.layouts
        before = NeighbouringModules(paths.keys(), layouts)
        now = NeighbouringModules((paths.keys() - left) | added, layouts)
        beside = packages_around(added | left)
        named = {file.key for path, file in paths.items() if path in beside}
        return named | elsewhere_now(paths.values(), self._specifiers(), before, now)

    @property
    def changes_layout(self) -> bool:
        """Whether a manifest has changed, and with it where modules are found."""
        paths = [*(state.path for state in self.stale), *(file.path for file in self.deleted)]
        return any(map(is_manifest, paths))

    def before(self, key: int) -> CodeFile | None:
        """The stored file if its facts can be compared with the new ones, else None."""
        known = self._known.get(key)
        return known if known is not None and known.version == VERSION else None

    def dependents_of(
        self,
        file: CodeFile,
        was: Sequence[Symbol],
        now: Sequence[Symbol],
        versions: Callable[[], tuple[FileFacts | None, FileFacts]],
        lookups: Callable[[Sequence[int]], Mapping[int, str | None]],
    ) -> set[int]:
        """The files to link again because this one has changed.

        `versions` gives its old and new facts, `lookups` what the links of others looked up. Files
        that are extracted again are linked anyway.
        """
        before, lost = self._known.get(file.key), _lost(was, now)
        if before is not None and before.interface == file.interface and not lost:
            return set()
        packages = frozenset({file.package, before.package if before else file.package})
        found = dependents(self._around.files, frozenset({file.key}), packages)
        if found <= self._stale:
            return found
        difference = self._difference(file, versions())
        if difference is None and file.language in INCLUDING:
            return {each.key for each in self._around.files if file.key in each.reads}
        if difference is None:
            return found
        package, names = package_mark(file.package), difference.names | lost
        places = (str(file.key), package, ANYWHERE)
        known = {each for place in places for each in marks(place, names)}
        new = marks(package, difference.added)
        asked = lookups(sorted(found))
        return {
            each.key
            for each in self._around.files
            if each.key in found
            and (
                (theirs := asked.get(each.key)) is None
                or contains_any(theirs, known if file.key in each.reads else new)
            )
        }

    def _difference(
        self, file: CodeFile, versions: tuple[FileFacts | None, FileFacts]
    ) -> NameChanges | None:
        """The changed names; None if any user of the file or its package may be affected."""
        was, now = versions
        if was is not None:
            return name_changes(was, now)
        known = file.key in self._known
        found_before = file.package in packages_of(self._around.paths.values())
        return names_added(now) if found_before and not known else None


def names_changed(file: CodeFile, was: Sequence[Symbol], now: Sequence[Symbol]) -> list[str]:
    """Names with added or removed symbols, for languages that are linked by name alone."""
    if file.language not in BY_NAME:
        return []
    before, after = sorted((s.name, s.kind) for s in was), sorted((s.name, s.kind) for s in now)
    if before == after:
        return []
    return sorted({name for name, _ in (*before, *after)})


def _is_read(path: str) -> bool:
    return language_of(path) is not None or is_manifest(path)


def _is_current(file: CodeFile, state: FileState) -> bool:
    return (
        file.content_hash == state.content_hash
        and file.path == state.path
        and file.version == VERSION
    )


def _lost(was: Sequence[Symbol], now: Sequence[Symbol]) -> set[str]:
    """The names of symbols that were removed, renamed or made private."""
    kept = {(symbol.key, symbol.name, is_private(symbol.signature)) for symbol in now}
    return {
        symbol.name
        for symbol in was
        if (symbol.key, symbol.name, is_private(symbol.signature)) not in kept
    }
