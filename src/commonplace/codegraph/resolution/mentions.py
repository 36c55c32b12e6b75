"""The type parameters that a written type mentions: what it means depends on them alone."""

from __future__ import annotations

from commonplace.codegraph.extraction.facts import Definition, Kind, Shape, ShapeOp
from commonplace.codegraph.resolution.linking import Bindings, DefinitionKey
from commonplace.codegraph.resolution.names import Names
from commonplace.codegraph.resolution.table import DefinitionTable

_WRITTEN_TYPES = frozenset({ShapeOp.TYPE, ShapeOp.GENERIC, ShapeOp.EITHER, ShapeOp.REST})


class Mentions:
    """Collects the type parameters in types, with those in their bounds. Answers are cached."""

    def __init__(self, table: DefinitionTable, names: Names) -> None:
        self._table = table
        self._names = names
        self._known: dict[tuple[str, int, int], set[DefinitionKey] | None] = {}
        self._named: dict[tuple[str, int, str], list[tuple[DefinitionKey, Definition]]] = {}

    def relevant(
        self, path: str, scope: int, shape: Shape, number: int, bindings: Bindings
    ) -> Bindings:
        """The bindings that a written type depends on; calls share an answer if others differ.

        `number` identifies the shape.
        """
        key = (path, scope, number)
        if key not in self._known:
            found: set[DefinitionKey] = set()
            self._known[key] = found if self._collected(path, scope, shape, found) else None
        mentioned = self._known[key]
        if mentioned is None:
            return bindings
        return tuple([bound for bound in bindings if bound[0] in mentioned])

    def forget(self) -> None:
        self._known.clear()
        self._named.clear()

    def _collected(self, path: str, scope: int, shape: Shape, found: set[DefinitionKey]) -> bool:
        """Collect what a type mentions; False if the shape is not purely a type, so that the set
        is incomplete."""
        op, text, parts = shape
        if op not in _WRITTEN_TYPES:
            return False
        if op is ShapeOp.TYPE:
            for target, definition in self._parameters(path, scope, text):
                bound = None if target in found else definition.value
                found.add(target)
                if bound and not self._collected(target.path, definition.written_in, bound, found):
                    return False
        return all(self._collected(path, scope, part, found) for part in parts)

    def _parameters(
        self, path: str, scope: int, name: str
    ) -> list[tuple[DefinitionKey, Definition]]:
        """The type parameters of a name."""
        key = (path, scope, name)
        known = self._named.get(key)
        if known is None:
            targets = self._names.lookup(path, scope, name, as_type=True)
            definitions = ((target, self._table.definition(target)) for target in targets)
            known = self._named[key] = [
                (target, definition)
                for target, definition in definitions
                if definition is not None and definition.kind is Kind.TYPE_PARAMETER
            ]
        return known
