"""Which of several functions of one name a call means: by the number of arguments, then by type."""

from __future__ import annotations

from commonplace.codegraph.facts import Kind, Reference
from commonplace.codegraph.inference import Inference
from commonplace.codegraph.known_types import BOXED, WIDENED
from commonplace.codegraph.linking import Form, Target, Types
from commonplace.codegraph.table import Table

_ANYTHING = frozenset({"Object", "any", "unknown"})
_NOTHING: frozenset[str] = frozenset()
_EXACTLY, _AS_SUBTYPE, _BOXED, _UNKNOWN, _NOT = 4, 3, 2, 1, 0


class Overloads:
    def __init__(self, table: Table, inference: Inference) -> None:
        self._table = table
        self._inference = inference

    def fit(self, path: str, target: Target, call: Reference) -> int:
        """How well a function takes what a call hands over: the more the better."""
        definition = self._table.definition(target)
        if definition is None or definition.opens < 0 or call.arguments is None:
            return 0
        if not self._table.takes(target.path, definition.opens, len(call.arguments)):
            return -1
        if not self._table.has_bare_members(path):
            return 0
        wanted = self._table.parameters(target.path, definition.opens, Kind.PARAMETER)
        fixed = wanted[:-1] if self._table.takes_rest(wanted) else wanted
        fits = [
            self._fits(
                self._inference.types(path, call.scope, given), self._inference.held(parameter)
            )
            for given, parameter in zip(call.arguments, fixed, strict=False)
        ]
        if not all(fits):
            return 0
        return 1 + 8 * sum(fits) // max(len(fits), 1) + (fixed is wanted)

    def _fits(self, given: Types, wanted: Types) -> int:
        """How well one argument fits one parameter."""
        if not given or not wanted or any(each.path in _ANYTHING for each in wanted):
            return _UNKNOWN
        keys = {each[:3] for each in wanted}
        names = {each.path for each in wanted}
        if any(each[:3] in keys for each in given):
            return _EXACTLY
        bases = (base for each in given for base in self._inference.names.with_bases(each))
        widened = any(WIDENED.get(each.path, _NOTHING) & names for each in given)
        if widened or any(each[:3] in keys for each in bases):
            return _AS_SUBTYPE
        if any(BOXED.get(each.path, _NOTHING) & names for each in given):
            return _BOXED
        outside = all(each.form is Form.OUTSIDE for each in (*given, *wanted))
        return _UNKNOWN if outside and not any(each.path in BOXED for each in given) else _NOT
