"""Ranks overloads of a called function: by the number of arguments, then by their types."""

from __future__ import annotations

from commonplace.codegraph.extraction.facts import FUNCTION, NULL, NULLABLE, Kind, Reference
from commonplace.codegraph.resolution.inference import Inference
from commonplace.codegraph.resolution.known_types import (
    ANY_TYPE,
    BOXED,
    EXTENDED,
    FUNCTIONAL_ARITY,
    PRIMITIVES,
    WIDENED,
    element_of,
)
from commonplace.codegraph.resolution.linking import DefinitionKey, Form, Type, Types
from commonplace.codegraph.resolution.table import DefinitionTable
from commonplace.codegraph.resolution.visible import is_private

_ANYTHING = ANY_TYPE | {"any", "unknown"}
_NOTHING: frozenset[str] = frozenset()
_EXACTLY, _AS_SUBTYPE, _BOXED, _UNKNOWN, _NOT = 4, 3, 2, 1, 0
_ARRAY = "Array"
_FUNCTIONS = frozenset({Kind.METHOD, Kind.FUNCTION})
_THROWN, _THROWABLE = ("Exception", "Error"), frozenset({"Throwable", "Exception"})
_NOT_ABSTRACT = frozenset({"default", "static", "private"})
_NO_FUNCTIONS = PRIMITIVES | EXTENDED.keys() | {_ARRAY}


class Overloads:
    """Compares the arguments of a call with the parameters of the functions it may mean."""

    def __init__(self, table: DefinitionTable, inference: Inference) -> None:
        self._table = table
        self._inference = inference

    def fit(self, path: str, target: DefinitionKey, call: Reference) -> int:
        """How well the arguments of a call fit a function; higher is better."""
        definition = self._table.definition(target)
        if definition is None or definition.opens < 0 or call.arguments is None:
            return 0
        if not self._table.takes(target.path, definition.opens, len(call.arguments)):
            return -1
        if not self._table.has_bare_members(path):
            return 0
        if target.path != path and is_private(definition.signature):
            return -1
        arguments = [self._inference.types(path, call.scope, each) for each in call.arguments]
        wanted = self._table.parameters(target.path, definition.opens, Kind.PARAMETER)
        held = [self._inference.value_of(each) for each in wanted]
        rest = self._table.takes_rest(wanted)
        without_rest = self._joint_fit(
            arguments, held if rest else held[: len(arguments)], plain=True
        )
        if without_rest or not rest:
            return without_rest
        listed = tuple(one for each in held[-1] for one in element_of(each))
        return self._joint_fit(arguments, held[:-1] + [listed] * (len(arguments) - len(wanted) + 1))

    def takes(self, target: DefinitionKey, call: Reference) -> bool:
        """Whether a function accepts the number of arguments; true if it cannot be told."""
        definition = self._table.definition(target)
        if definition is None or definition.opens < 0 or call.arguments is None:
            return True
        if definition.kind not in _FUNCTIONS:
            return True
        count = len(call.arguments)
        takes = self._table.takes(target.path, definition.opens, count)
        if takes or not self._table.is_extending(target):
            return takes
        return self._table.takes(
            target.path, definition.opens, count - 1
        )  # without the receiver, which is its first parameter

    def _joint_fit(
        self, arguments: list[Types], wanted: list[Types], *, plain: bool = False
    ) -> int:
        if len(arguments) != len(wanted):
            return 0
        fits = [
            self._argument_fit(one, other) for one, other in zip(arguments, wanted, strict=True)
        ]
        return 1 + 8 * sum(fits) // max(len(fits), 1) + plain if all(fits) else 0

    def _argument_fit(self, arguments: Types, wanted: Types) -> int:
        """How well one argument fits one parameter."""
        if not arguments or not wanted:
            return _UNKNOWN
        names = {each.path for each in wanted}
        anything = any(each.path in ANY_TYPE for each in arguments)
        if names & _ANYTHING or anything:
            return _EXACTLY * anything or _UNKNOWN if names & _ANYTHING else _NOT
        if any(each.form is Form.SCOPE or each.path == FUNCTION for each in arguments):
            return self._function_fit(arguments, wanted, names)
        if any(each.path == NULL for each in arguments):
            return _NOT if names & PRIMITIVES else _AS_SUBTYPE
        arrays = any(each.path == _ARRAY for each in arguments)
        if arrays or _ARRAY in names:
            return self._element_fit(arguments, wanted) if arrays and _ARRAY in names else _NOT
        return self._value_fit(arguments, wanted, names)

    def _function_fit(self, arguments: Types, wanted: Types, names: set[str]) -> int:
        """How well a function argument fits: by whether a function is wanted, and its arity."""
        if names & _NO_FUNCTIONS:
            return _NOT
        takes = {self._arity(each) for each in arguments} - {None}
        runs = {self._functional_arity(each) for each in wanted}
        if not takes or None in runs:
            return _UNKNOWN
        return _AS_SUBTYPE if takes & runs else _NOT

    def _arity(self, function: Type) -> int | None:
        if function.form is not Form.SCOPE:
            return None
        return len(self._table.parameters(function.path, function.number, Kind.PARAMETER))

    def _functional_arity(self, wanted: Type) -> int | None:
        """The arity of a functional interface, or None if it has not exactly one method."""
        if wanted.form is not Form.INSTANCE:
            return FUNCTIONAL_ARITY.get(wanted.path)
        definition = self._table.definition(DefinitionKey(wanted.path, wanted.number))
        if definition is None or definition.kind is not Kind.INTERFACE:
            return None
        methods = [
            each.opens
            for each in self._table.files[wanted.path].definitions
            if each.scope == definition.opens
            and each.kind is Kind.METHOD
            and _NOT_ABSTRACT.isdisjoint(each.signature.partition("(")[0].split())
        ]
        if len(methods) != 1:
            return None
        return len(self._table.parameters(wanted.path, methods[0], Kind.PARAMETER))

    def _element_fit(self, arguments: Types, wanted: Types) -> int:
        held = tuple(one for each in arguments for one in element_of(each))
        elements = tuple(one for each in wanted for one in element_of(each))
        plain = {each.path for each in held} & PRIMITIVES
        if plain:
            return _EXACTLY if plain & {each.path for each in elements} else _NOT
        fits = self._argument_fit(held, elements)
        return max(fits, _BOXED) if fits else _NOT  # closer than a parameter that takes anything

    def _value_fit(self, arguments: Types, wanted: Types, names: set[str]) -> int:
        keys = {each[:3] for each in wanted}
        if any(each[:3] in keys for each in arguments):
            return _EXACTLY
        bases = (base for each in arguments for base in self._inference.names.with_bases(each))
        wider = any((WIDENED.get(n, _NOTHING) | EXTENDED.get(n, _NOTHING)) & names
                    or (n.endswith(_THROWN) and names & _THROWABLE)
                    for n in (each.path for each in arguments))  # fmt: skip
        if wider or any(each[:3] in keys for each in bases):
            return _AS_SUBTYPE
        boxes = {each.path for each in arguments}
        if any(f"{each.path}{NULLABLE}" in names for each in arguments):
            return _BOXED
        if any(BOXED.get(each.path, _NOTHING) & names for each in arguments) or any(
            BOXED.get(name, _NOTHING) & boxes for name in names
        ):
            return _BOXED
        outside = all(each.form is Form.OUTSIDE for each in (*arguments, *wanted))
        known = any(each.path in BOXED or each.path in EXTENDED for each in arguments)
        return _UNKNOWN if outside and not known else _NOT
