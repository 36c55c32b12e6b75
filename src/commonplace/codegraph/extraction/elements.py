"""Lower-case JSX tags: members of the interface in which a library declares its elements."""

from __future__ import annotations

import re

from commonplace.codegraph.extraction.facts import Shape, ShapeOp
from commonplace.codegraph.extraction.source import SourceText

# The specifier that stands for the JSX library of a file's configuration.
CONFIGURED = "jsx:"
RUNTIME = "jsx-runtime"
_PRAGMA = re.compile(rb"@jsxImportSource[ \t]++([^\s*]++)")
_HEAD = 2_000  # bytes of a file that are searched for the pragma


def elements_of(source: SourceText) -> Shape:
    """The interface whose members are the tags of a file."""
    pragma = _PRAGMA.search(source.data, 0, _HEAD)
    module = f"{pragma[1].decode(errors='replace')}/{RUNTIME}" if pragma else CONFIGURED
    imported = Shape(ShapeOp.MEMBER, "JSX", (Shape(ShapeOp.MODULE, module),))
    holders = (imported, Shape(ShapeOp.NAME, "JSX"))
    return Shape(ShapeOp.EITHER, "", tuple(map(_interface, holders)))


def _interface(namespace: Shape) -> Shape:
    named = Shape(ShapeOp.MEMBER, "IntrinsicElements", (namespace,))
    return Shape(ShapeOp.INSTANCE, "", (named,))


def is_element(tag: str) -> bool:
    return tag[:1].islower()
