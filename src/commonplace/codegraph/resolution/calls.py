"""Calls: which functions they run, what they return, and the types of callback parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain

from commonplace.codegraph.extraction.facts import CALLED_ON, TUPLE, TYPES, Kind, Shape, ShapeOp
from commonplace.codegraph.resolution.generics import Generics
from commonplace.codegraph.resolution.known_types import (
    COMPONENTS,
    FACTORY_METHODS,
    FUNCTION_COMPONENTS,
    FUNCTION_TYPES,
    FUNCTIONS_WITH_RESULT,
    PROMISE_COMBINATORS,
    RETURNING_ELEMENT,
    RETURNING_LIBRARY_TYPE,
    RETURNING_LIST,
    RETURNING_PAIRS,
    RETURNING_RECEIVER,
    RETURNING_RESULTS,
    RETURNING_SAME,
    SCOPE_RETURNING_VALUE,
    SCOPE_WITH_ARGUMENT,
    SCOPE_WITH_RECEIVER,
    element_of,
    entries_of,
    holds,
    last_of,
    outside,
)
from commonplace.codegraph.resolution.library import Library
from commonplace.codegraph.resolution.linking import Bindings, DefinitionKey, Form, Type, Types
from commonplace.codegraph.resolution.names import Names
from commonplace.codegraph.resolution.table import DefinitionTable

_THIS = Shape(ShapeOp.THIS)
_SUPER, _PROMISE = Shape(ShapeOp.NAME, "super"), Shape(ShapeOp.NAME, "Promise")
_CONTAINER_METHODS = RETURNING_ELEMENT | RETURNING_SAME | RETURNING_PAIRS | {"values"}
# Built-in functions of Go that return their first argument, or a value of the type it names.
_RETURNING_ARGUMENT = frozenset({"new", "make", "append"})
_CLASSES = frozenset({Kind.CLASS, Kind.INTERFACE, Kind.ENUM})


class Calls:
    """Infers the types around calls.

    `types` gives the types of an expression, and `value_of` those of a definition's value.
    """

    def __init__(
        self,
        table: DefinitionTable,
        names: Names,
        types: Callable[[str, int, Shape, Bindings], Types],
        value_of: Callable[[DefinitionKey, Bindings], Types],
    ) -> None:
        self._table = table
        self._names = names
        self._types = types
        self._value_of = value_of
        self._generics = Generics(table, names, types, self.results)
        self.library = Library(table, names, types, value_of, self.results)

    def call(self, path: str, scope: int, shape: Shape, bindings: Bindings) -> Iterable[Type]:
        callee, arguments = shape.parts[0], shape.parts[1:]
        if callee == _SUPER:
            yield from self._types(path, scope, Shape(ShapeOp.SUPER), bindings)
        if callee.op is ShapeOp.MODULE:
            yield from self._types(path, scope, callee, bindings)
        yield from self._container_result(path, scope, callee, bindings)
        yield from self._mapped_result(path, scope, callee, arguments, bindings)
        yield from self._joined_promises(path, scope, callee, arguments, bindings)
        functions: list[Type] = []
        named, stated = _without_type_arguments(callee)
        explicit = [self._types(path, scope, each, bindings) for each in stated]
        known = self._types(path, scope, named, bindings)
        for called in known:
            yield from self._instance(called)
            functions += self.signatures(called, "()")
            if called.form is Form.INSTANCE and self._is_variant(called):
                yield called
            if called.form is Form.OUTSIDE and called.path in FUNCTIONS_WITH_RESULT:
                yield from last_of(called)
        yield from self._unwrapped(path, scope, named, functions, bindings)
        for function in self._accepting(len(arguments), functions):
            bound = self._generics.bound(function, path, scope, arguments, bindings, explicit)
            yield from self.result(function.path, function.number, bound)
        if not known:
            yield from self._unknown_result(path, callee, explicit)
            yield from self._built_in_result(path, scope, callee, arguments, bindings)

    def _built_in_result(
        self, path: str, scope: int, callee: Shape, arguments: Sequence[Shape], bindings: Bindings
    ) -> Iterable[Type]:
        """The results of functions that are built into the language."""
        yield from self.library.call_results(path, scope, callee, arguments, bindings)
        if self._table.has_functions(path):
            yield from self._scope_function_result(path, scope, callee, arguments, bindings)
        if callee.text in _RETURNING_ARGUMENT and self._table.is_packaged(path) and arguments:
            yield from self._types(path, scope, arguments[0], bindings)
        if self._table.is_dynamic(path) and not self._table.is_extended(path):
            yield from self.library.python_results(path, scope, callee, arguments, bindings)

    def _unknown_result(self, path: str, callee: Shape, explicit: list[Types]) -> Iterable[Type]:
        """The likely result of an unknown function: the only type argument of the call, or for
        factory methods such as `Path.of`, an instance of the class."""
        if len(explicit) == 1:
            yield from explicit[0]
        named = callee.op is ShapeOp.MEMBER and callee.parts[0].op is ShapeOp.NAME
        owner = callee.parts[0].text if named else ""
        own = callee.text in FACTORY_METHODS and self._table.has_bare_members(path)
        if own and owner[:1].isupper():
            yield outside(owner, [])
        if callee.text in RETURNING_LIBRARY_TYPE and self._table.has_bare_members(path):
            yield outside(RETURNING_LIBRARY_TYPE[callee.text], [])

    def _joined_promises(
        self, path: str, scope: int, callee: Shape, arguments: Sequence[Shape], bindings: Bindings
    ) -> Iterable[Type]:
        """The result of `Promise.all([...])`: a list of what the promises resolve to."""
        if (
            callee.op is ShapeOp.MEMBER
            and callee.text in PROMISE_COMBINATORS
            and callee.parts[0] == _PROMISE
        ):
            waited = (part for each in arguments[:1] for part in each.parts[1:])
            promised = [Shape(ShapeOp.AWAIT, "", (each,)) for each in waited]
            if promised:
                listed = Shape(ShapeOp.GENERIC, "", (Shape(ShapeOp.TYPE, TUPLE), *promised))
                yield from self._types(path, scope, listed, bindings)

    def _accepting(self, arguments: int, functions: list[Type]) -> list[Type]:
        """The overloads that accept this number of arguments; all of them if none does."""
        fitting = [
            each for each in functions if self._table.takes(each.path, each.number, arguments)
        ]
        return fitting or functions

    def _instance(self, called: Type) -> Iterable[Type]:
        """The instance that calling a class creates, in languages without `new`."""
        if called.form is not Form.ITSELF:
            return
        kind = self._table.kind(DefinitionKey(called.path, called.number))
        functions = self._table.has_functions(called.path)
        by_call = kind is Kind.CLASS and (functions or self._table.is_dynamic(called.path))
        if by_call or (self._table.is_packaged(called.path) and kind in TYPES):
            yield Type(Form.INSTANCE, called.path, called.number, called.bindings)

    def _unwrapped(
        self, path: str, scope: int, callee: Shape, functions: list[Type], bindings: Bindings
    ) -> Iterable[Type]:
        """The result of Rust's `value.unwrap()`, `value.iter()` and the like: the receiver."""
        same = callee.op is ShapeOp.MEMBER and callee.text in RETURNING_RECEIVER
        if same and not functions and self._table.is_extended(path):
            yield from self._types(path, scope, callee.parts[0], bindings)

    def _container_result(
        self, path: str, scope: int, callee: Shape, bindings: Bindings
    ) -> Iterable[Type]:
        """The results of methods of arrays and maps."""
        if callee.op is not ShapeOp.MEMBER or callee.text not in _CONTAINER_METHODS:
            return
        for holder in self._types(path, scope, callee.parts[0], bindings):
            if not holds(holder):
                continue
            if callee.text in RETURNING_PAIRS:
                yield entries_of(holder)
            elif callee.text == "values":
                yield outside("Array", [element_of(holder)])
            elif callee.text in RETURNING_LIST:
                yield outside("List", [element_of(holder)])
            else:
                yield from [holder] if callee.text in RETURNING_SAME else element_of(holder)

    def _scope_function_result(
        self, path: str, scope: int, callee: Shape, arguments: Sequence[Shape], bindings: Bindings
    ) -> Iterable[Type]:
        """The result of Kotlin's scope functions, such as `thing.apply { }`, `with(thing) { }`:
        the value itself, or the result of the lambda."""
        if callee.text in SCOPE_RETURNING_VALUE:
            thing = callee.parts[0] if callee.op is ShapeOp.MEMBER else _THIS
            yield from self._types(path, scope, thing, bindings)
        elif arguments and callee.text in SCOPE_WITH_RECEIVER | SCOPE_WITH_ARGUMENT | {
            "with",
            "lazy",
        }:
            for function in self._types(path, scope, arguments[-1], bindings):
                if function.form is Form.SCOPE:
                    yield from self.results(function)

    def receiver(self, path: str, scope: int, shape: Shape, bindings: Bindings) -> Iterable[Type]:
        """The receiver with which a function argument is called, if it has one."""
        wanted = shape.parts[0]
        callee, arguments = wanted.parts[0], wanted.parts[1:]
        if callee.op is ShapeOp.MEMBER and callee.text in SCOPE_WITH_RECEIVER:
            yield from self._types(path, scope, callee.parts[0], bindings)
        elif callee.text == "with" and len(arguments) > 1:
            yield from self._types(path, scope, arguments[0], bindings)
        for function in self._types(path, scope, wanted, bindings):
            if function.form is Form.OUTSIDE and function.path == CALLED_ON:
                yield from function.bindings[0][1]

    def _mapped_result(
        self, path: str, scope: int, callee: Shape, arguments: Sequence[Shape], bindings: Bindings
    ) -> Iterable[Type]:
        """The result of `things.Select(thing => thing.Name)`: a list of the lambda's results."""
        if callee.op is not ShapeOp.MEMBER or callee.text not in RETURNING_RESULTS:
            return
        if arguments and any(map(holds, self._types(path, scope, callee.parts[0], bindings))):
            functions = self._types(path, scope, arguments[0], bindings)
            yield outside("List", [tuple(r for each in functions for r in self.results(each))])

    def signatures(self, called: Type, name: str) -> list[Type]:
        """The functions that calling a value runs, as types of their scopes."""
        if called.form is Form.ITSELF:
            return self._function(called)
        declared = [
            Type(Form.SCOPE, member.target.path, definition.opens, member.bindings)
            for member in self._names.members(called, name)
            if (definition := self._table.definition(member.target)) is not None
        ]
        if not declared and name == "()" and called.form is Form.INSTANCE:
            return self._instance_signatures(called)
        runs_itself = called.form is Form.SCOPE and name == "()" and not declared
        return [called] if runs_itself else declared

    def _instance_signatures(self, called: Type) -> list[Type]:
        """The function that calling an instance runs: `__call__` in Python, or the function that
        an alias of a function type describes."""
        if self._table.kind(DefinitionKey(called.path, called.number)) is Kind.ALIAS:
            return self._function(called)
        if not self._table.is_dynamic(called.path):
            return []
        return [
            Type(Form.SCOPE, member.target.path, definition.opens, member.bindings)
            for member in self._names.members(called, "__call__")
            if (definition := self._table.definition(member.target)) is not None
            and definition.opens >= 0
        ]

    def _is_variant(self, called: Type) -> bool:
        kind = self._table.kind(DefinitionKey(called.path, called.number))
        return kind is Kind.ENUM and self._table.is_extended(called.path)

    def _function(self, called: Type) -> list[Type]:
        definition = self._table.definition(DefinitionKey(called.path, called.number))
        if definition is None or definition.kind in _CLASSES or definition.opens < 0:
            return []
        return [Type(Form.SCOPE, called.path, definition.opens, called.bindings)]

    def results(self, called: Type) -> Iterable[Type]:
        """The results of calling a value, with any arguments."""
        for function in self.signatures(called, "()"):
            yield from self.result(function.path, function.number, function.bindings)

    def result(self, path: str, scope: int, bindings: Bindings) -> Iterable[Type]:
        function = self._table.scope(path, scope)
        if function.result is not None:
            return self._types(path, scope, function.result, bindings)
        if function.expected is not None:
            wanted = Shape(ShapeOp.CALL, "", (function.expected,))
            found = self._types(path, function.parent, wanted, bindings)
            if found:
                return found
        body = self._table.body(path, scope)
        return chain.from_iterable(
            self._types(path, body, each, bindings) for each in function.returns
        )

    def parameter(self, path: str, scope: int, shape: Shape, bindings: Bindings) -> Iterable[Type]:
        callee, arguments = shape.parts[0], shape.parts[1:]
        resulting: Types = ()
        if callee.op is ShapeOp.RESULTING:
            resulting = self._types(path, scope, callee.parts[1], bindings)
            callee = callee.parts[0]
        named, stated = _without_type_arguments(callee)
        explicit = [self._types(path, scope, each, bindings) for each in stated]
        known = self._types(path, scope, named, bindings)
        for called in known:
            yield from self._props(called, int(shape.text))
            for function in self.signatures(called, "()") or self._constructors(called):
                bound = self._generics.bound(
                    function, path, scope, arguments, bindings, explicit, resulting
                )
                yield from self._parameter_types(function._replace(bindings=bound), int(shape.text))
        if not known:
            yield from self.library.expected_types(path, scope, named, int(shape.text), bindings)
            yield from self._likely_callback(path, scope, shape, bindings)

    def _props(self, called: Type, place: int) -> Iterable[Type]:
        """The props of a React component, from the type of the function or the base class."""
        if place == 0 and called.form is Form.OUTSIDE and called.path in FUNCTION_COMPONENTS:
            yield from last_of(called)
        elif place == 0 and called.form is Form.ITSELF:
            for base in self._names.with_bases(called._replace(form=Form.INSTANCE)):
                if base.form is Form.OUTSIDE and base.path in COMPONENTS and base.bindings:
                    yield from base.bindings[0][1]

    def _likely_callback(
        self, path: str, scope: int, shape: Shape, bindings: Bindings
    ) -> Iterable[Type]:
        """The type of a callback of an unknown function, from its owner and other arguments.

        A value of a generic type over functions, such as `Runner<[Test]>`, is assumed to run the
        function that is passed with it.
        """
        callee, *others = shape.parts
        del others[int(shape.text) : int(shape.text) + 1]
        for argument in (*callee.parts, *others):
            if argument.op not in {ShapeOp.NAME, ShapeOp.MEMBER, ShapeOp.CALL}:
                continue
            for beside in self._types(path, scope, argument, bindings):
                if beside.form is Form.OUTSIDE:
                    yield from (each for each in _all_bound(beside) if self._is_function(each))

    def _is_function(self, one: Type) -> bool:
        return one.form is Form.SCOPE and self._table.scope(one.path, one.number).kind == "function"

    def _constructors(self, called: Type) -> list[Type]:
        if called.form is not Form.ITSELF:
            return []
        instance = called._replace(form=Form.INSTANCE)
        return [
            Type(Form.SCOPE, member.target.path, definition.opens, member.bindings)
            for member in self._names.members(instance, "constructor")
            if (definition := self._table.definition(member.target)) is not None
        ]

    def _parameter_types(self, function: Type, place: int) -> Types:
        wanted = self._table.parameters(function.path, function.number, Kind.PARAMETER)
        if self._table.takes_rest(wanted) and place >= len(wanted) - 1:
            rest = self._value_of(wanted[-1], function.bindings)
            return tuple(one for each in rest for one in element_of(each))
        return self._value_of(wanted[place], function.bindings) if place < len(wanted) else ()

    def argument(self, path: str, scope: int, shape: Shape, bindings: Bindings) -> Iterable[Type]:
        function = self._table.scope(path, scope)
        wanted, place = function.expected, int(shape.text)
        if wanted is None:
            return
        yield from self.library.callback_argument(path, function.parent, wanted, place, bindings)
        for expected in self._types(path, function.parent, wanted, bindings):
            for signature in self.signatures(expected, "()"):
                yield from self._parameter_types(signature, place)
            if expected.form is Form.OUTSIDE and expected.path in FUNCTION_TYPES:
                taken = expected.bindings[
                    : len(expected.bindings) - (expected.path in FUNCTIONS_WITH_RESULT)
                ]
                taken = taken[expected.path == CALLED_ON :]
                yield from taken[place][1] if place < len(taken) else ()


def _without_type_arguments(callee: Shape) -> tuple[Shape, tuple[Shape, ...]]:
    """The callee of a call, and its explicit type arguments."""
    return (callee.parts[0], callee.parts[1:]) if callee.op is ShapeOp.GENERIC else (callee, ())


def _all_bound(one: Type) -> Iterable[Type]:
    for _, bound in one.bindings:
        for each in bound:
            yield each
            if each.form is Form.OUTSIDE:
                yield from _all_bound(each)
