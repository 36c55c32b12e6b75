"""The definitions of a file that are visible to others, and the one that encloses a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from commonplace.codegraph.extraction.facts import (
    COMPANION,
    DECLARED_GLOBAL,
    HIDDEN,
    TYPES,
    Definition,
    FileFacts,
    Kind,
)
from commonplace.codegraph.extraction.languages import INCLUDING

_LOCAL = frozenset({Kind.VARIABLE, Kind.CONSTANT})
_OUTER_SCOPES = frozenset({"file", "namespace", "block", DECLARED_GLOBAL})
_ENCLOSING = frozenset(
    {
        Kind.FUNCTION, Kind.METHOD, Kind.CONSTRUCTOR, Kind.CLASS, Kind.INTERFACE, Kind.ENUM,
        Kind.ALIAS, Kind.NAMESPACE, Kind.TEST,
    }
)  # fmt: skip


def visible_numbers(facts: FileFacts) -> tuple[int, ...]:
    """The numbers of the definitions that others can refer to: all but parameters and locals."""
    outer: list[bool] = []  # whether a scope is at the level of the module; parents come first
    for scope in facts.scopes:
        outer.append(scope.kind in _OUTER_SCOPES and (scope.parent < 0 or outer[scope.parent]))
    return tuple(
        number
        for number, each in enumerate(facts.definitions)
        if (outer[each.scope] if each.kind in _LOCAL else each.kind not in HIDDEN)
    )


def outer_scopes(facts: FileFacts) -> frozenset[int]:
    """The scopes whose names a file adds to its package; of a module, only global declarations, in
    C++ those of namespaces and classes."""
    if facts.language in INCLUDING:
        kinds = {"file", "namespace", "class"}
        return frozenset(n for n, scope in enumerate(facts.scopes) if scope.kind in kinds)
    declared = (n for n, scope in enumerate(facts.scopes) if scope.kind == DECLARED_GLOBAL)
    return frozenset(declared) or frozenset({0})


def is_private(signature: str) -> bool:
    """Whether a signature has the modifier `private`."""
    return "private" in signature.partition("(")[0].split()


def enclosing(facts: FileFacts, numbers: Sequence[int], lines: Sequence[int]) -> Iterator[int]:
    """The innermost definition around each of the ascending lines, or -1.

    A value that is a function encloses the code of that function.
    """
    definitions = facts.definitions
    around = sorted(
        (number for number in numbers if _encloses(definitions[number])),
        key=lambda number: (definitions[number].first_line, -definitions[number].last_line, number),
    )
    open_ones: list[int] = []
    following, last = 0, -1
    for line in lines:
        if line == last:
            yield open_ones[-1] if open_ones else -1
            continue
        last = line
        while following < len(around) and definitions[around[following]].first_line <= line:
            open_ones.append(around[following])
            following += 1
        open_ones = [number for number in open_ones if definitions[number].last_line >= line]
        yield open_ones[-1] if open_ones else -1


def _encloses(definition: Definition) -> bool:
    return definition.kind in _ENCLOSING or definition.opens >= 0


def partial_types(facts: FileFacts) -> Iterator[int]:
    """The numbers of partial types, which are declared in several places."""
    for number, each in enumerate(facts.definitions if facts.language == "csharp" else ()):
        if each.kind in TYPES and "partial" in each.signature.partition("{")[0].split():
            yield number


def with_implicit_receiver(facts: FileFacts) -> set[int]:
    """The scopes with an implicit receiver: those of extensions and of types with a companion."""
    more = {each.opens for each in facts.definitions if each.kind is Kind.EXTENSION}
    return more | {each.scope for each in facts.definitions if each.name == COMPANION}
