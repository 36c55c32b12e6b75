"""What clang says of every name in a C or C++ project, in the lines that typescript.mjs writes.

Usage: python -m benchmarks.codegraph.cpp_truth <project> <source ...> -- <clang option ...>

A source may be a pattern, such as `src/*.cpp`.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

_LOCAL = frozenset(
    {
        "PARM_DECL", "TEMPLATE_TYPE_PARAMETER", "TEMPLATE_NON_TYPE_PARAMETER",
        "TEMPLATE_TEMPLATE_PARAMETER", "LABEL_DECL", "LABEL_STMT",
    }
)  # fmt: skip
_FUNCTIONS = frozenset(
    {
        "FUNCTION_DECL", "FUNCTION_TEMPLATE", "CXX_METHOD", "CONSTRUCTOR", "DESTRUCTOR",
        "CONVERSION_FUNCTION", "LAMBDA_EXPR",
    }
)  # fmt: skip
_MACROS = 1  # the option of clang that keeps uses of macros
_USED = "MACRO_INSTANTIATION"

Place = tuple[str, int, int]


class _Told(NamedTuple):
    """What a place means: whether it counts, and the ids and places of its definitions."""

    counts: bool
    ids: frozenset[str]
    places: frozenset[Place]


class _Truth:
    """Answers of clang over several sources. The declarations of one symbol, by its id over all of
    them, are one definition."""

    def __init__(self, project: Path) -> None:
        self._project = project
        self._paths: dict[str, str | None] = {}
        self._told: dict[Place, _Told] = {}
        self._declared: dict[str, set[Place]] = defaultdict(set)

    def read(self, unit: Any) -> None:
        own = (each for each in unit.cursor.get_children() if self._place(each.location))
        for cursor in (inner for each in own for inner in each.walk_preorder()):
            kind = cursor.kind
            if kind.is_declaration():
                place = self._place(cursor.location)
                if place is not None and cursor.spelling:
                    self._declared[cursor.get_usr()].add(place)
            elif kind.is_reference() or kind.is_expression() or kind.name == _USED:
                self._note(cursor)

    def _note(self, cursor: Any) -> None:
        meant = cursor.referenced
        if meant is None or not meant.spelling or meant.kind.name == "NAMESPACE":
            return
        place = self._name_of(cursor, meant.spelling)
        if place is None:
            return
        meanings = [meant]
        if meant.kind.name in {"CONSTRUCTOR", "DESTRUCTOR"}:
            meanings.append(meant.semantic_parent)
        known = {
            found
            for meaning in meanings
            for each in (meaning.get_definition(), meaning.canonical, meaning)
            if each is not None and (found := self._place(each.location)) is not None
        }
        ids = frozenset(meaning.get_usr() for meaning in meanings) - {""}
        told = _Told(bool(known) and not _is_local(meant), ids, frozenset(known))
        before = self._told.get(place)
        if before is not None:
            told = _Told(told.counts or before.counts, told.ids | before.ids,
                         told.places | before.places)  # fmt: skip
        self._told[place] = told

    def lines(self) -> Iterator[str]:
        for path in sorted({place[0] for place in self._told}):
            yield json.dumps([path])
        for place, (counts, ids, places) in sorted(self._told.items()):
            targets = set(places).union(*(self._declared.get(each, ()) for each in ids))
            yield json.dumps([*place, counts, sorted(targets)])

    def _name_of(self, cursor: Any, name: str) -> Place | None:
        """Where the name itself stands; None where it is not written in the expression."""
        name = name.lstrip("~").partition("<")[0]
        if cursor.kind.name == _USED:
            return self._place(cursor.location)
        for token in cursor.get_tokens():
            if token.spelling == name and token.kind.name == "IDENTIFIER":
                found = token.location
                if cursor.location.offset <= found.offset:
                    return self._place(found)
        return None

    def _place(self, location: Any) -> Place | None:
        if location.file is None:
            return None
        path = self._relative(location.file.name)
        return None if path is None else (path, location.line - 1, location.column - 1)

    def _relative(self, name: str) -> str | None:
        """The path of a file inside of the project."""
        if name not in self._paths:
            path = Path(name).resolve()
            inside = path.is_relative_to(self._project)
            self._paths[name] = str(path.relative_to(self._project)) if inside else None
        return self._paths[name]


def truth(project: Path, sources: Sequence[str], options: Sequence[str]) -> Iterator[str]:
    clang: Any = import_module("clang.cindex")  # of libclang, which only this benchmark needs
    index, told = clang.Index.create(), _Truth(project)
    for source in sorted(path for each in sources for path in project.glob(each)):
        unit = index.parse(str(source), args=list(options), options=_MACROS)
        for each in unit.diagnostics:
            if each.severity >= clang.Diagnostic.Error:
                print(each, file=sys.stderr)
        told.read(unit)
    return told.lines()


def _is_local(definition: Any) -> bool:
    parent = definition.semantic_parent
    inside = parent is not None and parent.kind.name in _FUNCTIONS
    return definition.kind.name in _LOCAL or (definition.kind.name == "VAR_DECL" and inside)


if __name__ == "__main__":
    parts = sys.argv[2:]
    end = parts.index("--") if "--" in parts else len(parts)
    for line in truth(Path(sys.argv[1]).resolve(), parts[:end], parts[end + 1 :]):
        print(line)
