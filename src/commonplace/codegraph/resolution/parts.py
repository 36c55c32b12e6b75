"""The pieces of a type: merged or partial declarations, companion, constructor parameters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from commonplace.codegraph.extraction.facts import COMPANION, Kind
from commonplace.codegraph.resolution.linking import DefinitionKey
from commonplace.codegraph.resolution.table import DefinitionTable


def parts_of(table: DefinitionTable, itself: DefinitionKey) -> list[DefinitionKey]:
    """The declarations of one type: a class and an interface of one name, or several interfaces,
    merge, and so do partial types."""
    definition = table.definition(itself)
    if definition is None:
        return []
    if table.is_partial(itself):
        same = table.in_package(table.package(itself.path), definition.name)
        return [itself, *(each for each in same if each != itself and table.is_same(each, itself))]
    same = table.declared(itself.path, definition.scope, definition.name)
    alike = table.of_arity(list(same), table.arity(itself))
    return [itself, *(each for each in alike if each != itself)]


def in_companion(
    table: DefinitionTable, itself: DefinitionKey, name: str
) -> Iterator[DefinitionKey]:
    """The members of a type's companion object."""
    definition = table.definition(itself)
    if definition is None or definition.opens < 0 or not table.has_functions(itself.path):
        return
    for each in table.declared(itself.path, definition.opens, COMPANION):
        companion = table.definition(each)
        if companion is not None and companion.opens >= 0:
            yield from table.declared(itself.path, companion.opens, name)


def of_constructor(
    table: DefinitionTable, path: str, place: tuple[int, int], found: Sequence[DefinitionKey]
) -> Sequence[DefinitionKey]:
    """Choose between constructor parameters and properties of the same name.

    In the class body itself, where properties get their values, the parameters come first; deeper
    in the class they are not visible. `place` is the scope of the name, and that of the class.
    """
    scope, number = place
    if len(found) < 2 or table.scope(path, number).kind != "class":
        return found
    parameters = [each for each in found if table.kind(each) is Kind.PARAMETER]
    if not parameters or not table.has_functions(path):
        return found
    return parameters if scope == number else [each for each in found if each not in parameters]
