"""Models how a language's standard library uses the types of a project."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from commonplace.codegraph.extraction.facts import EACH, INDEXED, TUPLE, Shape, ShapeOp
from commonplace.codegraph.resolution.known_types import (
    ANY_NAMED,
    ELEMENT_BUILTINS,
    LIST_BUILTINS,
    PASSING_ELEMENT,
    SCOPE_WITH_ARGUMENT,
    element_of,
    holds,
    instances_outside,
    last_of,
    outside,
    promises,
)
from commonplace.codegraph.resolution.linking import Bindings, DefinitionKey, Form, Type, Types
from commonplace.codegraph.resolution.names import Names
from commonplace.codegraph.resolution.table import DefinitionTable

# Methods of holders whose arguments are elements; for `set` only the second one is.
_TAKING_ELEMENT = frozenset({"push", "unshift", "add", "fill", "includes", "indexOf"})
_SORTING = frozenset({"sort", "toSorted"})  # their callback takes two elements
_FOLDING = frozenset({"reduce", "reduceRight"})  # ... the accumulated value and an element
_OBJECT = Shape(ShapeOp.NAME, "Object")
_THEN = "then"
# Functions of `Object` that return their first argument.
_RETURNING_FIRST = frozenset({"freeze", "seal", "preventExtensions"})
_VALUE_FORMS = frozenset({Form.INSTANCE, Form.SCOPE})


class Library:
    """Infers types around the functions and containers of a standard library.

    `types`, `value_of` and `results` give the types of an expression, of a definition's value and
    of calling a value.
    """

    def __init__(
        self,
        table: DefinitionTable,
        names: Names,
        types: Callable[[str, int, Shape, Bindings], Types],
        value_of: Callable[[DefinitionKey, Bindings], Types],
        results: Callable[[Type], Iterable[Type]],
    ) -> None:
        self._table = table
        self._names = names
        self._types = types
        self._value_of = value_of
        self._results = results

    def call_results(
        self, path: str, scope: int, callee: Shape, arguments: Sequence[Shape], bindings: Bindings
    ) -> Iterable[Type]:
        """The results of functions of JavaScript's standard library."""
        if not arguments or not self._table.knows_globals(path):
            return
        if callee.op is ShapeOp.NAME and callee.text == "structuredClone":
            yield from self._types(path, scope, arguments[0], bindings)
        elif callee.op is ShapeOp.MEMBER and callee.parts[0] == _OBJECT:
            yield from self._object_result(path, scope, callee.text, arguments, bindings)
        elif callee.op is ShapeOp.MEMBER and callee.text == _THEN:
            yield from self._next_promise(path, scope, callee.parts[0], arguments[0], bindings)
        elif callee.op is ShapeOp.MEMBER and callee.text in _FOLDING and len(arguments) > 1:
            folded = self._types(path, scope, callee.parts[0], bindings)
            yield from (
                self._types(path, scope, arguments[1], bindings) if any(map(holds, folded)) else ()
            )

    def _next_promise(
        self, path: str, scope: int, promised: Shape, callback: Shape, bindings: Bindings
    ) -> Iterable[Type]:
        """The promise of what a callback of a promise gives."""
        if any(map(promises, self._types(path, scope, promised, bindings))):
            functions = self._types(path, scope, callback, bindings)
            results = tuple(one for each in functions for one in self._results(each))
            yield outside("Promise", [tuple(one for each in results for one in _awaited(each))])

    def _object_result(
        self, path: str, scope: int, name: str, arguments: Sequence[Shape], bindings: Bindings
    ) -> Iterable[Type]:
        if name == "assign":
            for each in arguments:
                yield from self._types(path, scope, each, bindings)
            return
        first = self._types(path, scope, arguments[0], bindings)
        if name in _RETURNING_FIRST:
            yield from first
        elif name in {"values", "entries"}:
            values = tuple(one for each in first for one in self.element(each))
            of_each = values if name == "values" else (outside(TUPLE, [(), values]),)
            yield outside("Array", [of_each])

    def python_results(
        self, path: str, scope: int, callee: Shape, arguments: Sequence[Shape], bindings: Bindings
    ) -> Iterable[Type]:
        """The results of Python's built-ins, such as `sorted(things)` and `next(things)`."""
        if callee.text == "cast" and len(arguments) > 1:
            cast = Shape(ShapeOp.INSTANCE, "", (arguments[0],))
            yield from self._types(path, scope, cast, bindings)
        if callee.op is not ShapeOp.NAME or not arguments:
            return
        first = self._types(path, scope, arguments[0], bindings)
        if callee.text in LIST_BUILTINS:
            yield from (outside("Array", [element_of(each, EACH)]) for each in first if holds(each))
        elif callee.text in ELEMENT_BUILTINS:
            yield from (one for each in first for one in element_of(each, EACH))
        elif callee.text == "enumerate":
            for each in first:
                yield outside("Array", [(outside(TUPLE, [(), element_of(each, EACH)]),)])
        elif callee.text == "zip":
            beside = [
                tuple(
                    one
                    for holder in self._types(path, scope, each, bindings)
                    for one in element_of(holder, EACH)
                )
                for each in arguments
            ]
            yield outside("Array", [(outside(TUPLE, beside),)])

    def expected_types(
        self, path: str, scope: int, callee: Shape, place: int, bindings: Bindings
    ) -> Iterable[Type]:
        """The types that a method of a list, set or map expects as argument `place`."""
        if callee.op is not ShapeOp.MEMBER:
            return
        if callee.text in _TAKING_ELEMENT or (callee.text == "set" and place == 1):
            for holder in self._types(path, scope, callee.parts[0], bindings):
                yield from element_of(holder)

    def callback_argument(
        self, path: str, scope: int, wanted: Shape, place: int, bindings: Bindings
    ) -> Iterable[Type]:
        """The types that methods of lists and maps pass to their callback as argument `place`."""
        callee, *arguments = wanted.parts if wanted.op is ShapeOp.PARAMETER else (wanted,)
        stated: Sequence[Shape] = ()
        if callee.op is ShapeOp.GENERIC:
            callee, *stated = callee.parts
        if callee.op is not ShapeOp.MEMBER:
            return
        if place == 0 and callee.text == _THEN and self._table.knows_globals(path):
            for promised in filter(promises, self._types(path, scope, callee.parts[0], bindings)):
                yield from last_of(promised)
        if place == 0 and callee.text in SCOPE_WITH_ARGUMENT and self._table.has_functions(path):
            yield from self._types(path, scope, callee.parts[0], bindings)
        if place == 0 and callee.text in _FOLDING and (stated or len(arguments) > 1):
            yield from self._types(path, scope, stated[0] if stated else arguments[1], bindings)
            return
        twice = _FOLDING | _SORTING if place == 1 else _FOLDING | PASSING_ELEMENT
        if place < 2 and callee.text in twice:
            for holder in self._types(path, scope, callee.parts[0], bindings):
                for base in self._names.with_bases(holder):
                    yield from element_of(base)

    def element(self, holder: Type, place: str = "") -> Iterable[Type]:
        """An element of a list or map, or a member of a type with an index signature."""
        return element_of(holder, place) if holds(holder) else self._indexed(holder)

    def member(self, owner: Type, name: str) -> Iterable[Type]:
        """A member of a type that has members of any name."""
        if owner.form is not Form.OUTSIDE:
            return self._indexed(owner)
        # `List[number]` is the type of an element.
        anyhow = owner.path in ANY_NAMED or (name == "number" and holds(owner))
        return last_of(owner) if anyhow else ()

    def _indexed(self, owner: Type) -> Iterable[Type]:
        if owner.form in _VALUE_FORMS:
            for each in self._names.members(owner, INDEXED):
                yield from self._value_of(each.target, each.bindings)

    def computed(self, name: str, arguments: list[Types]) -> Iterable[Type]:
        """The types that a library type stands for; `ReturnType` and the like compute one."""
        of_first = arguments[0] if arguments else ()
        if name == "ReturnType":
            return (one for each in of_first for one in self._results(each))
        if name == "InstanceType":
            return [each._replace(form=Form.INSTANCE) for each in of_first]
        if name == "Awaited":
            return (one for each in of_first for one in _awaited(each))
        return instances_outside(name, arguments)


def _awaited(one: Type) -> Types:
    return last_of(one) if promises(one) else (one,)
