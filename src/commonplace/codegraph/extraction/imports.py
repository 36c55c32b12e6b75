"""The shapes of what imports and re-exports take from other modules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from commonplace.codegraph.extraction.facts import Shape, ShapeOp
from commonplace.codegraph.extraction.matches import Captures
from commonplace.codegraph.extraction.rust_paths import used_path
from commonplace.codegraph.extraction.source import SourceText

if TYPE_CHECKING:
    from tree_sitter import Node


# Imports of whole modules by name, with the prefix of their specifier.
_WHOLE = {"location": "", "namespace": "", "submodule": "self::"}

# Imports by full name, in which the part before a dot may be a namespace or a type.
_NAMED = frozenset({"static", "alias"})


def import_shape(what: str, captures: Captures, source: SourceText) -> Shape:
    if what in {"use", "glob"}:
        return used_path(captures["imported" if what == "use" else "module"][0], source)
    if what in _WHOLE:
        return Shape(ShapeOp.MODULE, _WHOLE[what] + source.word(captures["imported"][0]))
    if what in _NAMED:
        return _chain(source.word(captures["imported"][0]))
    if what in {"path", "folder"}:
        return _by_path(source.word(captures["imported"][0]), whole=what == "folder")
    module = Shape(
        ShapeOp.MODULE, source.word(captures["name" if what == "package" else "module"][0])
    )
    if what in {"all", "star", "package"}:
        return module
    taken = source.word(captures["imported"][0]) if "imported" in captures else "default"
    return Shape(ShapeOp.MEMBER, taken, (module,))


def _chain(path: str) -> Shape:
    first, *others = path.replace("global::", "").split(".")
    shape = Shape(ShapeOp.NAME, first)
    for name in others:
        shape = Shape(ShapeOp.MEMBER, name, (shape,))
    return shape


def name_of_location(path: str) -> str:
    """The conventional name of a Go package: the last part of its path that is not a version."""
    parts = [part for part in path.split("/") if part]
    if len(parts) > 1 and parts[-1][:1] == "v" and parts[-1][1:].isdigit():
        parts.pop()
    return parts[-1] if parts else path


def name_node(path: Node) -> Node:
    if path.type == "qualified_identifier" and path.named_children:
        return path.named_children[-1]
    return path.child_by_field_name("name") or path


def type_name_node(written: Node) -> Node:
    """The node of a type's own name, without qualifiers and nullability."""
    while written.type == "nullable_type" and written.named_children:
        written = written.named_children[0]
    names = [child for child in written.named_children if child.type == "identifier"]
    return names[-1] if written.type == "user_type" and names else written


def outer_types(path: Node, source: SourceText) -> Iterator[tuple[Node, Shape]]:
    """The enclosing types of an imported type or static member, each with its path."""
    if path.type == "qualified_identifier":
        for each in path.named_children[:-1]:
            if source.word(each)[:1].isupper():
                before = source.data[path.start_byte : each.end_byte].decode(errors="replace")
                yield each, _by_path(before)
        return
    holder = path.child_by_field_name("scope")
    while holder is not None and source.word(name_node(holder))[:1].isupper():
        yield name_node(holder), _by_path(source.word(holder))
        holder = holder.child_by_field_name("scope")


def _by_path(path: str, *, whole: bool = False) -> Shape:
    """The shape of a path such as `a.b.Outer.Inner`: by convention, capitals end the package.

    Without capitals the last name is a member of the package, unless the path is a `whole` package.
    """
    names = path.split(".")
    last = len(names) if whole else len(names) - 1
    first = next((n for n, name in enumerate(names) if name[:1].isupper()), last)
    shape = Shape(ShapeOp.MODULE, ".".join(names[:first]))
    for name in names[first:]:
        shape = Shape(ShapeOp.MEMBER, name, (shape,))
    return shape
