"""The references of a file: the uses of names, with their receivers and arguments."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from commonplace.codegraph.extraction.elements import elements_of, is_element
from commonplace.codegraph.extraction.facts import Reference, Shape, ShapeOp, Use
from commonplace.codegraph.extraction.imports import import_shape, name_node, outer_types
from commonplace.codegraph.extraction.macro_tokens import Written, macro_uses
from commonplace.codegraph.extraction.matches import (
    PLAIN_USES,
    CaptureRole,
    Captures,
    Match,
    Matches,
)
from commonplace.codegraph.extraction.patterns import Unpacked
from commonplace.codegraph.extraction.rust_paths import token_use
from commonplace.codegraph.extraction.scoping import Scopes
from commonplace.codegraph.extraction.shapes import UNKNOWN, Shaper
from commonplace.codegraph.extraction.source import SourceText, inner_nodes

if TYPE_CHECKING:
    from tree_sitter import Node

    # A used name, the kind of use, and the receiver.
    _Used = tuple[Node | Written, Use, Node | Shape | None]

_LONGEST_CALL = 10_000
_USES = {use.value: use for use in Use}
# Imports that do not name a symbol of another file.
_UNNAMED_IMPORTS = frozenset(
    {"folder", "location", "glob", "submodule", "namespace", "using", "aliased"}
)
# Uses whose receiver is the name itself, read as what it is for.
_SAID_BY_PLACE = {"include": (Use.IMPORT, ShapeOp.MODULE), "tag": (Use.TYPE, ShapeOp.TAG)}
_CALL = "call_expression"
_TYPE_ARGUMENTS = "type_argument_list"
_SHORTHAND = "shorthand_property_identifier"


def references_of(
    matches: Matches, keys: Iterable[Unpacked], scopes: Scopes, shaper: Shaper, source: SourceText,
    names: set[int], typed: bool,
) -> tuple[Reference, ...]:  # fmt: skip
    """The references of a file in order of position.

    `names` are the positions of the names of definitions. If `typed` is set, the types of arguments
    matter, because they tell overloads apart.
    """
    found = _uses(matches, scopes, shaper, source, names)
    for start, end in matches.masked:
        found.setdefault(start, (Written(start, end), Use.READ, None))
    for each in keys:
        found.setdefault(each.name.start_byte, (each.name, Use.READ, each.value))
    starts = sorted(found)
    nodes, uses, receivers = (
        zip(*map(found.__getitem__, starts), strict=True) if found else ((),) * 3
    )
    ends = [node.end_byte for node in nodes]
    return tuple(
        map(
            Reference,
            source.words(starts, ends),
            uses,
            map(source.position, starts),
            map(scopes.around, zip(starts, ends, strict=True)),
            [_receiver_shape(each, shaper) for each in receivers],
            [
                _arguments(node, shaper, typed)
                if use is Use.CALL and not isinstance(node, Written)
                else None
                for node, use in zip(nodes, uses, strict=True)
            ],
        )
    )


def _receiver_shape(receiver: Node | Shape | None, shaper: Shaper) -> Shape | None:
    if receiver is None or isinstance(receiver, Shape):
        return receiver
    return shaper.receiver(receiver)


def _uses(
    matches: Matches, scopes: Scopes, shaper: Shaper, source: SourceText, names: set[int]
) -> dict[int, _Used]:
    """The uses by position; of several at one position, the most specific wins."""
    found: dict[int, _Used] = {}
    context = _Context(scopes, shaper, source, elements_of(source))
    for match in matches.uses:
        for used in _used(match, context):
            start = used[0].start_byte
            if start in names and _type_of(used) != _SHORTHAND and match[0].what != "key":
                continue
            known = found.get(start)
            if known is None or _says_more(used, known):
                found[start] = used
    for role, captures in matches.mentions:
        node = captures[role.name][0]
        start = node.start_byte
        if start not in found and (start not in names or node.type == _SHORTHAND):
            found[start] = (node, _USES[role.what], None)
    return found


def _type_of(used: _Used) -> str:
    return "" if isinstance(used[0], Written) else used[0].type


def _says_more(used: _Used, known: _Used) -> bool:
    if _is_member(used) and not _is_member(known):
        return True
    return used[1] not in PLAIN_USES and known[1] in PLAIN_USES


def _is_member(used: _Used) -> bool:
    receiver = used[2]
    return receiver is not None and not (
        isinstance(receiver, Shape) and receiver.op is ShapeOp.ARITY
    )


class _Context(NamedTuple):
    """The context of the uses in a file; `elements` is the interface that declares its tags."""

    scopes: Scopes
    shaper: Shaper
    source: SourceText
    elements: Shape


def _used(match: Match, context: _Context) -> list[_Used]:
    role, captures = match
    if role.group == "refer":
        return _referred(role, captures, context)
    if role.group == "import":
        return _module_uses(Use.IMPORT, role.what, captures, context.source)
    if "module" in captures:
        return _module_uses(Use.EXPORT, role.what, captures, context.source)
    if role.what != "local":
        return []
    value = captures["value"][0]
    used: list[_Used] = [(value, Use.EXPORT, None)]
    if "name" in captures:
        used.append((captures["name"][0], Use.EXPORT, context.shaper.shape(value)))
    return used


def _referred(role: CaptureRole, captures: Captures, context: _Context) -> list[_Used]:
    node = captures[role.name][0]
    if role.what == "tokens":
        return list(macro_uses(node, context.source))
    if role.what == "token":
        use = token_use(node, context.source)
        return [(node, *use)] if use else []
    if role.what == "key":
        return [(node, Use.WRITE, context.scopes.expected(node))]
    if role.what == "jsx" and "receiver" not in captures and is_element(context.source.word(node)):
        return [(node, Use.JSX, context.elements)]
    if role.what == "attribute":
        return [(node, Use.WRITE, _props(captures["receiver"][0], context))]
    return [_named(role, captures, context.shaper, context.source)]


def _props(tag: Node, context: _Context) -> Shape:
    """The props of a tag: from the declaration of the element, or from its component."""
    name = context.source.word(tag)
    if tag.type == "identifier" and is_element(name):
        return Shape(ShapeOp.MEMBER, name, (context.elements,))
    return Shape(ShapeOp.PARAMETER, "0", (context.shaper.shape(tag) or UNKNOWN,))


def _named(role: CaptureRole, captures: Captures, shaper: Shaper, source: SourceText) -> _Used:
    node = captures[role.name][0]
    if role.what == "case":
        return (
            node,
            Use.READ,
            Shape(ShapeOp.CASE, "", (shaper.shape(captures["receiver"][0]) or UNKNOWN,)),
        )
    if role.what in _SAID_BY_PLACE:
        use, op = _SAID_BY_PLACE[role.what]
        return node, use, Shape(op, source.word(node))
    if "receiver" in captures:
        return node, _USES[role.what], captures["receiver"][0]
    if "arity" in captures:
        return node, _USES[role.what], _arity(captures["arity"][0])
    if role.what == "import":
        return node, Use.IMPORT, Shape(ShapeOp.MODULE, _path_up_to(node, source))
    return node, _USES[role.what], None


def _arity(listed: Node) -> Shape:
    """The arity of a type, which tells it from others of its name and from functions."""
    stated = len(inner_nodes(listed)) if listed.type == _TYPE_ARGUMENTS else 0
    return Shape(ShapeOp.ARITY, str(stated))


def _path_up_to(name: Node, source: SourceText) -> str:
    """The dotted module path up to a name."""
    holder = name
    while holder.parent is not None and holder.parent.type in {"dotted_name", "relative_import"}:
        holder = holder.parent
    return source.data[holder.start_byte : name.end_byte].decode(errors="replace")


def _module_uses(use: Use, what: str, captures: Captures, source: SourceText) -> list[_Used]:
    if what in _UNNAMED_IMPORTS:
        return []
    taken = import_shape(what, captures, source)
    used: list[_Used] = [
        (name_node(captures[role][0]), use, taken)
        for role in ("imported", "name")
        if role in captures
    ]
    if what == "path":
        used += [(name, use, path) for name, path in outer_types(captures["imported"][0], source)]
    return used


def _kotlin_arguments(callee: Node, shaper: Shaper) -> tuple[Shape, ...] | None:
    """The arguments of a Kotlin call, or the right operand of an infix call."""
    node, parent = callee, callee.parent
    if parent is not None and parent.type == "infix_expression":
        sides = inner_nodes(parent)
        return (shaper.shape(sides[-1]) or UNKNOWN,)
    if parent is not None and parent.type == "navigation_expression":
        node, parent = parent, parent.parent
    call = None
    while parent is not None and parent.type == _CALL and inner_nodes(parent)[0] == node:
        call, node, parent = parent, parent, parent.parent
        if inner_nodes(call)[-1].type != "value_arguments":
            break
    shape = shaper.shape(call)
    return shape.parts[1:] if shape is not None and shape.op is ShapeOp.CALL else None


def _arguments(callee: Node, shaper: Shaper, typed: bool) -> tuple[Shape, ...] | None:
    """The arguments of the call around a name; `typed` as for `references_of`."""
    if shaper.has_receivers:
        return _kotlin_arguments(callee, shaper)
    call = callee.parent
    listed = None
    while call is not None and listed is None and call.end_byte - call.start_byte < _LONGEST_CALL:
        listed = call.child_by_field_name("arguments")
        if listed is not None and listed.type == "template_argument_list":
            listed = None
        call = call.parent
    if listed is None:
        return None
    if not typed:
        return (UNKNOWN,) * len(inner_nodes(listed))
    return tuple(shaper.shape(each) or UNKNOWN for each in inner_nodes(listed))
