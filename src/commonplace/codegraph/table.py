"""The definitions of a project, found by scope and name; says nothing about types."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from commonplace.codegraph.facts import MEMBERS, TYPES, Definition, FileFacts, Kind, Op, Scope
from commonplace.codegraph.languages import BARE_MEMBERS, DYNAMIC
from commonplace.codegraph.linking import MODULE_ITSELF, Target

_BOTH = frozenset({Kind.CLASS, Kind.ENUM, Kind.IMPORT, Kind.NAMESPACE})
_MEMBER_SCOPES = frozenset({"class", "object"})
_PARAMETERS = frozenset({Kind.PARAMETER, Kind.TYPE_PARAMETER})


def package_mark(package: str) -> str:
    """How a package is told from a file among what was read."""
    return f"package:{package}"


def package_of_mark(mark: str) -> str | None:
    head, _, package = mark.partition(":")
    return package if head == "package" else None


def packages_of(files: Iterable[FileFacts]) -> dict[str, list[str]]:
    """The files of each package, in the order given."""
    packages: dict[str, list[str]] = defaultdict(list)
    for facts in files:
        if facts.language in BARE_MEMBERS:
            packages[facts.package].append(facts.path)
    return dict(packages)


class FileIndex:
    """One file's definitions by scope and name, by the scope they open, and its parameters."""

    __slots__ = ("facts", "known", "names", "openers", "parameters")

    def __init__(self, facts: FileFacts) -> None:
        self.facts = facts
        self.names: dict[tuple[int, str], list[int]] = {}
        self.openers: dict[int, int] = {}
        self.parameters: dict[int, list[int]] = {}
        for number, each in enumerate(facts.definitions):
            if each.kind is not Kind.TEST:  # a test has a title, and nobody calls it by that
                self.names.setdefault((each.scope, each.name), []).append(number)
            if each.opens >= 0:
                self.openers.setdefault(each.opens, number)
            if each.kind in _PARAMETERS:
                self.parameters.setdefault(each.scope, []).append(number)
        self.known = {name for _, name in self.names}


class Table:
    """Facts by path; a file is looked at when something leads to it.

    `packages` are the files of each package, for languages that have such. `reads` collects the
    packages that were asked for and the files that they led to. `indexes` are kept between tables.
    """

    def __init__(
        self,
        files: Mapping[str, FileFacts],
        packages: Mapping[str, Sequence[str]],
        indexes: dict[str, FileIndex],
    ) -> None:
        self.files = files
        self.reads: set[str] = set()
        self._packages = packages
        self._indexes = indexes

    def _index(self, path: str) -> FileIndex:
        index = self._indexes.get(path)
        if index is None:
            index = self._indexes[path] = FileIndex(self.files[path])
        return index

    def definition(self, target: Target) -> Definition | None:
        if target.number == MODULE_ITSELF:
            return None
        return self.files[target.path].definitions[target.number]

    def kind(self, target: Target) -> Kind:
        definition = self.definition(target)
        return Kind.MODULE if definition is None else definition.kind

    def name(self, target: Target) -> str:
        definition = self.definition(target)
        return "" if definition is None else definition.name

    def name_path(self, target: Target) -> str:
        definition = self.definition(target)
        return "" if definition is None else definition.path

    def has_bare_members(self, path: str) -> bool:
        return self.files[path].language in BARE_MEMBERS

    def in_package(self, package: str, name: str) -> list[Target]:
        """What the files of a package declare under a name, outside of anything else."""
        paths = self._packages.get(package, ())
        self.reads.add(package_mark(package))
        found = [target for path in paths for target in self.declared(path, 0, name)]
        self.reads.update(target.path for target in found)
        return found

    def has_package(self, package: str) -> bool:
        self.reads.add(package_mark(package))
        return package in self._packages

    def is_dynamic(self, path: str) -> bool:
        return self.files[path].language in DYNAMIC

    def scope(self, path: str, number: int) -> Scope:
        return self.files[path].scopes[number]

    def opener(self, path: str, scope: int) -> Target | None:
        """The definition that opens a scope, if it has a name."""
        number = self._index(path).openers.get(scope)
        return None if number is None else Target(path, number)

    def declared(self, path: str, scope: int, name: str) -> list[Target]:
        """What a scope itself declares under a name."""
        return [Target(path, number) for number in self._index(path).names.get((scope, name), ())]

    def parameters(self, path: str, scope: int, kind: Kind) -> list[Target]:
        """The parameters of a function, or the type parameters of anything, in their order."""
        numbers = self._index(path).parameters.get(scope, ())
        definitions = self.files[path].definitions
        return [Target(path, number) for number in numbers if definitions[number].kind is kind]

    def takes(self, path: str, scope: int, arguments: int) -> bool:
        """Whether a function can be called with so many arguments."""
        parameters = self.parameters(path, scope, Kind.PARAMETER)
        if self.takes_rest(parameters):
            return arguments >= len(parameters) - 1
        return arguments == len(parameters)

    def takes_rest(self, parameters: list[Target]) -> bool:
        last = self.definition(parameters[-1]) if parameters else None
        return last is not None and last.value is not None and last.value.op is Op.REST

    def lookup(self, path: str, scope: int, name: str, as_type: bool) -> list[Target]:
        """What a name means at a place: the nearest declaration of its sort around it."""
        index = self._index(path)
        if name not in index.known:
            return []
        # Written out, because it runs more often than anything else here.
        scopes, definitions = index.facts.scopes, index.facts.definitions
        while scope >= 0:
            numbers = index.names.get((scope, name))
            if numbers:
                inner = scopes[scope].kind in _MEMBER_SCOPES
                found = [
                    Target(path, number)
                    for number in numbers
                    if _fits(definitions[number].kind, inner, as_type)
                ]
                if found:
                    return found
            scope = scopes[scope].parent
        return []

    def around(self, path: str, scope: int) -> Iterator[int]:
        """The scope and those around it, outwards."""
        while scope >= 0:
            yield scope
            scope = self.scope(path, scope).parent


def _fits(kind: Kind, inner: bool, as_type: bool) -> bool:
    if inner and kind in MEMBERS:
        return False
    return kind in _BOTH or (kind in TYPES) is as_type
