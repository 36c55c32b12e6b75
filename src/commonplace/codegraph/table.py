"""The definitions of a project, found by scope and name; says nothing about types."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from commonplace.codegraph.facts import MEMBERS, TYPES, Definition, FileFacts, Kind, Op, Scope
from commonplace.codegraph.languages import BARE_MEMBERS, DYNAMIC
from commonplace.codegraph.linking import MODULE_ITSELF, Target

_BOTH = frozenset({Kind.CLASS, Kind.ENUM, Kind.IMPORT, Kind.NAMESPACE})
_MEMBER_SCOPES = frozenset({"class", "object"})


class Table:
    """Facts by path, and in each file the numbers of the definitions of a scope by name."""

    def __init__(self, files: Mapping[str, FileFacts]) -> None:
        self.files = files
        self._names: dict[str, dict[tuple[int, str], list[int]]] = {}
        self._openers: dict[str, dict[int, int]] = {}
        self._parameters: dict[str, dict[int, list[int]]] = {}
        self._packages: dict[str, list[str]] = defaultdict(list)
        for path, facts in files.items():
            self._add(path, facts)
            if facts.language in BARE_MEMBERS:
                self._packages[facts.package].append(path)

    def _add(self, path: str, facts: FileFacts) -> None:
        names: dict[tuple[int, str], list[int]] = defaultdict(list)
        parameters: dict[int, list[int]] = defaultdict(list)
        openers: dict[int, int] = {}
        for number, each in enumerate(facts.definitions):
            names[each.scope, each.name].append(number)
            if each.opens >= 0:
                openers.setdefault(each.opens, number)
            if each.kind in {Kind.PARAMETER, Kind.TYPE_PARAMETER}:
                parameters[each.scope].append(number)
        self._names[path], self._openers[path] = dict(names), openers
        self._parameters[path] = dict(parameters)

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
        return [target for path in paths for target in self.declared(path, 0, name)]

    def has_package(self, package: str) -> bool:
        return package in self._packages

    def is_dynamic(self, path: str) -> bool:
        return self.files[path].language in DYNAMIC

    def scope(self, path: str, number: int) -> Scope:
        return self.files[path].scopes[number]

    def opener(self, path: str, scope: int) -> Target | None:
        """The definition that opens a scope, if it has a name."""
        number = self._openers[path].get(scope)
        return None if number is None else Target(path, number)

    def declared(self, path: str, scope: int, name: str) -> list[Target]:
        """What a scope itself declares under a name."""
        return [Target(path, number) for number in self._names[path].get((scope, name), ())]

    def parameters(self, path: str, scope: int, kind: Kind) -> list[Target]:
        """The parameters of a function, or the type parameters of anything, in their order."""
        numbers = self._parameters[path].get(scope, ())
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
        for number in self.around(path, scope):
            inner = self.scope(path, number).kind in _MEMBER_SCOPES
            found = [
                target
                for target in self.declared(path, number, name)
                if self._fits(target, inner, as_type)
            ]
            if found:
                return found
        return []

    def around(self, path: str, scope: int) -> Iterator[int]:
        """The scope and those around it, outwards."""
        while scope >= 0:
            yield scope
            scope = self.scope(path, scope).parent

    def _fits(self, target: Target, inner: bool, as_type: bool) -> bool:
        kind = self.files[target.path].definitions[target.number].kind
        if inner and kind in MEMBERS:
            return False
        return kind in _BOTH or (kind in TYPES) is as_type
