"""Finds files by how people name them, and what stands at a line of one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from posixpath import splitext

from commonplace.codegraph.answering.question import line_of, name_parts
from commonplace.codegraph.extraction.facts import Kind
from commonplace.codegraph.extraction.languages import FOLDER_FILES, language_of
from commonplace.model.graph import Symbol
from commonplace.model.workspace import FileState
from commonplace.storage.port import Transaction

_MAX_NAMED = 5_000
_MODULE = Kind.MODULE.value
# What encloses a line, other than its own definition.
_ENCLOSING = frozenset(
    {Kind.FUNCTION.value, Kind.METHOD.value, Kind.CONSTRUCTOR.value, Kind.TEST.value,
     Kind.CLASS.value, Kind.INTERFACE.value, Kind.ENUM.value, Kind.NAMESPACE.value, _MODULE}
)  # fmt: skip
_FUNCTIONS = frozenset(
    {Kind.FUNCTION.value, Kind.METHOD.value, Kind.CONSTRUCTOR.value, Kind.TEST.value}
)
_ARROW = re.compile(r"=\s*(?:async\s*)?(?:\(|function\b|\w+\s*=>)")  # `const f = (a) => ...`


def find_files(tx: Transaction, text: str, resources: Sequence[int]) -> list[FileState]:
    """Find files by path, by the end of a path or by module name; folders match nothing."""
    wanted = text.strip().strip("/")
    parts = name_parts(splitext(wanted)[0] if language_of(wanted) else wanted)
    if not parts:
        return []
    named = tx.graph.named([parts[-1], *parts[-2:-1]], resources, _MAX_NAMED)
    modules = sorted({each.document_key for each in named if each.kind == _MODULE})
    states = tx.files.get(modules).values()
    # A pasted path may begin above the folder that was attached.
    return [each for each in states if _matches_path(each.path, wanted, parts)] or [
        each for each in states if wanted.endswith(f"/{each.path}")
    ]


def _matches_path(path: str, wanted: str, parts: Sequence[str]) -> bool:
    if language_of(wanted):
        return path == wanted or path.endswith(f"/{wanted}")
    folders = splitext(path)[0].split("/")
    if folders[-1] in FOLDER_FILES and len(folders) > 1:
        folders = folders[:-1]
    return tuple(folders[-len(parts) :]) == tuple(parts)


def symbols_at(tx: Transaction, text: str, resources: Sequence[int]) -> list[Symbol]:
    """The symbol at a line of a file, as in `src/cart.py:20`: what is defined there, else the
    innermost around it. Empty if the text names no line of a known file."""
    place = line_of(text)
    if place is None:
        return []
    file, line = place
    files = find_files(tx, file, resources)
    inside = [
        each
        for each in without_inner_literals(tx.graph.symbols_of([file.key for file in files]))
        if each.line == line
        or (each.kind in _ENCLOSING and each.first_line <= line <= each.last_line)
    ]
    innermost: dict[int, Symbol] = {}
    for each in sorted(inside, key=lambda one: (one.line == line, one.kind != _MODULE, one.line)):
        innermost[each.document_key] = each
    return list(innermost.values())


def without_inner_literals(symbols: Sequence[Symbol]) -> list[Symbol]:
    """Leave out the keys of objects that functions make: they are not what a file offers."""
    functions = {
        (each.document_key, each.path)
        for each in symbols
        if each.kind in _FUNCTIONS or _ARROW.search(each.signature)
    }
    return [
        each
        for each in symbols
        if each.kind != Kind.FIELD.value
        or (each.document_key, each.path.rpartition(".")[0]) not in functions
    ]


def is_folder(tx: Transaction, text: str, resources: Sequence[int]) -> bool:
    """Whether files are below a path."""
    below = text.strip("/") + "/"
    return any(
        state.path.startswith(below)
        for resource in resources
        for state in tx.files.after(resource, below, 1)
    )
