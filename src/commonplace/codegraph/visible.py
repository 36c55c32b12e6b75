"""Which definitions of a file are symbols, and which of them a line of code belongs to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from commonplace.codegraph.facts import HIDDEN, Definition, FileFacts, Kind

_LOCAL = frozenset({Kind.VARIABLE, Kind.CONSTANT})
_OUTER_SCOPES = frozenset({"file", "namespace", "block"})
_ENCLOSING = frozenset(
    {
        Kind.FUNCTION, Kind.METHOD, Kind.CONSTRUCTOR, Kind.CLASS, Kind.INTERFACE, Kind.ENUM,
        Kind.ALIAS, Kind.NAMESPACE, Kind.TEST,
    }
)  # fmt: skip


def is_visible(facts: FileFacts, definition: Definition) -> bool:
    """Parameters and the variables of a function are nobody else's business."""
    if definition.kind in HIDDEN:
        return False
    return definition.kind not in _LOCAL or _at_module_level(facts, definition.scope)


def _at_module_level(facts: FileFacts, scope: int) -> bool:
    while scope >= 0:
        if facts.scopes[scope].kind not in _OUTER_SCOPES:
            return False
        scope = facts.scopes[scope].parent
    return True


def visible_numbers(facts: FileFacts) -> tuple[int, ...]:
    return tuple(number for number, each in enumerate(facts.definitions) if is_visible(facts, each))


def enclosing(facts: FileFacts, numbers: Sequence[int], lines: Sequence[int]) -> Iterator[int]:
    """For each of the ascending lines the innermost definition around it; -1 where there is none.

    A value encloses what stands in the function that it is.
    """
    definitions = facts.definitions
    around = sorted(
        (number for number in numbers if _encloses(definitions[number])),
        key=lambda number: (definitions[number].first_line, -definitions[number].last_line, number),
    )
    open_ones: list[int] = []
    following = 0
    for line in lines:
        while following < len(around) and definitions[around[following]].first_line <= line:
            open_ones.append(around[following])
            following += 1
        open_ones = [number for number in open_ones if definitions[number].last_line >= line]
        yield open_ones[-1] if open_ones else -1


def _encloses(definition: Definition) -> bool:
    return definition.kind in _ENCLOSING or definition.opens >= 0
