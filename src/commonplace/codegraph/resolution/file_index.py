"""The indexes of files: their definitions by name and scope, made when they are first asked for."""

from __future__ import annotations

from collections.abc import Mapping

from commonplace.codegraph.extraction.facts import FileFacts, Kind
from commonplace.codegraph.extraction.languages import (
    BARE_MEMBERS,
    DYNAMIC,
    EXTENDED,
    FUNCTIONS,
    INCLUDING,
    PACKAGED,
)
from commonplace.codegraph.resolution.linking import DefinitionKey
from commonplace.codegraph.resolution.packages import extensions_of, package_of
from commonplace.codegraph.resolution.visible import (
    partial_types,
    visible_numbers,
    with_implicit_receiver,
)

_FUNCTION_SCOPES = frozenset({"function", "arrow"})
# Kinds that are never referred to by their name: a test has a title.
_UNNAMED = frozenset({Kind.TEST, Kind.EXTENSION})
_PARAMETERS = frozenset({Kind.PARAMETER, Kind.TYPE_PARAMETER})


class FileIndex:
    """Indexes of one file's definitions: by name and scope, by opened scope, and parameters."""

    __slots__ = (
        "bare_members",
        "bodies",
        "definitions",
        "dynamic",
        "extended",
        "extending",
        "extension_functions",
        "facts",
        "functions",
        "including",
        "kinds",
        "names",
        "openers",
        "package",
        "packaged",
        "parameters",
        "parents",
        "parts",
        "visible",
    )  # fmt: skip

    def __init__(self, facts: FileFacts) -> None:
        self.facts = facts
        self.definitions = facts.definitions
        self.bare_members = facts.language in BARE_MEMBERS
        self.dynamic = facts.language in DYNAMIC
        self.packaged = facts.language in PACKAGED
        self.extended = facts.language in EXTENDED
        self.functions = facts.language in FUNCTIONS
        self.including = facts.language in INCLUDING
        self.package = package_of(facts.language, facts.package, facts.path)
        self.parents = [scope.parent for scope in facts.scopes]
        self.kinds = [scope.kind for scope in facts.scopes]
        self.bodies = {
            scope.parent: number
            for number, scope in reversed(list(enumerate(facts.scopes)))
            if scope.kind == "block" and self.kinds[scope.parent] in _FUNCTION_SCOPES
        }
        self.parts = frozenset(partial_types(facts))
        self.extension_functions = frozenset(number for number, _ in extensions_of(facts))
        self.extending = frozenset(n for n, scope in enumerate(facts.scopes) if scope.bases)
        self.extending |= {facts.definitions[number].opens for number in self.parts}
        if self.functions and self.extended:
            self.extending |= with_implicit_receiver(facts)
        self.visible = frozenset(visible_numbers(facts))
        self.names: dict[str, dict[int, list[DefinitionKey]]] = {}
        self.openers: dict[int, DefinitionKey] = {}
        self.parameters: dict[tuple[int, Kind], list[DefinitionKey]] = {}
        for number, each in enumerate(facts.definitions):
            target = DefinitionKey(facts.path, number)
            if each.kind not in _UNNAMED:
                self.names.setdefault(each.name, {}).setdefault(each.scope, []).append(target)
            if each.opens >= 0:
                self.openers.setdefault(each.opens, target)
            if each.kind in _PARAMETERS:
                self.parameters.setdefault((each.scope, each.kind), []).append(target)


class FileIndexes(dict[str, FileIndex]):
    """The indexes of files in use, created on first access; `kept` is shared between tables."""

    def __init__(self, files: Mapping[str, FileFacts], kept: dict[str, FileIndex]) -> None:
        super().__init__()
        self._files = files
        self._kept = kept

    def __missing__(self, path: str) -> FileIndex:
        index = self._kept.get(path)
        if index is None:
            index = self._kept[path] = FileIndex(self._files[path])
        self[path] = index
        return index
