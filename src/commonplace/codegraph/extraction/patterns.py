"""Destructuring patterns: the variables that they declare and the members that they read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from commonplace.codegraph.extraction.facts import Shape, ShapeOp
from commonplace.codegraph.extraction.source import SourceText, inner_nodes

if TYPE_CHECKING:
    from tree_sitter import Node

_LISTS = frozenset(
    {"array_pattern", "pattern_list", "tuple_pattern", "list_pattern", "expression_list"}
)
_RESTS = frozenset({"rest_pattern", "list_splat_pattern", "dictionary_splat_pattern"})
_AROUND_ONE = _RESTS | {
    "ref_pattern", "mut_pattern", "reference_pattern", "captured_pattern", "or_pattern",
}  # fmt: skip
_MATCHED = frozenset({"tuple_struct_pattern", "struct_pattern"})
# Variants of optional values and results, whose content is taken to have the same type.
_TRANSPARENT = frozenset({"Some", "Ok"})
_DEFAULTED = frozenset({"assignment_pattern", "object_assignment_pattern"})
_NAMES = frozenset({"identifier", "shorthand_property_identifier_pattern"})


class Unpacked(NamedTuple):
    """A name in a pattern, with its value; a `key` reads a member and declares nothing."""

    name: Node
    value: Shape | None
    key: bool = False


def unpacked(pattern: Node, value: Shape | None, source: SourceText) -> Iterator[Unpacked]:
    kind = pattern.type
    if kind in _NAMES:
        yield Unpacked(pattern, value)
    elif kind in _LISTS or kind == "object_pattern":
        place = 0
        for child in pattern.children:
            place += child.type == ","
            if child.is_named and not child.is_extra:
                yield from _shorthand_key(child, value)
                yield from unpacked(child, _part_value(kind, child, value, source, place), source)
    elif kind in _MATCHED:
        yield from _matched(pattern, value, source)
    else:
        if kind == "pair_pattern":
            yield from _key(pattern.child_by_field_name("key"), value)
        inner = _inner(pattern)
        if inner is not None:
            yield from unpacked(inner, value, source)


def _matched(pattern: Node, value: Shape | None, source: SourceText) -> Iterator[Unpacked]:
    """The variables of a Rust pattern such as `Some(x)` or `Point { x, y: z }`."""
    named, *parts = inner_nodes(pattern)
    if pattern.type == "struct_pattern":
        for part in parts:
            yield from _field(part, value, source)
    else:
        held = value if source.word(named) in _TRANSPARENT else None
        for part in parts:
            yield from unpacked(part, held, source)


def _field(field: Node, value: Shape | None, source: SourceText) -> Iterator[Unpacked]:
    name = field.child_by_field_name("name")
    if name is None:
        return
    held = None if value is None else Shape(ShapeOp.MEMBER, source.word(name), (value,))
    inner = field.child_by_field_name("pattern")
    if inner is not None:
        yield from unpacked(inner, held, source)
    else:
        yield Unpacked(name, held)


def _inner(pattern: Node) -> Node | None:
    """The pattern inside of a renaming, a default or a rest pattern."""
    if pattern.type == "pair_pattern":
        return pattern.child_by_field_name("value")
    if pattern.type in _DEFAULTED:
        return pattern.child_by_field_name("left")
    children = inner_nodes(pattern) if pattern.type in _AROUND_ONE else []
    return children[0] if children else None


def _shorthand_key(child: Node, value: Shape | None) -> Iterator[Unpacked]:
    """The member that `{ name }` uses, which also declares a variable of that name."""
    if child.type == "object_assignment_pattern":
        child = child.child_by_field_name("left") or child
    if child.type == "shorthand_property_identifier_pattern" and value is not None:
        yield Unpacked(child, value, key=True)


def _key(key: Node | None, value: Shape | None) -> Iterator[Unpacked]:
    if key is not None and key.type == "property_identifier" and value is not None:
        yield Unpacked(key, value.parts[0], key=True)


def _part_value(
    kind: str, child: Node, value: Shape | None, source: SourceText, place: int
) -> Shape | None:
    if value is None or child.type in _RESTS:
        return value
    if kind == "expression_list" and value.op is not ShapeOp.CALL:
        return value if place == 0 else None  # `value, ok := ...`
    if kind in _LISTS:
        return Shape(ShapeOp.ELEMENT, str(place), (value,))
    key = child.child_by_field_name("key") or child.child_by_field_name("left") or child
    return Shape(ShapeOp.MEMBER, source.word(key), (value,))
