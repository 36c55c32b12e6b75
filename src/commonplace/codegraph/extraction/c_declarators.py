"""Declarators of C and C++: the name inside of pointers, arrays and parameter lists."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from commonplace.codegraph.extraction.source import inner_nodes

if TYPE_CHECKING:
    from tree_sitter import Node

_QUALIFIED = "qualified_identifier"
_PATHS = frozenset({_QUALIFIED, "nested_namespace_specifier"})
_MOST_LAYERS = 12
_ARRAYS = frozenset({"array_declarator", "abstract_array_declarator"})
_POINTERS = frozenset({"pointer_declarator", "abstract_pointer_declarator"})
_FUNCTIONS = frozenset({"function_declarator", "abstract_function_declarator"})
_LAYERS = frozenset(
    {
        "pointer_declarator", "reference_declarator", "parenthesized_declarator",
        "init_declarator", "attributed_declarator", "variadic_declarator",
        "abstract_pointer_declarator", "abstract_reference_declarator",
        "abstract_parenthesized_declarator", "pointer_type_declarator",
    }
) | _ARRAYS | _FUNCTIONS  # fmt: skip
_CASTING = "operator_cast"


class Declarator(NamedTuple):
    """A declared name with its qualifiers; `function` is the parameter list's node if it is a
    function itself, and not a pointer to one."""

    name: Node
    scopes: tuple[Node, ...]
    function: Node | None


def layers(declarator: Node | None) -> Iterator[Node]:
    """The nested declarators, outermost first; the name is last."""
    node = declarator
    for _ in range(_MOST_LAYERS):
        if node is None:
            return
        yield node
        if node.type not in _LAYERS:
            return
        inner = node.child_by_field_name("declarator")
        if inner is None:
            children = [
                each
                for each in inner_nodes(node)
                if each.type not in {"parameter_list", "type_qualifier", "ms_call_modifier"}
            ]
            inner = children[0] if children and node.type not in _FUNCTIONS | _ARRAYS else None
        node = inner


def declared_in(declarator: Node) -> Declarator | None:
    """The name that a declarator declares."""
    found = list(layers(declarator))
    *around_name, name = qualified(found[-1])
    scopes = [s for each in around_name if (s := each.child_by_field_name("scope")) is not None]
    if name.type in _LAYERS:
        return None
    name = plain_name(name)
    function = name if name.type == _CASTING else None
    around = [each for each in found[:-1] if each.type != "parenthesized_declarator"]
    if around and around[-1].type in _FUNCTIONS:
        function = around[-1]
    return Declarator(name, tuple(scopes), function)


def qualified(node: Node) -> list[Node]:
    """A qualified name with those inside of it; the last is the name without qualifiers."""
    found = [node]
    while found[-1].type == _QUALIFIED:
        inner = found[-1].child_by_field_name("name")
        if inner is None:
            break
        found.append(inner)
    return found


def plain_name(name: Node) -> Node:
    """A name without its template arguments."""
    if name.type == "dependent_name":
        name = (inner_nodes(name) or [name])[0]
    if name.type == _QUALIFIED:
        name = qualified(name)[-1]
    return (name.child_by_field_name("name") or name) if "template" in name.type else name


def names_in(path: Node) -> list[Node]:
    """The names of a path, outermost first."""
    found: list[Node] = []
    waiting = [path]
    while waiting:
        node = waiting.pop()
        if node.type in _PATHS:
            waiting += reversed(inner_nodes(node))
        else:
            found.append(plain_name(node))
    return found


def wrapped(declarator: Node | None) -> Iterator[str]:
    """What a declarator makes of its type, outermost first: an array, or a pointer to a function.

    The parameters of a function itself do not count: its result is what is asked for.
    """
    found = list(layers(declarator))
    around = [each for each in found if each.type != "parenthesized_declarator"]
    inner = [each for each in around if each.type in _LAYERS]
    for each in around:
        if each.type in _ARRAYS:
            yield "array"
        elif each.type in _POINTERS:
            yield "pointer"
        elif each.type in _FUNCTIONS and each != inner[-1]:
            yield "function"
