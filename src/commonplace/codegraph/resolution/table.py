"""Looks up the definitions of a project by scope and name, without type inference."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from commonplace.codegraph.extraction.facts import (
    GLOBAL,
    MEMBERS,
    TYPES,
    CodeScope,
    Definition,
    FileFacts,
    Kind,
    ShapeOp,
)
from commonplace.codegraph.extraction.languages import COMPONENTS
from commonplace.codegraph.resolution.file_index import FileIndex, FileIndexes
from commonplace.codegraph.resolution.linking import MODULE_ITSELF, DefinitionKey
from commonplace.codegraph.resolution.packages import Extended, Packages, package_mark

_TYPE_AND_VALUE = frozenset({Kind.CLASS, Kind.ENUM, Kind.IMPORT, Kind.NAMESPACE})
_MEMBER_SCOPES = frozenset({"class", "object"})


class DefinitionTable:
    """The definitions of a project as seen from the file `home`; other files are indexed lazily.

    `reads` collects the packages that were queried and the files that they led to; `lookups` the
    names that were looked up in packages and other files. `indexes` are shared between tables.
    """

    def __init__(
        self,
        files: Mapping[str, FileFacts],
        packages: Packages,
        indexes: dict[str, FileIndex],
        home: str,
    ) -> None:
        self.files = files
        self.reads: set[str] = set()
        self.lookups: dict[str, set[str]] = defaultdict(set)
        self._home = home
        self._packages = packages
        self._indexes = FileIndexes(files, indexes)

    def definition(self, target: DefinitionKey) -> Definition | None:
        path, number = target
        return None if number == MODULE_ITSELF else self._indexes[path].definitions[number]

    def kind(self, target: DefinitionKey) -> Kind:
        definition = self.definition(target)
        return Kind.MODULE if definition is None else definition.kind

    def name(self, target: DefinitionKey) -> str:
        definition = self.definition(target)
        return "" if definition is None else definition.name

    def name_path(self, target: DefinitionKey) -> str:
        definition = self.definition(target)
        return "" if definition is None else definition.path

    def is_symbol(self, target: DefinitionKey) -> bool:
        """Whether others can refer to it: always to a module, never to parameters or locals."""
        path, number = target
        return number == MODULE_ITSELF or number in self._indexes[path].visible

    def has_bare_members(self, path: str) -> bool:
        return self._indexes[path].bare_members

    def in_package(self, package: str, name: str) -> Sequence[DefinitionKey]:
        """The top-level declarations of a package under a name."""
        mark = package_mark(package)
        self.reads.add(mark)
        self.lookups[mark].add(name)
        found = self._packages.declared(package, name)
        if len(found) > 1 and package != GLOBAL:
            found = self._packages.closest(found, self._home)
        self.reads.update(target.path for target in found)
        return found

    def package(self, path: str) -> str:
        return self._indexes[path].package

    def is_packaged(self, path: str) -> bool:
        return self._indexes[path].packaged

    def has_functions(self, path: str) -> bool:
        return self._indexes[path].functions

    def is_component(self, path: str) -> bool:
        return self._indexes[path].facts.language in COMPONENTS

    def is_extended(self, path: str) -> bool:
        return self._indexes[path].extended

    def declared_beside(self, path: str, name: str, as_type: bool) -> list[DefinitionKey]:
        """The declarations in a file's package under a name, as types or as values."""
        found = self.in_package(self._indexes[path].package, name)
        return [each for each in found if _fits(self.kind(each), False, as_type)]

    def extended(self, target: DefinitionKey, name: str) -> Sequence[DefinitionKey]:
        """The members of that name that extensions add to a type."""
        index = self._indexes[target.path]
        if not index.extended:
            return ()
        mark = package_mark(index.package)
        self.reads.add(mark)
        self.lookups[mark].add(name)
        found = self._packages.extended(index.package, self.name(target), name)
        self.reads.update(each.path for each in found)
        return found

    def has_extensions(self, path: str) -> bool:
        """Whether the file's language has extension functions."""
        index = self._indexes[path]
        return index.bare_members and index.functions and not index.including

    def extending(self, package: str, name: str) -> Sequence[Extended]:
        """The extension functions of a package under a name."""
        mark = package_mark(package)
        self.reads.add(mark)
        self.lookups[mark].add(name)
        found = self._packages.extending(package, name)
        self.reads.update(target.path for target, _ in found)
        return found

    def is_extending(self, target: DefinitionKey) -> bool:
        """Whether a function is an extension function."""
        return target.number in self._indexes[target.path].extension_functions

    def is_same(self, one: DefinitionKey, other: DefinitionKey) -> bool:
        """Whether two definitions are the same type, or partial declarations of one."""
        if one == other:
            return True
        if not self.is_partial(one) or not self.is_partial(other):
            return False
        return (
            self.name_path(one) == self.name_path(other)
            and self.package(one.path) == self.package(other.path)
            and self.arity(one) == self.arity(other)
        )

    def is_partial(self, target: DefinitionKey) -> bool:
        return target.number != MODULE_ITSELF and target.number in self._indexes[target.path].parts

    def arity(self, target: DefinitionKey) -> int:
        """The number of a type's type parameters."""
        definition = self.definition(target)
        if definition is None or definition.opens < 0:
            return 0
        return len(self.parameters(target.path, definition.opens, Kind.TYPE_PARAMETER))

    def of_arity(self, targets: list[DefinitionKey], arity: int) -> list[DefinitionKey]:
        """The types with this number of type parameters, as C# tells them apart; all if none
        has."""
        if len(targets) < 2 or self.language(targets[0].path) != "csharp":
            return targets
        fitting = [
            each for each in targets if self.kind(each) not in TYPES or self.arity(each) == arity
        ]
        return fitting or targets

    def language(self, path: str) -> str:
        return self._indexes[path].facts.language

    def inheriting(self, target: DefinitionKey) -> Sequence[DefinitionKey]:
        """The extensions that add base types to a type."""
        index = self._indexes[target.path]
        if not index.extended:
            return ()
        name, mark = self.name(target), package_mark(index.package)
        self.lookups[mark].add(name)
        found = self._packages.inheriting(index.package, name)
        self.reads.update(each.path for each in found)
        return found

    def knows_globals(self, path: str) -> bool:
        """Whether a file can use names that other files declare globally."""
        index = self._indexes[path]
        return not (index.bare_members or index.packaged or index.dynamic)

    def global_declarations(self, name: str, as_type: bool) -> list[DefinitionKey]:
        """The global declarations of a name."""
        found = self.in_package(GLOBAL, name)
        return [each for each in found if _fits(self.kind(each), False, as_type)]

    def has_package(self, package: str) -> bool:
        self.reads.add(package_mark(package))
        return package in self._packages

    def is_dynamic(self, path: str) -> bool:
        return self._indexes[path].dynamic

    def scope(self, path: str, number: int) -> CodeScope:
        return self._indexes[path].facts.scopes[number]

    def extends(self, path: str, scope: int) -> bool:
        """Whether a scope has names beyond its own: from base types, or from other parts."""
        return scope in self._indexes[path].extending

    def body(self, path: str, scope: int) -> int:
        """The scope of a function's statements: its block if it has one."""
        return self._indexes[path].bodies.get(scope, scope)

    def opener(self, path: str, scope: int) -> DefinitionKey | None:
        """The definition that opens a scope, if it has a name."""
        return self._indexes[path].openers.get(scope)

    def declared(self, path: str, scope: int, name: str) -> Sequence[DefinitionKey]:
        """The declarations of a name in a scope itself."""
        if path != self._home:
            self.lookups[path].add(name)
        by_scope = self._indexes[path].names.get(name)
        return () if by_scope is None else by_scope.get(scope, ())

    def declarations(self, path: str, name: str) -> Iterable[tuple[int, Sequence[DefinitionKey]]]:
        """The declarations of a name in a file, by scope."""
        return self._indexes[path].names.get(name, {}).items()

    def is_including(self, path: str) -> bool:
        return self._indexes[path].including

    def parameters(self, path: str, scope: int, kind: Kind) -> Sequence[DefinitionKey]:
        """The parameters of a function, or the type parameters of a definition, in order."""
        return self._indexes[path].parameters.get((scope, kind), ())

    def takes(self, path: str, scope: int, arguments: int) -> bool:
        """Whether a function accepts this number of arguments."""
        parameters = self.parameters(path, scope, Kind.PARAMETER)
        if self.takes_rest(parameters):
            return arguments >= len(parameters) - 1
        return len(parameters) - self._optional(parameters) <= arguments <= len(parameters)

    def _optional(self, parameters: Sequence[DefinitionKey]) -> int:
        known = (self.definition(each) for each in parameters)
        return sum(each is not None and each.static for each in known)

    def takes_rest(self, parameters: Sequence[DefinitionKey]) -> bool:
        last = self.definition(parameters[-1]) if parameters else None
        return last is not None and last.value is not None and last.value.op is ShapeOp.REST

    def lookup(self, path: str, scope: int, name: str, as_type: bool) -> list[DefinitionKey]:
        """The nearest enclosing declarations of a name, as types or as values."""
        if path != self._home:
            self.lookups[path].add(name)
        index = self._indexes[path]
        by_scope = index.names.get(name)
        if by_scope is None:
            return []
        # Inlined: this loop runs more often than anything else here.
        parents, kinds, definitions = index.parents, index.kinds, index.definitions
        while scope >= 0:
            declared = by_scope.get(scope)
            if declared:
                inner = kinds[scope] in _MEMBER_SCOPES
                found = [
                    target
                    for target in declared
                    if _fits(definitions[target.number].kind, inner, as_type)
                    and not (inner and index.extended and _needs_qualifier(definitions, target))
                ]
                if found:
                    return found
            scope = parents[scope]
        return []

    def declaring(
        self, path: str, scope: int, name: str
    ) -> Iterator[tuple[int, Sequence[DefinitionKey]]]:
        """The enclosing scopes that declare a name or may inherit it, with their declarations."""
        if path != self._home:
            self.lookups[path].add(name)
        index = self._indexes[path]
        by_scope, parents, extending = index.names.get(name, {}), index.parents, index.extending
        while scope >= 0:
            declared = by_scope.get(scope, ())
            if declared or scope in extending:
                yield scope, declared
            scope = parents[scope]

    def around(self, path: str, scope: int) -> Iterator[int]:
        """The scope and its enclosing scopes, innermost first."""
        parents = self._indexes[path].parents
        while scope >= 0:
            yield scope
            scope = parents[scope]


def _needs_qualifier(definitions: Sequence[Definition], target: DefinitionKey) -> bool:
    """Whether a name in a type must be qualified by the type, as all but type parameters."""
    return definitions[target.number].kind is not Kind.TYPE_PARAMETER


def _fits(kind: Kind, inner: bool, as_type: bool) -> bool:
    if inner and kind in MEMBERS:
        return False
    return kind in _TYPE_AND_VALUE or (kind in TYPES) is as_type
