"""Resolves extension functions: declared outside of a type, called on its values.

The type of the value must be known; the type's own members take precedence.
"""

from __future__ import annotations

from collections.abc import Iterable

from commonplace.codegraph.extraction.facts import Kind, Reference, Shape, ShapeOp, Use
from commonplace.codegraph.resolution.exports import TypesOf
from commonplace.codegraph.resolution.known_types import (
    ANY_TYPE,
    EXTENDED,
    ITERABLES,
    LINQ_MEMBERS,
    OWN_MEMBERS,
    holds,
)
from commonplace.codegraph.resolution.linking import (
    Bindings,
    DefinitionKey,
    Form,
    Member,
    Type,
    Types,
)
from commonplace.codegraph.resolution.names import Names
from commonplace.codegraph.resolution.packages import Extended, namespaces_around
from commonplace.codegraph.resolution.table import DefinitionTable

_RECEIVER_SCOPES = frozenset({"class", "arrow"})
_ITSELF = Shape(ShapeOp.THIS)
_THROWN = "Exception"
_DECLARED = frozenset({Form.INSTANCE, Form.ITSELF})
_FUNCTIONS = frozenset({Kind.METHOD, Kind.FUNCTION})


class Extensions:
    """Finds the extension functions that a file may use on values of known types."""

    def __init__(self, table: DefinitionTable, names: Names, types: TypesOf) -> None:
        self._table = table
        self._names = names
        self._types = types

    def members(self, path: str, owners: Types, name: str, use: Use = Use.CALL) -> list[Member]:
        """The extensions of that name that a file may use on values of these types.

        Extensions of the exact type take precedence over those of its base types.
        """
        if not owners or not self._table.has_extensions(path):
            return []
        exact: list[Member] = []
        wider: list[Member] = []
        for target, extension in dict.fromkeys(self._candidates(path, name)):
            if (self._table.kind(target) in _FUNCTIONS) is not (use is Use.CALL):
                continue
            for owner in owners:
                found = None if _has_own(owner, name) else self._fits(owner, target, extension)
                if found is not None:
                    closest, bindings = found
                    (exact if closest else wider).append(Member(target, bindings))
                    break
        return exact or wider

    def of_any_use(self, path: str, owners: Types, name: str) -> list[Member]:
        """The extensions that a file may call, or else those that it may read."""
        called = self.members(path, owners, name)
        return called or self.members(path, owners, name, Use.READ)

    def implied(self, path: str, reference: Reference) -> list[DefinitionKey]:
        """The extension functions that a call without a receiver means, on an implicit `this`."""
        for number in self._table.around(path, reference.scope):
            if self._table.scope(path, number).kind not in _RECEIVER_SCOPES:
                continue
            owners = self._types(path, number, _ITSELF, ())
            found = self.members(path, owners, reference.name, reference.use)
            if found:
                return [each.target for each in found]
        return []

    def _candidates(self, path: str, name: str) -> Iterable[Extended]:
        """The extensions of that name in the enclosing packages and in the imported ones."""
        for package in namespaces_around(self._table.language(path), self._table.package(path)):
            yield from self._table.extending(package, name)
        for target in self._table.declared(path, 0, name):
            definition = self._table.definition(target)
            if definition is not None and definition.kind is Kind.IMPORT and definition.value:
                yield from self.imported(definition.value)
        for export in self._table.files[path].exports:
            if export.name == "*":
                for owner in self._types(path, 0, export.value, ()):
                    if owner.form is Form.PACKAGE:
                        yield from self._table.extending(owner.path, name)

    def imported(self, taken: Shape) -> Iterable[Extended]:
        """The extensions that an import takes from a package by name."""
        if taken.op is ShapeOp.MEMBER and taken.parts[0].op is ShapeOp.MODULE:
            yield from self._table.extending(taken.parts[0].text, taken.text)

    def _fits(
        self, owner: Type, target: DefinitionKey, extension: DefinitionKey
    ) -> tuple[bool, Bindings] | None:
        """Whether an extension fits a type exactly, with the bindings of the function's type
        parameters; None if it does not fit at all."""
        definition = self._table.definition(extension)
        if definition is None or definition.value is None:
            return None
        function = self._table.definition(target)
        opened = function.opens if function is not None else -1
        path, value = extension.path, definition.value
        scope = opened if opened >= 0 else definition.written_in
        parameter = self._parameter(path, scope, value)
        if parameter is not None:
            bound = self._table.definition(parameter)
            wanted = self._types(path, scope, bound.value, ()) if bound and bound.value else ()
            fits = not wanted or any(
                self._matching_base(owner, each) is not None for each in wanted
            )
            return (False, ((parameter, (owner,)),)) if fits else None
        for each in self._types(path, scope, value, ()):
            base = self._matching_base(owner, each)
            if base is not None:
                is_it = base[0] == owner[0] and base[1:3] == owner[1:3] and each.path == owner.path
                return is_it, tuple(self._bindings(path, scope, value, base))
        return None

    def _matching_base(self, owner: Type, wanted: Type) -> Type | None:
        """The owner or the base type of it that matches the wanted type, if any."""
        for base in self._names.with_bases(owner):
            if wanted.form is Form.OUTSIDE:
                if wanted.path in ANY_TYPE or (
                    base.form is Form.OUTSIDE and _is_outside(base, wanted.path)
                ):
                    return base
            elif {base.form, wanted.form} <= _DECLARED and self._table.is_same(
                DefinitionKey(base.path, base.number), DefinitionKey(wanted.path, wanted.number)
            ):
                return base
        return None

    def _parameter(self, path: str, scope: int, value: Shape) -> DefinitionKey | None:
        named = value.parts[0] if value.op is ShapeOp.INSTANCE else value
        if named.op is ShapeOp.GENERIC and len(named.parts) == 1:
            named = named.parts[0]
        if named.op not in {ShapeOp.NAME, ShapeOp.TYPE}:
            return None
        found = self._names.lookup(path, scope, named.text, as_type=True)
        return found[0] if found and self._table.kind(found[0]) is Kind.TYPE_PARAMETER else None

    def _bindings(
        self, path: str, scope: int, value: Shape, base: Type
    ) -> Iterable[tuple[DefinitionKey, Types]]:
        """The bindings of the function's type parameters by the type of the value."""
        if value.op is not ShapeOp.GENERIC:
            return
        bound = [types for _, types in base.bindings]
        parts = value.parts[1:]
        if base.form is Form.OUTSIDE and len(parts) == 1:
            bound = bound[-1:]
        for part, types in zip(parts, bound, strict=False):
            parameter = self._parameter(path, scope, part)
            if parameter is not None:
                yield parameter, types


def _has_own(one: Type, name: str) -> bool:
    """Whether a library type is known to have such a member, which takes precedence."""
    if one.form is not Form.OUTSIDE:
        return False
    return name in OWN_MEMBERS.get(one.path, ()) or (name in LINQ_MEMBERS and holds(one))


def _is_outside(one: Type, wanted: str) -> bool:
    if one.path == wanted or wanted in EXTENDED.get(one.path, ()):
        return True
    if one.path.endswith(_THROWN) and wanted in {_THROWN, "Throwable"}:
        return True
    return wanted in ITERABLES and (holds(one) or one.path in ITERABLES)
