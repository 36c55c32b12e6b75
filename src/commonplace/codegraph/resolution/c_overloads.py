"""Ranks overloads in C++: by the number of arguments, their types, and what is `const`."""

from __future__ import annotations

from commonplace.codegraph.extraction.c_shapes import ARITHMETIC
from commonplace.codegraph.extraction.facts import NULL, Kind, Reference, Shape, ShapeOp
from commonplace.codegraph.resolution.inference import Inference
from commonplace.codegraph.resolution.linking import DefinitionKey, Form, Type, Types
from commonplace.codegraph.resolution.overloads import Overloads
from commonplace.codegraph.resolution.table import DefinitionTable

_EXACT, _BASE, _GENERIC, _PROMOTED, _CONVERTED, _UNKNOWN, _NOT = 12, 10, 8, 7, 4, 3, -8
_ARRAY = "Array"
_STRINGS = frozenset({"string", "string_view", "basic_string", "basic_string_view"})
_WHOLE = ARITHMETIC - {"double", "float", "long double", "void"}
_NO_NUMBERS = _STRINGS | {_ARRAY, NULL}
_OF_ITS_PART = frozenset({ShapeOp.AWAIT, ShapeOp.ELEMENT, ShapeOp.MEMBER})
_NOT_ACCEPTED = -1000
_DEEPEST = 12


class COverloads(Overloads):
    """Compares the arguments of a call with the parameters of the functions it may mean."""

    def __init__(self, table: DefinitionTable, inference: Inference, home: str) -> None:
        super().__init__(table, inference)
        self._home = home

    def fit(self, path: str, target: DefinitionKey, call: Reference) -> int:
        definition = self._table.definition(target)
        if definition is None or definition.opens < 0 or definition.signature.startswith("#"):
            return 0
        constant = self._is_constant_function(target)
        score = 2 * (constant is self._on_constant(path, call)) - 1
        if call.arguments is None:
            return score
        wanted = self._table.parameters(target.path, definition.opens, Kind.PARAMETER)
        accepted = self._table.takes(target.path, definition.opens, len(call.arguments))
        if not accepted and not self._may_have_defaults(target, len(wanted), call):
            return _NOT_ACCEPTED
        for argument, parameter in zip(call.arguments, wanted, strict=False):
            held = self._inference.types(path, call.scope, argument)
            score += 4 * self._one_fit(held, parameter)
        return score - (len(wanted) > len(call.arguments))

    def _may_have_defaults(self, target: DefinitionKey, wanted: int, call: Reference) -> bool:
        """Whether a method is defined outside of its class, which has its default arguments."""
        definition = self._table.definition(target)
        if definition is None or call.arguments is None or len(call.arguments) > wanted:
            return False
        opener = self._table.opener(target.path, definition.scope)
        return opener is not None and self._table.kind(opener) is Kind.EXTENSION

    def _one_fit(self, arguments: Types, parameter: DefinitionKey) -> int:
        definition = self._table.definition(parameter)
        if definition is not None and definition.value is not None:
            if definition.value.op is ShapeOp.REST:
                return _CONVERTED
            if self._is_generic(parameter.path, definition.written_in, definition.value):
                return _GENERIC
        wanted = self._inference.value_of(parameter)
        if not arguments or not wanted:
            return _UNKNOWN
        return max(self._type_fit(one, other) for one in arguments for other in wanted)

    def _is_generic(self, path: str, scope: int, shape: Shape) -> bool:
        if shape.op is not ShapeOp.TYPE:
            return False
        found = self._inference.names.lookup(path, scope, shape.text, as_type=True)
        return any(self._table.kind(each) is Kind.TYPE_PARAMETER for each in found)

    def _type_fit(self, one: Type, other: Type) -> int:
        """How well a value of a type fits a parameter of another."""
        if one[:3] == other[:3]:
            return _elements_fit(one, other) if one.path == _ARRAY else _EXACT
        if one.path == _ARRAY and other.form is Form.INSTANCE and one.bindings:
            pointed = (self._type_fit(each, other) for each in one.bindings[0][1])
            return max(pointed, default=_UNKNOWN)
        if one.form is Form.INSTANCE:
            return self._instance_fit(one, other)
        if other.form is Form.OUTSIDE:
            return _outside_fit(one.path, other.path)
        if one.path == NULL:
            return _BASE
        return _UNKNOWN if one.path not in ARITHMETIC else _NOT // 2

    def _instance_fit(self, one: Type, other: Type) -> int:
        bases = self._inference.names.with_bases(one)
        if any(base[:3] == other[:3] for base in bases):
            return _BASE
        if self._table.kind(DefinitionKey(one.path, one.number)) is Kind.ENUM:
            return _CONVERTED if other.path in ARITHMETIC else _NOT
        return _NOT if other.path in ARITHMETIC - {"boolean"} else _UNKNOWN

    def _is_constant_function(self, target: DefinitionKey) -> bool:
        definition = self._table.definition(target)
        assert definition is not None, "a function is a definition"
        behind = definition.signature.rpartition(")")[2]
        return "const" in behind.split(":")[0].rstrip(";").split()

    def _on_constant(self, path: str, call: Reference) -> bool:
        if call.receiver is None:
            return self._in_constant(path, call.scope)
        return self._is_constant(path, call.scope, call.receiver, 0)

    def _in_constant(self, path: str, scope: int) -> bool:
        """Whether code belongs to a function that leaves its object as it is."""
        for number in self._table.around(path, scope):
            opener = self._table.opener(path, number)
            if opener is not None and self._table.kind(opener) is Kind.METHOD:
                return self._is_constant_function(opener)
        return False

    def _is_constant(self, path: str, scope: int, shape: Shape, depth: int) -> bool:
        """Whether an expression has a value that is declared `const`."""
        if depth > _DEEPEST:
            return False
        if shape.op is ShapeOp.THIS:
            return self._in_constant(path, scope)
        if shape.op is ShapeOp.NAME:
            return self._is_declared_constant(path, scope, shape, depth)
        if shape.op is ShapeOp.CALL:
            return self._gives_constant(path, scope, shape.parts[0], depth)
        inner = shape.op in _OF_ITS_PART
        return inner and self._is_constant(path, scope, shape.parts[0], depth + 1)

    def _is_declared_constant(self, path: str, scope: int, shape: Shape, depth: int) -> bool:
        for target in self._inference.names.lookup(path, scope, shape.text, as_type=False)[:1]:
            definition = self._table.definition(target)
            if definition is None:
                return False
            head = definition.signature.partition("=")[0].split()
            if definition.kind is Kind.FIELD and self._in_constant(path, scope):
                return "*" not in definition.signature or "const" in head
            value = definition.value
            if "auto" in head and value is not None and target.path == path:
                return "const" in head or self._is_constant(
                    path, definition.written_in, value, depth + 1
                )
            return "const" in head
        return False

    def _gives_constant(self, path: str, scope: int, callee: Shape, depth: int) -> bool:
        """Whether a call gives something `const`; of two overloads, the one for its object."""
        targets = [
            each
            for each in self._inference.names.denoted(path, scope, callee, as_type=False)
            if self._table.kind(each) in {Kind.METHOD, Kind.FUNCTION}
        ]
        if len(targets) > 1:
            on = (
                self._is_constant(path, scope, callee.parts[0], depth + 1)
                if callee.op is ShapeOp.MEMBER
                else self._in_constant(path, scope)
            )
            targets = [t for t in targets if self._is_constant_function(t) is on] or targets
        definition = self._table.definition(targets[0]) if targets else None
        return definition is not None and "const" in definition.signature.split("(")[0].split()


def _elements_fit(one: Type, other: Type) -> int:
    """How well what a pointer or an array holds fits."""
    held = {each[:3] for _, types in one.bindings for each in types}
    wanted = {each[:3] for _, types in other.bindings for each in types}
    if any(path == "void" for _, path, _ in wanted):
        return _CONVERTED
    return _EXACT if held & wanted or not held or not wanted else _NOT


def _outside_fit(one: str, other: str) -> int:
    """How well one type of the library or the language fits another."""
    if one in ARITHMETIC and other in ARITHMETIC:
        if "boolean" in {one, other}:
            return _CONVERTED
        return _PROMOTED if (one in _WHOLE) is (other in _WHOLE) else _CONVERTED
    if other in ARITHMETIC:
        to_truth = other == "boolean" and one == _ARRAY
        return _CONVERTED - 1 if to_truth else _NOT if one in _NO_NUMBERS else _UNKNOWN
    if one in {NULL, _ARRAY} and other in _STRINGS | {_ARRAY}:
        return _PROMOTED
    unfit = one in ARITHMETIC and other in _STRINGS | {_ARRAY}
    return _NOT if unfit or (one in _STRINGS and other == _ARRAY) else _UNKNOWN
