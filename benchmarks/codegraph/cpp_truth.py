"""What clang says of every name in a C or C++ project, in the lines that typescript.mjs writes.

Usage: python -m benchmarks.codegraph.cpp_truth <project> <source ...> -- <clang option ...>
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

_LOCAL = frozenset({"PARM_DECL", "TEMPLATE_TYPE_PARAMETER", "TEMPLATE_NON_TYPE_PARAMETER"})
_FUNCTIONS = frozenset({"FUNCTION_DECL", "CXX_METHOD", "CONSTRUCTOR", "DESTRUCTOR"})

Place = tuple[str, int, int]


def truth(project: Path, sources: Sequence[str], options: Sequence[str]) -> Iterator[str]:
    clang: Any = import_module("clang.cindex")  # of libclang, which only this benchmark needs
    index = clang.Index.create()
    told: dict[Place, tuple[bool, list[Place]]] = {}
    for source in sources:
        unit = index.parse(str(project / source), args=list(options))
        for each in unit.diagnostics:
            if each.severity >= clang.Diagnostic.Error:
                print(each, file=sys.stderr)
        for cursor in unit.cursor.walk_preorder():
            told |= _told(cursor, project)
    for path in sorted({place[0] for place in told}):
        yield json.dumps([path])
    for place, (counts, targets) in sorted(told.items()):
        yield json.dumps([*place, counts, targets])


def _told(cursor: Any, project: Path) -> dict[Place, tuple[bool, list[Place]]]:
    if not (cursor.kind.is_reference() or cursor.kind.is_expression()):
        return {}
    meant = cursor.referenced
    if meant is None or not meant.spelling or meant.kind.name == "NAMESPACE":
        return {}
    place = _name_of(cursor, meant.spelling, project)
    if place is None:
        return {}
    declared = [meant.get_definition() or meant, meant.canonical, meant]
    targets = [_place(each.location, project) for each in declared]
    known = list(dict.fromkeys(each for each in targets if each is not None))
    return {place: (bool(known) and not _is_local(meant), known)}


def _name_of(cursor: Any, name: str, project: Path) -> Place | None:
    """Where the name itself stands; None where it is not written in the expression."""
    for token in cursor.get_tokens():
        if token.spelling == name and token.kind.name == "IDENTIFIER":
            found = token.location
            if cursor.location.offset <= found.offset:
                return _place(found, project)
    return None


def _place(location: Any, project: Path) -> Place | None:
    if location.file is None:
        return None
    path = Path(location.file.name).resolve()
    if not path.is_relative_to(project):
        return None
    return str(path.relative_to(project)), location.line - 1, location.column - 1


def _is_local(definition: Any) -> bool:
    parent = definition.semantic_parent
    inside = parent is not None and parent.kind.name in _FUNCTIONS
    return definition.kind.name in _LOCAL or (definition.kind.name == "VAR_DECL" and inside)


if __name__ == "__main__":
    parts = sys.argv[2:]
    end = parts.index("--") if "--" in parts else len(parts)
    for line in truth(Path(sys.argv[1]).resolve(), parts[:end], parts[end + 1 :]):
        print(line)
