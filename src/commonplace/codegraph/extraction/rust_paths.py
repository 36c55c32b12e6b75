"""Rust paths: in `use` declarations, in expressions, and among the tokens of macros."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from commonplace.codegraph.extraction.facts import Shape, ShapeOp, Use
from commonplace.codegraph.extraction.source import SourceText

if TYPE_CHECKING:
    from tree_sitter import Node

_UNKNOWN = Shape(ShapeOp.EITHER)
_LONGEST_CHAIN = 12


def used_path(node: Node, source: SourceText) -> Shape:
    """The path of a leaf of a `use` declaration, with the prefixes of the enclosing braces."""
    return path_shape(used_names(node, source), inline_depth(node))


def used_names(node: Node, source: SourceText) -> list[str]:
    names = source.text(node).replace(" ", "").split("::")
    holder = node.parent
    while holder is not None and holder.type != "use_declaration":
        if holder.type == "scoped_use_list":
            path = holder.child_by_field_name("path")
            before = source.text(path).replace(" ", "").split("::") if path is not None else []
            names = before + names
        holder = holder.parent
    return names[:-1] if len(names) > 1 and names[-1] == "self" else names


def inline_depth(node: Node) -> int:
    """The number of inline modules around a node."""
    depth, holder = 0, node.parent
    while holder is not None:
        depth += holder.type == "mod_item"
        holder = holder.parent
    return depth


def path_shape(names: Sequence[str], depth: int) -> Shape:
    """The shape of a path, from the crate, the file's module, an enclosing module, or a name that
    is declared in the file or is another crate."""
    supers = next((n for n, name in enumerate(names) if name != "super"), len(names))
    rest = list(names)
    if supers:
        outer = supers - depth
        start = Shape(ShapeOp.MODULE, "::".join(["super"] * outer) if outer > 0 else "self")
        rest = rest[supers:]
    elif names[0] in {"crate", "self", "$crate"}:
        start = Shape(ShapeOp.MODULE, names[0].lstrip("$"))
        rest = rest[1:]
    else:
        module = Shape(ShapeOp.MODULE, names[0])
        start = (
            Shape(ShapeOp.EITHER, "", (Shape(ShapeOp.NAME, names[0]), module))
            if rest[1:]
            else module
        )
        rest = rest[1:]
    for name in rest:
        start = Shape(ShapeOp.MEMBER, name, (start,))
    return start


def token_use(node: Node, source: SourceText) -> tuple[Use, Shape | None] | None:
    """How a name among the tokens of a macro is used; None if the tokens are not code."""
    holder = node.parent
    while holder is not None and holder.type == "token_tree":
        holder = holder.parent
    if holder is None or holder.type != "macro_invocation":
        return None
    return (Use.CALL if _is_called(node) else Use.READ), _receiver(node, source, 0)


def _is_called(node: Node) -> bool:
    after = node.next_sibling
    return after is not None and after.type == "token_tree" and _opens(after) == "("


def _opens(tree: Node) -> str:
    return tree.children[0].type if tree.child_count else ""


def _receiver(node: Node, source: SourceText, depth: int) -> Shape | None:
    """The receiver of a name in a macro, from the tokens before it."""
    mark = node.prev_sibling
    if mark is None or mark.type not in {".", "::"}:
        return None
    before = mark.prev_sibling
    if before is None or depth > _LONGEST_CHAIN:
        return _UNKNOWN
    called = before.type == "token_tree" and _opens(before) == "("
    named = before.prev_sibling if called else before
    if named is None or named.type not in {"identifier", "self", "crate", "super"}:
        return _UNKNOWN
    shape = _token(named, source, depth + 1)
    return Shape(ShapeOp.CALL, "", (shape,)) if called else shape


def _token(node: Node, source: SourceText, depth: int) -> Shape:
    word = source.word(node)
    if node.type in {"crate", "super"}:
        return path_shape([word], inline_depth(node))
    if word in {"self", "Self"}:
        return Shape(ShapeOp.THIS)
    receiver = _receiver(node, source, depth)
    if receiver is None:
        return Shape(ShapeOp.NAME, word)
    return Shape(ShapeOp.MEMBER, word, (receiver,))
