"""The definitions of a project, found by scope and name; says nothing about types."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from commonplace.codegraph.extraction.facts import (
    COMPANION,
    GLOBAL,
    MEMBERS,
    TYPES,
    CodeScope,
    Definition,
    FileFacts,
    Kind,
    ShapeOp,
)
from commonplace.codegraph.extraction.languages import (
    BARE_MEMBERS,
    COMPONENTS,
    DYNAMIC,
    EXTENDED,
    FUNCTIONS,
    PACKAGED,
)
from commonplace.codegraph.resolution.linking import MODULE_ITSELF, DefinitionKey
from commonplace.codegraph.resolution.packages import (
    Extended,
    Packages,
    extensions_of,
    package_mark,
    package_of,
)
from commonplace.codegraph.resolution.visible import visible_numbers

_BOTH = frozenset({Kind.CLASS, Kind.ENUM, Kind.IMPORT, Kind.NAMESPACE})
_MEMBER_SCOPES = frozenset({"class", "object"})
FUNCTION_SCOPES = frozenset({"function", "arrow"})
# A test has a title, and nobody calls it by that.
_UNNAMED = frozenset({Kind.TEST, Kind.EXTENSION})
_PARAMETERS = frozenset({Kind.PARAMETER, Kind.TYPE_PARAMETER})


class FileIndex:
    """One file's definitions by name and scope, by the scope they open, and its parameters."""

    __slots__ = (
        "bare_members",
        "bodies",
        "definitions",
        "dynamic",
        "extended",
        "extending",
        "facts",
        "functions",
        "kinds",
        "names",
        "openers",
        "package",
        "packaged",
        "parameters",
        "parents",
        "parts",
        "received",
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
        self.package = package_of(facts.language, facts.package, facts.path)
        self.parents = [scope.parent for scope in facts.scopes]
        self.kinds = [scope.kind for scope in facts.scopes]
        self.bodies = {
            scope.parent: number
            for number, scope in reversed(list(enumerate(facts.scopes)))
            if scope.kind == "block" and self.kinds[scope.parent] in FUNCTION_SCOPES
        }
        self.parts = frozenset(_parts(facts))
        self.received = frozenset(number for number, _ in extensions_of(facts))
        self.extending = frozenset(n for n, scope in enumerate(facts.scopes) if scope.bases)
        self.extending |= {facts.definitions[number].opens for number in self.parts}
        if self.functions and self.extended:
            self.extending |= _with_more(facts)
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


def _parts(facts: FileFacts) -> Iterator[int]:
    """The types that say that they are declared in several places."""
    for number, each in enumerate(facts.definitions if facts.language == "csharp" else ()):
        if each.kind in TYPES and "partial" in each.signature.partition("{")[0].split():
            yield number


def _with_more(facts: FileFacts) -> set[int]:
    """Scopes in which a value is at hand whose members need no name before them."""
    more = {each.opens for each in facts.definitions if each.kind is Kind.EXTENSION}
    return more | {each.scope for each in facts.definitions if each.name == COMPANION}


class _Indexes(dict[str, FileIndex]):
    """Those that were looked at; `kept` outlives them."""

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


class DefinitionTable:
    """Facts by path; a file is looked at when something leads to it.

    All is seen from the file `home`. `reads` collects the packages that were asked for and the
    files that they led to, `asked` the names that packages and other files were asked for.
    `indexes` are kept between tables.
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
        self.asked: dict[str, set[str]] = defaultdict(set)
        self._home = home
        self._packages = packages
        self._indexes = _Indexes(files, indexes)

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
        """Whether others may see it: a module always, parameters and local variables never."""
        path, number = target
        return number == MODULE_ITSELF or number in self._indexes[path].visible

    def has_bare_members(self, path: str) -> bool:
        return self._indexes[path].bare_members

    def in_package(self, package: str, name: str) -> Sequence[DefinitionKey]:
        """What the files of a package declare under a name, outside of anything else."""
        mark = package_mark(package)
        self.reads.add(mark)
        self.asked[mark].add(name)
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

    def of_package(self, path: str, name: str, as_type: bool) -> list[DefinitionKey]:
        """What the other files of a file's package declare under a name."""
        found = self.in_package(self._indexes[path].package, name)
        return [each for each in found if _fits(self.kind(each), False, as_type)]

    def extended(self, target: DefinitionKey, name: str) -> Sequence[DefinitionKey]:
        """The members of that name which a type gets outside of its declaration."""
        index = self._indexes[target.path]
        if not index.extended:
            return ()
        mark = package_mark(index.package)
        self.reads.add(mark)
        self.asked[mark].add(name)
        found = self._packages.extended(index.package, self.name(target), name)
        self.reads.update(each.path for each in found)
        return found

    def has_extensions(self, path: str) -> bool:
        """Whether functions may be called on values of types that do not declare them."""
        index = self._indexes[path]
        return index.bare_members and index.functions

    def extending(self, package: str, name: str) -> Sequence[Extended]:
        """The functions of a package that are called on values of some type."""
        mark = package_mark(package)
        self.reads.add(mark)
        self.asked[mark].add(name)
        found = self._packages.extending(package, name)
        self.reads.update(target.path for target, _ in found)
        return found

    def is_extending(self, target: DefinitionKey) -> bool:
        """Whether a function is called on a value of a type that does not declare it."""
        return target.number in self._indexes[target.path].received

    def is_same(self, one: DefinitionKey, other: DefinitionKey) -> bool:
        """Whether two definitions are one type, of which each declares a part."""
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
        """How many type parameters a type has."""
        definition = self.definition(target)
        if definition is None or definition.opens < 0:
            return 0
        return len(self.parameters(target.path, definition.opens, Kind.TYPE_PARAMETER))

    def of_arity(self, targets: list[DefinitionKey], arity: int) -> list[DefinitionKey]:
        """Those types of one name that have so many parameters; all where none has."""
        if len(targets) < 2 or self.language(targets[0].path) != "csharp":
            return targets
        fitting = [
            each for each in targets if self.kind(each) not in TYPES or self.arity(each) == arity
        ]
        return fitting or targets

    def language(self, path: str) -> str:
        return self._indexes[path].facts.language

    def inheriting(self, target: DefinitionKey) -> Sequence[DefinitionKey]:
        """Where a type is said to be more than it declares itself."""
        index = self._indexes[target.path]
        if not index.extended:
            return ()
        name, mark = self.name(target), package_mark(index.package)
        self.asked[mark].add(name)
        found = self._packages.inheriting(index.package, name)
        self.reads.update(each.path for each in found)
        return found

    def knows_globals(self, path: str) -> bool:
        """Whether names of a file may be declared anywhere for all."""
        index = self._indexes[path]
        return not (index.bare_members or index.packaged or index.dynamic)

    def for_all(self, name: str, as_type: bool) -> list[DefinitionKey]:
        """What a file of declarations makes known everywhere."""
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
        """Whether a scope is that of a type which is declared elsewhere too, or extends others."""
        return scope in self._indexes[path].extending

    def body(self, path: str, scope: int) -> int:
        """Where the statements of a function stand: in a block of its own, where it has one."""
        return self._indexes[path].bodies.get(scope, scope)

    def opener(self, path: str, scope: int) -> DefinitionKey | None:
        """The definition that opens a scope, if it has a name."""
        return self._indexes[path].openers.get(scope)

    def declared(self, path: str, scope: int, name: str) -> Sequence[DefinitionKey]:
        """What a scope itself declares under a name."""
        if path != self._home:
            self.asked[path].add(name)
        by_scope = self._indexes[path].names.get(name)
        return () if by_scope is None else by_scope.get(scope, ())

    def parameters(self, path: str, scope: int, kind: Kind) -> Sequence[DefinitionKey]:
        """The parameters of a function, or the type parameters of anything, in their order."""
        return self._indexes[path].parameters.get((scope, kind), ())

    def takes(self, path: str, scope: int, arguments: int) -> bool:
        """Whether a function can be called with so many arguments."""
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
        """What a name means at a place: the nearest declaration of its sort around it."""
        if path != self._home:
            self.asked[path].add(name)
        index = self._indexes[path]
        by_scope = index.names.get(name)
        if by_scope is None:
            return []
        # Written out, because it runs more often than anything else here.
        parents, kinds, definitions = index.parents, index.kinds, index.definitions
        while scope >= 0:
            declared = by_scope.get(scope)
            if declared:
                inner = kinds[scope] in _MEMBER_SCOPES
                found = [
                    target
                    for target in declared
                    if _fits(definitions[target.number].kind, inner, as_type)
                    and not (inner and index.extended and _is_of_type(definitions, target))
                ]
                if found:
                    return found
            scope = parents[scope]
        return []

    def declaring(
        self, path: str, scope: int, name: str
    ) -> Iterator[tuple[int, Sequence[DefinitionKey]]]:
        """The scopes outwards that declare a name, or may inherit it, with what they declare."""
        if path != self._home:
            self.asked[path].add(name)
        index = self._indexes[path]
        by_scope, parents, extending = index.names.get(name, {}), index.parents, index.extending
        while scope >= 0:
            declared = by_scope.get(scope, ())
            if declared or scope in extending:
                yield scope, declared
            scope = parents[scope]

    def around(self, path: str, scope: int) -> Iterator[int]:
        """The scope and those around it, outwards."""
        parents = self._indexes[path].parents
        while scope >= 0:
            yield scope
            scope = parents[scope]


def _is_of_type(definitions: Sequence[Definition], target: DefinitionKey) -> bool:
    """Whether a name in a type is known only with the type before it."""
    return definitions[target.number].kind is not Kind.TYPE_PARAMETER


def _fits(kind: Kind, inner: bool, as_type: bool) -> bool:
    if inner and kind in MEMBERS:
        return False
    return kind in _BOTH or (kind in TYPES) is as_type
