"""Infers the type arguments of calls of generic functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from commonplace.codegraph.extraction.facts import Kind, Shape, ShapeOp
from commonplace.codegraph.resolution.known_types import element_of, holds
from commonplace.codegraph.resolution.linking import Bindings, DefinitionKey, Form, Type, Types
from commonplace.codegraph.resolution.names import Names
from commonplace.codegraph.resolution.table import DefinitionTable


class Generics:
    """Binds type parameters in calls.

    `types` gives the types of an expression, and `results` those of calling a value.
    """

    def __init__(
        self,
        table: DefinitionTable,
        names: Names,
        types: Callable[[str, int, Shape, Bindings], Types],
        results: Callable[[Type], Iterable[Type]],
    ) -> None:
        self._table = table
        self._names = names
        self._types = types
        self._results = results
        # By function, the names of its type parameters; by shape, the names of types in it. Shapes
        # are kept alive, or their ids could be used again.
        self._names_of: dict[tuple[str, int], list[tuple[str, DefinitionKey]]] = {}
        self._named_in: dict[int, tuple[Shape, frozenset[str] | None]] = {}

    def bound(
        self,
        function: Type,
        path: str,
        scope: int,
        arguments: Sequence[Shape],
        bindings: Bindings,
        explicit: Sequence[Types],
        resulting: Types = (),
    ) -> Bindings:
        """Bind the type parameters of a function from the explicit type arguments of a call, else
        from its arguments and the expected result."""
        generic = self._table.parameters(function.path, function.number, Kind.TYPE_PARAMETER)
        if not generic:
            return function.bindings
        bound = dict(function.bindings)
        bound.update(zip(generic, explicit, strict=False))
        wanted = self._table.parameters(function.path, function.number, Kind.PARAMETER)
        named = self._names_of.get(function[1:3])
        if named is None:
            named = [(self._table.name(each), each) for each in generic]
            self._names_of[function[1:3]] = named
        names = {name: each for name, each in named if each not in bound}
        for parameter, argument in zip(wanted, arguments, strict=False):
            definition = self._table.definition(parameter)
            shape = definition.value if definition else None
            if names and shape is not None and self._mentions(shape, names):
                found = self._types(path, scope, argument, bindings)
                for name, types in self._matched(shape, found, function, names):
                    bound.setdefault(names[name], types)
        result = self._table.scope(function.path, function.number).result
        if resulting and result is not None:
            for name, types in self._matched(result, resulting, function, names):
                bound.setdefault(names[name], types)
        return tuple(bound.items())

    def _matched(
        self, wanted: Shape, found: Types, function: Type, names: dict[str, DefinitionKey]
    ) -> Iterable[tuple[str, Types]]:
        """The bindings by which the declared type of a parameter matches the types of an argument:
        each type parameter in the former stands for the type at that place in the latter."""
        if not found:
            return
        if wanted.op is ShapeOp.TYPE and wanted.text in names:
            yield wanted.text, found
        elif wanted.op is ShapeOp.GENERIC:
            yield from self._matched_generic(wanted, found, function, names)
        elif wanted.op in {ShapeOp.EITHER, ShapeOp.REST}:
            for part in wanted.parts:
                yield from self._matched(part, found, function, names)
        elif wanted.op is ShapeOp.SCOPE:
            result = self._table.scope(function.path, int(wanted.text)).result
            if result is not None and self._mentions(result, names):
                results = tuple(one for each in found for one in self._results(each))
                yield from self._matched(result, results, function, names)

    def _matched_generic(
        self, wanted: Shape, found: Types, function: Type, names: dict[str, DefinitionKey]
    ) -> Iterable[tuple[str, Types]]:
        named, *parts = wanted.parts
        for each in found:
            for base in self._names.with_bases(each):
                if not self._is_named(base, named, function):
                    continue
                bound = [types for _, types in base.bindings]
                if holds(base) and len(parts) == 1:
                    bound = [element_of(base)]
                for part, types in zip(parts, bound, strict=False):
                    yield from self._matched(part, types, function, names)

    def _is_named(self, one: Type, named: Shape, function: Type) -> bool:
        if one.form is Form.OUTSIDE:
            return one.path == named.text or holds(one)
        targets = self._names.denoted(function.path, function.number, named, as_type=True)
        return DefinitionKey(one.path, one.number) in targets

    def _mentions(self, shape: Shape, names: dict[str, DefinitionKey]) -> bool:
        """Whether a type depends on one of these type parameters."""
        known = self._named_in.get(id(shape))
        if known is None:
            known = self._named_in[id(shape)] = shape, _type_names(shape)
        return known[1] is None or not known[1].isdisjoint(names)


def _type_names(shape: Shape) -> frozenset[str] | None:
    """The names of types in a written type; None if it has a scope, which may mention any."""
    if shape.op is ShapeOp.SCOPE:
        return None
    found = {shape.text} if shape.op is ShapeOp.TYPE else set[str]()
    for part in shape.parts:
        inner = _type_names(part)
        if inner is None:
            return None
        found |= inner
    return frozenset(found)
