"""What an import or a re-export takes from another module."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.codegraph.extraction.facts import Shape, ShapeOp
from commonplace.codegraph.extraction.matches import Captures
from commonplace.codegraph.extraction.source import SourceText

if TYPE_CHECKING:
    from tree_sitter import Node


def passed(what: str, captures: Captures, source: SourceText) -> Shape:
    if what in {"path", "folder"}:
        return _by_path(source.word(captures["imported"][0]))
    module = Shape(
        ShapeOp.MODULE, source.word(captures["name" if what == "package" else "module"][0])
    )
    if what in {"all", "star", "package"}:
        return module
    taken = source.word(captures["imported"][0]) if "imported" in captures else "default"
    return Shape(ShapeOp.MEMBER, taken, (module,))


def last_name(path: Node) -> Node:
    return path.child_by_field_name("name") or path


def _by_path(path: str) -> Shape:
    """`a.b.Outer.Inner`: by custom the first name with a capital is no package."""
    names = path.split(".")
    first = next((n for n, name in enumerate(names) if name[:1].isupper()), len(names))
    shape = Shape(ShapeOp.MODULE, ".".join(names[:first]))
    for name in names[first:]:
        shape = Shape(ShapeOp.MEMBER, name, (shape,))
    return shape
