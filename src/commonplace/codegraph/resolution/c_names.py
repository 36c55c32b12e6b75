"""Names of C and C++: in scopes, namespaces and classes, among the files that a file includes.

A declaration and its definition elsewhere are one symbol: both are found, the definition first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from typing_extensions import override

from commonplace.codegraph.extraction.facts import MEMBERS, TYPES, Kind, Shape, ShapeOp
from commonplace.codegraph.extraction.languages import family_of
from commonplace.codegraph.resolution.barrels import Barrels
from commonplace.codegraph.resolution.exports import Modules, TypesOf
from commonplace.codegraph.resolution.includes import Includes
from commonplace.codegraph.resolution.linking import (
    Bindings,
    DefinitionKey,
    Form,
    Member,
    Resolution,
    Type,
)
from commonplace.codegraph.resolution.names import Names
from commonplace.codegraph.resolution.packages import package_mark
from commonplace.codegraph.resolution.same_name import Mark, Named, Namesakes
from commonplace.codegraph.resolution.table import DefinitionTable

_TAGS = frozenset({Kind.CLASS, Kind.ENUM})
# What a name in the place of a type may be: a macro, or a value that is taken for a type.
_NAMED_LIKE_TYPES = frozenset({Kind.CONSTANT, Kind.FIELD, Kind.VARIABLE, Kind.FUNCTION})
_TYPE_LIKE = TYPES | {Kind.NAMESPACE, Kind.IMPORT}
_NOT_VALUES = TYPES | {Kind.CONSTRUCTOR, Kind.EXTENSION}
_JOINED = frozenset({Kind.FUNCTION, Kind.METHOD, Kind.CONSTRUCTOR, Kind.VARIABLE, Kind.FIELD})
_OF_TEMPLATES = frozenset({Kind.TYPE_PARAMETER, Kind.IMPORT})
_OPERATORS = {"()": "operator()"}
_MOST_BASES = 40
# Of one name in one place; each use is compared with all of them.
_MOST_ALIKE = 200
_HEADERS = (".h", ".hh", ".hpp", ".hxx", ".inl", ".ipp", ".tcc")


class CNames(Names):
    """Resolves names as seen from the file `home`."""

    def __init__(
        self,
        table: DefinitionTable,
        modules: Modules,
        barrels: Barrels,
        types: TypesOf,
        home: str,
        includes: Includes,
        namesakes: Namesakes,
    ) -> None:
        super().__init__(table, modules, barrels, types)
        self._home = home
        self._includes = includes
        self._namesakes = namesakes
        self._family = family_of(table.language(home))
        self._seen = includes.seen(home)
        self._mark = package_mark(table.package(home))
        self._contained: dict[tuple[str, str], list[DefinitionKey]] = {}
        self._class_found: dict[tuple[DefinitionKey, str], list[DefinitionKey]] = {}
        table.reads.add(self._mark)
        table.reads.update(self._seen)

    @override
    def denoted(self, path: str, scope: int, shape: Shape, *, as_type: bool) -> list[DefinitionKey]:
        if shape.op is ShapeOp.TAG:
            return self.tagged(path, scope, shape.text)
        return super().denoted(path, scope, shape, as_type=as_type)

    @override
    def lookup(
        self, path: str, scope: int, name: str, *, as_type: bool, called: bool = False
    ) -> list[DefinitionKey]:
        for found in self._around(path, scope, name):
            kept = self._of_sort(found, as_type)
            if kept:
                return kept
        return []

    def tagged(self, path: str, scope: int, name: str) -> list[DefinitionKey]:
        """The type that `struct name` means; it may be defined where the file does not look."""
        for found in self._around(path, scope, name):
            kept = [each for each in found if self._table.kind(each) in _TAGS]
            if kept:
                return kept
        elsewhere = [each for each in self._named(name) if each.kind in _TAGS]
        return [each.target for each in elsewhere] if len(elsewhere) == 1 else []

    def _of_sort(self, found: Iterable[DefinitionKey], as_type: bool) -> list[DefinitionKey]:
        """The types or the values among definitions, else what may stand for one."""
        kinds = {each: self._table.kind(each) for each in found}
        if as_type:
            kept = [each for each, kind in kinds.items() if kind in _TYPE_LIKE]
            aliases = [each for each in kept if kinds[each] is Kind.ALIAS]
            return (
                aliases
                or kept
                or [each for each, kind in kinds.items() if kind in _NAMED_LIKE_TYPES]
            )
        values = [each for each, kind in kinds.items() if kind not in _NOT_VALUES]
        types = [each for each, kind in kinds.items() if kind in TYPES]
        aliases = [each for each in types if kinds[each] is Kind.ALIAS]
        return values or aliases or types

    def _around(self, path: str, scope: int, name: str) -> Iterator[Sequence[DefinitionKey]]:
        """The definitions of a name, scope by scope outwards, then what `using` makes visible."""
        for number in self._table.around(path, scope):
            yield from self._in_scope(path, number, name)
        for export in self._table.files[path].exports:
            if export.value.op is not ShapeOp.MODULE:
                for owner in self._types(path, 0, export.value, ()):
                    yield [member.target for member in self.members(owner, name)]

    def _in_scope(self, path: str, number: int, name: str) -> Iterator[Sequence[DefinitionKey]]:
        declared = self._table.declared(path, number, name)
        kind = self._table.scope(path, number).kind
        if kind == "class":
            opener = self._table.opener(path, number)
            kept = [each for each in declared if self._table.kind(each) in _OF_TEMPLATES]
            yield kept if opener is not None else declared
            if opener is not None:
                yield from self._in_class(path, number, opener, name)
        elif kind == "namespace" or number == 0:
            imported = [each for each in declared if self._table.kind(each) is Kind.IMPORT]
            yield [*self.in_namespace(self._container(path, number), name), *imported]
        else:
            yield declared

    def _is_outside(self, named: Named) -> bool:
        """Whether a member, or a type in a class, is defined outside of the class."""
        definition = self._table.definition(named.target)
        if definition is None or named.kind not in MEMBERS | _TAGS:
            return False
        opener = self._table.opener(named.target.path, definition.scope)
        kind = None if opener is None else self._table.kind(opener)
        return kind is Kind.EXTENSION or (named.kind in _TAGS and kind is not Kind.CLASS)

    def _in_class(
        self, path: str, number: int, opener: DefinitionKey, name: str
    ) -> Iterator[Sequence[DefinitionKey]]:
        definition = self._table.definition(opener)
        assert definition is not None, "it opens a scope"
        if definition.kind is not Kind.EXTENSION:
            yield [m.target for m in self.members(Type(Form.INSTANCE, *opener), name)]
            return
        outer = self._table.scope(path, number).parent
        for owner in self._types(path, outer, definition.value, ()) if definition.value else ():
            if owner.form is Form.OUTSIDE:
                continue
            yield [member.target for member in self.members(owner, name)]
            before = self._table.name_path(DefinitionKey(owner.path, owner.number))
            while "." in before:
                before = before.rpartition(".")[0]
                yield self.in_namespace(before, name)

    def _container(self, path: str, number: int) -> str:
        """The path of the namespace that a scope belongs to."""
        for each in self._table.around(path, number):
            opener = self._table.opener(path, each)
            if opener is not None and self._table.kind(opener) is not Kind.EXTENSION:
                return self._table.name_path(opener)
        return ""

    def _named(self, name: str) -> Sequence[Named]:
        self._table.lookups[self._mark].add(name)
        return self._namesakes(self._family, name)

    def in_namespace(self, container: str, name: str) -> list[DefinitionKey]:
        """The definitions of a name in a namespace that this file sees."""
        key = container, name
        known = self._contained.get(key)
        if known is not None:
            return known
        wanted = f"{container}.{name}" if container else name
        alike = [each for each in self._named(name) if each.path == wanted]
        seen = [each for each in alike if each.target.path in self._seen]
        seen = seen or self._seen_by_includers(alike) or _of_one_type(alike, container)
        macros = [each for each in seen if each.mark is Mark.MACRO]
        # A macro that renames what has its name is for builds that need it.
        seen = [each for each in seen if each.mark is not Mark.RENAMING] or seen
        joined = self._joined(macros or seen, () if macros else alike)
        found = self._contained[key] = joined[:_MOST_ALIKE]
        self._table.reads.update(each.path for each in found)
        return found

    def _seen_by_includers(self, alike: Iterable[Named]) -> list[Named]:
        """Definitions in headers that include this one: it sees them where it is included."""
        if not self._home.endswith(_HEADERS):
            return []
        return [
            each
            for each in alike
            if each.target.path.endswith(_HEADERS)
            and self._home in self._includes.seen(each.target.path)
        ]

    def _joined(self, seen: Sequence[Named], alike: Iterable[Named]) -> list[DefinitionKey]:
        """What is seen, with its definitions in files that are not: those that include a
        declaration. Definitions come first."""
        kinds = {each.kind for each in seen} & _JOINED
        if Kind.FUNCTION in kinds:
            kinds.add(Kind.METHOD)  # written as `a::f`, which a method is as well
        known = {each.target for each in seen}
        places = {each.target.path for each in seen}
        local = all(each.mark is Mark.LOCAL for each in seen)
        elsewhere = [
            each.target
            for each in (alike if kinds and not local else ())
            if each.kind in kinds
            and each.target not in known
            and each.mark is not Mark.LOCAL
            and not places.isdisjoint(self._includes.seen(each.target.path))
        ]
        found = [*(each.target for each in seen), *elsewhere]
        return found if len(found) < 2 else sorted(found, key=self._is_declaration)

    def _is_declaration(self, target: DefinitionKey) -> bool:
        """Whether it only declares: its definition is elsewhere."""
        definition = self._table.definition(target)
        if definition is None or definition.opens < 0:
            return definition is None or "extern" in definition.signature.split()
        if definition.kind in TYPES:
            return f"{definition.name}<" in definition.signature  # a specialisation
        return self._table.body(target.path, definition.opens) == definition.opens

    @override
    def members(self, owner: Type, name: str) -> list[Member]:
        name = _OPERATORS.get(name, name)
        if owner.form in {Form.INSTANCE, Form.ITSELF}:
            kind = self._table.kind(DefinitionKey(owner.path, owner.number))
            if kind is Kind.NAMESPACE:
                path = self._table.name_path(DefinitionKey(owner.path, owner.number))
                return [Member(each) for each in self.in_namespace(path, name)]
            if kind not in {Kind.CLASS, Kind.ENUM}:
                return []
        elif owner.form is Form.SCOPE:
            return [Member(each) for each in self._declared_in(owner.path, owner.number, name)]
        else:
            return []
        key = owner, name
        found = self._members.get(key)
        if found is None:
            found = self._members[key] = self._class_members(owner, name, set())
        return found

    @override
    def _class_members(self, owner: Type, name: str, walked: set[DefinitionKey]) -> list[Member]:
        how = Resolution.INHERITED if walked else Resolution.MEMBER
        itself = DefinitionKey(owner.path, owner.number)
        if itself in walked or len(walked) > _MOST_BASES:
            return []
        walked.add(itself)
        found = self._own_members(itself, name)
        if found:
            return [Member(each, owner.bindings, how) for each in self.follow(found, as_type=False)]
        definition = self._table.definition(itself)
        if definition is None or definition.opens < 0:
            return []
        inherited: list[Member] = []
        for base in self._bases_of(itself, definition.opens, owner.bindings):
            if base.form is Form.INSTANCE:
                inherited += self._class_members(base, name, walked)
        return inherited

    @override
    def _bases_of(self, itself: DefinitionKey, opened: int, bindings: Bindings) -> list[Type]:
        """The base types of a class; looking them up sees no names that it inherits."""
        head = itself.path, opened
        if head in self._resolving_bases:
            return []
        self._resolving_bases.add(head)
        outer = self._table.scope(*head).parent
        found = [
            one
            for base in self._table.scope(*head).bases
            for one in self._types(itself.path, max(outer, 0), base, bindings)
        ]
        self._resolving_bases.discard(head)
        return found

    def _own_members(self, itself: DefinitionKey, name: str) -> list[DefinitionKey]:
        """The members of a class, with their definitions outside of it."""
        key = itself, name
        known = self._class_found.get(key)
        if known is not None:
            return known
        definition = self._table.definition(itself)
        assert definition is not None, "a class is a definition"
        if definition.kind is Kind.ENUM and definition.opens < 0:
            around = definition.path.rpartition(".")[0]
            found = [each for each in self.in_namespace(around, name) if each.path == itself.path]
            holder = definition.scope
            found = found or list(self._table.declared(itself.path, holder, name))
        elif definition.opens < 0:
            found = []
        else:
            inside = self._declared_in(itself.path, definition.opens, name)
            outside = self._outside(itself, f"{definition.path}.{name}", name)
            found = list(dict.fromkeys([*outside, *inside]))[:_MOST_ALIKE]
        self._class_found[key] = found
        return found

    def _declared_in(self, path: str, opened: int, name: str) -> list[DefinitionKey]:
        """The members in the body of a class, also those of unions without a name in it."""
        return [
            target
            for number, declared in self._table.declarations(path, name)
            if self._belongs(path, number, opened)
            for target in declared
            if self._table.kind(target) not in {Kind.TYPE_PARAMETER, Kind.PARAMETER}
        ]

    def _belongs(self, path: str, number: int, opened: int) -> bool:
        while number != opened:
            scope = self._table.scope(path, number)
            if scope.kind != "class" or self._table.opener(path, number) is not None:
                return False
            number = scope.parent
        return True

    def _outside(self, itself: DefinitionKey, path: str, name: str) -> Iterator[DefinitionKey]:
        """The definitions of a member outside of its class, in files that include the class."""
        for each in self._named(name):
            if each.path != path or not self._is_outside(each):
                continue
            inside = itself.path in self._includes.seen(each.target.path)
            if inside or each.target.path in self._includes.seen(itself.path):
                self._table.reads.add(each.target.path)
                yield each.target


def _of_one_type(alike: Iterable[Named], namespace: str) -> list[Named]:
    """The type of a namespace that is only declared where it is used, if there is just one."""
    types = [each for each in alike if each.kind in _TAGS] if namespace else []
    return types if len(types) == 1 else []
