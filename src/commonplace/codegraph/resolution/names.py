"""Resolves names through scopes, imports and re-exports, and to the members of a type."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from commonplace.codegraph.extraction.facts import COMPANION, TYPES, Kind, Shape, ShapeOp
from commonplace.codegraph.resolution.barrels import Barrels
from commonplace.codegraph.resolution.exports import Exports, Modules, TypesOf
from commonplace.codegraph.resolution.known_types import KNOWN
from commonplace.codegraph.resolution.linking import (
    Bindings,
    DefinitionKey,
    Form,
    Member,
    Resolution,
    Type,
    Types,
)
from commonplace.codegraph.resolution.packages import namespaces_around
from commonplace.codegraph.resolution.parts import in_companion, of_constructor, parts_of
from commonplace.codegraph.resolution.table import DefinitionTable

_MOST_BASES = 40
_ITSELF = Shape(ShapeOp.THIS)


class Names:
    """Resolves names. `types` infers expressions: inference needs names, and names need it."""

    def __init__(
        self,
        table: DefinitionTable,
        modules: Modules,
        barrels: Barrels,
        types: TypesOf,
    ) -> None:
        self._table = table
        self._modules = modules
        self._types = types
        self._exports = Exports(table, modules, barrels, types, self)
        self._following: set[tuple[DefinitionKey, bool]] = set()
        self._mapping: set[Type] = set()
        self._resolving_bases: set[tuple[str, int]] = set()
        self._members: dict[tuple[Type, str], list[Member]] = {}

    def denoted(self, path: str, scope: int, shape: Shape, *, as_type: bool) -> list[DefinitionKey]:
        """The definitions that an expression names; imports are followed."""
        if shape.op in {ShapeOp.NAME, ShapeOp.TYPE, ShapeOp.CALLED}:
            found = self.lookup(
                path, scope, shape.text, as_type=as_type, called=shape.op is ShapeOp.CALLED
            )
        elif shape.op is ShapeOp.MEMBER:
            found = [
                member.target
                for owner in self._types(path, scope, shape.parts[0], ())
                for member in self.members(owner, shape.text)
            ]
        elif shape.op is ShapeOp.MODULE:
            module = self._modules.find(path, shape.text)
            found = self._exports.value_of(module) if module and module in self._table.files else []
        else:
            found = []
        return self.follow(found, as_type=as_type)

    def lookup(
        self, path: str, scope: int, name: str, *, as_type: bool, called: bool = False
    ) -> list[DefinitionKey]:
        """The definitions of a name in a scope: enclosing, imported by a star, or global."""
        if self._table.has_bare_members(path):
            return self._lookup_bare(path, scope, name, as_type=as_type, called=called)
        found = self._table.lookup(path, scope, name, as_type)
        if not found and self._table.is_extended(path):
            found = self._table.lookup(path, scope, name, not as_type)
        if found:
            return found
        if self._table.is_packaged(path):
            return self._table.declared_beside(path, name, as_type) or self._by_star(path, name)
        if self._table.is_dynamic(path):
            return list(self._exports.named(path, name))
        return [] if name in KNOWN else self._table.global_declarations(name, as_type)

    def _lookup_bare(
        self, path: str, scope: int, name: str, *, as_type: bool, called: bool
    ) -> list[DefinitionKey]:
        """Look in each enclosing scope and its base types, then the package, then star imports."""
        sorts: tuple[str, ...]
        sorts = ("called",) if called else ("type",) if as_type else ("value", "type")
        functions = self._table.has_functions(path)
        if functions and not as_type:
            sorts = ("called", "value", "type") if called else ("value", "type", "called")
        for sort in sorts:
            for number, declared in self._table.declaring(path, scope, name):
                found = declared or self._inherited_names(path, number, name)
                if functions and declared:
                    if called and self._table.extends(path, number):
                        found = [*declared, *self._inherited_names(path, number, name)]
                    found = of_constructor(self._table, path, (scope, number), found)
                kept = [target for target in found if self._is_of_sort(target, sort)]
                if kept:
                    return list(dict.fromkeys(kept)) if functions else kept
            for found in self._outer_candidates(path, name):
                kept = [target for target in found if self._is_of_sort(target, sort)]
                if kept:
                    return kept
        return []

    def _inherited_names(self, path: str, number: int, name: str) -> list[DefinitionKey]:
        if (path, number) in self._resolving_bases:
            return []
        scope = self._table.scope(path, number)
        opener = self._table.opener(path, number)
        if not self._table.has_functions(path):
            opener = None
        companions = opener and self._table.declared(path, number, COMPANION)
        if opener is not None and (companions or self._table.is_partial(opener)):
            owners: Types = (Type(Form.INSTANCE, path, opener.number),)
        elif opener is not None and self._table.kind(opener) is Kind.EXTENSION:
            owners = self._types(path, number, _ITSELF, ())
        else:
            owners = tuple(
                owner for base in scope.bases for owner in self._types(path, scope.parent, base, ())
            )
        return [member.target for owner in owners for member in self.members(owner, name)]

    def _outer_candidates(self, path: str, name: str) -> Iterable[Sequence[DefinitionKey]]:
        facts, package = self._table.files[path], self._table.package(path)
        for each in namespaces_around(facts.language, package):
            yield self._table.in_package(each, name)
        for export in facts.exports:
            if export.name == "*":
                owners = self._types(path, 0, export.value, ())
                yield [m.target for owner in owners for m in self.members(owner, name)]

    def _by_star(self, path: str, name: str) -> list[DefinitionKey]:
        """The definitions from packages that are imported without a name (Go's dot imports)."""
        return [
            member.target
            for export in self._table.files[path].exports
            if export.name == "*"
            for owner in self._types(path, 0, export.value, ())
            for member in self.members(owner, name)
        ]

    def _is_of_sort(self, target: DefinitionKey, sort: str) -> bool:
        kind = self._table.kind(target)
        if kind is Kind.IMPORT:
            # By convention, an imported name with a capital is not a method.
            return sort != "called" or not self._table.name(target)[:1].isupper()
        if kind in TYPES or kind is Kind.CONSTRUCTOR:
            return sort == "type" and kind in TYPES
        is_called = kind is Kind.METHOD or (
            kind is Kind.FUNCTION and self._table.has_functions(target.path)
        )
        return is_called is (sort == "called") and sort != "type"

    def follow(self, targets: Iterable[DefinitionKey], *, as_type: bool) -> list[DefinitionKey]:
        """Replace imports by what they import; imports from outside the project are dropped."""
        found: list[DefinitionKey] = []
        for target in targets:
            definition = self._table.definition(target)
            if definition is None or definition.kind is not Kind.IMPORT:
                found.append(target)
            elif definition.value is not None:
                key = (target, as_type)
                if key not in self._following:
                    self._following.add(key)
                    found += self.denoted(
                        target.path, definition.scope, definition.value, as_type=as_type
                    )
                    self._following.discard(key)
        return found if len(found) < 2 else list(dict.fromkeys(found))

    def members(self, owner: Type, name: str) -> list[Member]:
        """The members of that name of a type, own or inherited."""
        if owner.form is Form.MODULE:
            passed = self._exports.reached(owner.path, name)
            return [Member(target, (), Resolution.IMPORT) for target in passed]
        if owner.form is Form.PACKAGE:
            return [Member(target) for target in self._table.in_package(owner.path, name)]
        if owner.form is Form.SCOPE:
            found_here = self._table.declared(owner.path, owner.number, name)
            if found_here:
                return [Member(target, owner.bindings) for target in found_here]
            return self._mapped_members(owner, name)
        if owner.form is Form.OUTSIDE:
            return []
        key = (owner, name)
        found = self._members.get(key)
        if found is None:
            found = self._members[key] = self._class_members(owner, name, set())
        return found

    def _mapped_members(self, owner: Type, name: str) -> list[Member]:
        """The members of the types that a mapped type takes its keys from."""
        if owner in self._mapping:
            return []
        self._mapping.add(owner)
        found = [
            member
            for base in self._table.scope(owner.path, owner.number).bases
            for one in self._types(owner.path, owner.number, base, owner.bindings)
            for member in self.members(one, name)
        ]
        self._mapping.discard(owner)
        return found

    def _class_members(self, owner: Type, name: str, walked: set[DefinitionKey]) -> list[Member]:
        """The members of a class. Each type is visited once, as inheritance may be circular."""
        how = Resolution.INHERITED if walked else Resolution.MEMBER
        itself = DefinitionKey(owner.path, owner.number)
        if itself in walked:
            return []
        walked.add(itself)
        bases: list[Type] = []
        extended = self._table.extended(itself, name)
        own = [Member(each, owner.bindings, how) for each in self._extending(itself, extended)]
        for part in parts_of(self._table, itself):
            definition = self._table.definition(part)
            if definition is None or definition.opens < 0:
                continue
            found = self._table.declared(part.path, definition.opens, name)
            kept = [target for target in found if self._reachable(target, owner)]
            own += [Member(target, owner.bindings, how) for target in kept]
            if not own:
                own += [Member(t, (), how) for t in in_companion(self._table, part, name)]
            if own and not self._may_overload(part.path, kept):
                return own
            bases += self._bases_of(part, definition.opens, owner.bindings)
        bases += () if own else self._extension_bases(itself)
        for base_type in bases:
            inherited = self._inherited(owner, base_type, name, walked)
            if inherited:
                return own + inherited
        return own

    def _bases_of(self, itself: DefinitionKey, opened: int, bindings: Bindings) -> list[Type]:
        """The base types of a definition; those of a partial type see no names it inherits."""
        heads = {(itself.path, opened)} if self._table.is_partial(itself) else set()
        heads -= self._resolving_bases
        self._resolving_bases |= heads
        bases = self._table.scope(itself.path, opened).bases
        found = [one for base in bases for one in self._types(itself.path, opened, base, bindings)]
        self._resolving_bases -= heads
        return found

    def _extending(
        self, itself: DefinitionKey, found: Sequence[DefinitionKey]
    ) -> Iterable[DefinitionKey]:
        """The extension members of this very type, not of another with the same name."""
        for target in found:
            definition = self._table.definition(target)
            assert definition is not None, "a member is a definition"
            opener = self._table.opener(target.path, definition.scope)
            if opener is not None and self._extends(opener, itself):
                yield target

    def _extends(self, extension: DefinitionKey, itself: DefinitionKey) -> bool:
        if self._table.is_packaged(itself.path) or extension.path == itself.path:
            return True
        definition = self._table.definition(extension)
        if definition is None or definition.value is None:
            return False
        return itself in self.denoted(
            extension.path, definition.scope, definition.value, as_type=True
        )

    def _extension_bases(self, itself: DefinitionKey) -> Iterable[Type]:
        for extension in self._table.inheriting(itself):
            definition = self._table.definition(extension)
            if definition is not None and self._extends(extension, itself):
                for base in self._table.scope(extension.path, definition.opens).bases:
                    yield from self._types(extension.path, definition.opens, base, ())

    def _may_overload(self, path: str, found: list[DefinitionKey]) -> bool:
        """Whether a superclass may have further overloads of the methods that were found."""
        methods = any(self._table.kind(target) is Kind.METHOD for target in found)
        return methods and self._table.has_bare_members(path)

    def with_bases(self, one: Type) -> list[Type]:
        """A type with all its base types, the nearest first."""
        found = [one]
        for each in found:
            definition = (
                self._table.definition(DefinitionKey(each.path, each.number))
                if each.form is Form.INSTANCE
                else None
            )
            if definition is None or definition.opens < 0 or len(found) > _MOST_BASES:
                continue
            for base in self._table.scope(each.path, definition.opens).bases:
                found += self._types(each.path, definition.opens, base, each.bindings)
        return found

    def _inherited(
        self, owner: Type, base: Type, name: str, walked: set[DefinitionKey]
    ) -> list[Member]:
        if base.form is Form.INSTANCE:
            return self._class_members(base._replace(form=owner.form), name, walked)
        return [m._replace(resolution=Resolution.INHERITED) for m in self.members(base, name)]

    def _reachable(self, target: DefinitionKey, owner: Type) -> bool:
        definition = self._table.definition(target)
        if definition is None or definition.kind in {Kind.TYPE_PARAMETER, Kind.PARAMETER}:
            return False
        holder = self._table.opener(target.path, definition.scope)
        kind = self._table.kind(holder) if holder else None
        bare = self._table.has_bare_members(target.path) or self._table.is_dynamic(target.path)
        if kind in {Kind.ENUM, Kind.NAMESPACE} and not bare:
            return owner.form is Form.ITSELF
        if kind in {Kind.FUNCTION, Kind.METHOD}:
            return False
        return bare or definition.static is (owner.form is Form.ITSELF)
