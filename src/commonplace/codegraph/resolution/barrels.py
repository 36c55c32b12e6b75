"""The names that modules re-export with `export *`, transitively; computed once for many files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from commonplace.codegraph.extraction.facts import WHOLE, FileFacts, ShapeOp

# The fixed cost of a cached module, in names.
_MODULE_COST = 5


class Barrel(NamedTuple):
    """A module with all modules that it re-exports with `*`, and every name that they may export.

    `names` is None if one of them re-exports the members of a value: they cannot be listed.
    """

    modules: frozenset[str]
    names: frozenset[str] | None

    def may_have(self, name: str) -> bool:
        return self.names is None or name in self.names


class Barrels:
    """The barrels of a project, cached. `find` resolves a specifier of a file to a module."""

    def __init__(
        self, files: Mapping[str, FileFacts], find: Callable[[str, str], str | None]
    ) -> None:
        self._files = files
        self._find = find
        self._known: dict[str, Barrel] = {}
        self._cached_names = 0

    def of(self, path: str) -> Barrel:
        found = self._known.get(path)
        if found is None:
            found = self._known[path] = self._barrel(path)
            self._cached_names += _MODULE_COST + len(found.modules) + len(found.names or ())
        return found

    def forget_beyond(self, most: int) -> None:
        """Empty the cache if it holds more than `most` names."""
        if self._cached_names > most:
            self._known.clear()
            self._cached_names = 0

    def _barrel(self, path: str) -> Barrel:
        modules, names, whole = {path}, set[str](), False
        waiting = [path]
        while waiting:
            each = waiting.pop()
            facts = self._files[each]
            names.update(d.name for d in facts.definitions if d.scope == 0)
            for export in facts.exports:
                passes_members = export.name == "*" and export.value.op is not ShapeOp.MODULE
                whole |= export.name == WHOLE or passes_members
                names.add(export.name)
                if export.name == "*" and not passes_members:
                    module = self._find(each, export.value.text)
                    if module is not None and module not in modules:
                        modules.add(module)
                        waiting.append(module)
        return Barrel(frozenset(modules), None if whole else frozenset(names))
