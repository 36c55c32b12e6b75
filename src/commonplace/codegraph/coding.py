"""Facts to bytes and back: compact, versioned, and harmless to read whoever wrote them.

Texts and shapes are written once and named by number. The path is not part of it: files move.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable
from typing import Any

from commonplace.codegraph.facts import (
    Definition,
    Export,
    FileFacts,
    Kind,
    Op,
    Position,
    Reference,
    Scope,
    Shape,
    Use,
)

# Counts up whenever extraction finds more or writes it otherwise: older facts are made anew.
VERSION = 2
_NONE = -1
_QUICK = 1
_KINDS, _OPS, _USES = tuple(Kind), tuple(Op), tuple(Use)
_KIND_NUMBERS = {kind: number for number, kind in enumerate(_KINDS)}
_OP_NUMBERS = {op: number for number, op in enumerate(_OPS)}
_USE_NUMBERS = {use: number for number, use in enumerate(_USES)}


def encoded(facts: FileFacts) -> bytes:
    pool = _Pool()
    body = {
        "language": facts.language,
        "package": facts.package,
        "problem": facts.problem,
        "scopes": [_scope(pool, each) for each in facts.scopes],
        "definitions": [_definition(pool, each) for each in facts.definitions],
        "exports": [[pool.text(each.name), pool.shape(each.value)] for each in facts.exports],
        "references": [_reference(pool, each) for each in facts.references],
        "texts": list(pool.texts),
        "shapes": list(pool.shapes.values()),
    }
    return zlib.compress(json.dumps(body, separators=(",", ":")).encode(), _QUICK)


def decoded(path: str, data: bytes) -> FileFacts:
    body: dict[str, Any] = json.loads(zlib.decompress(data))
    texts: list[str] = body["texts"]
    shapes: list[Shape | None] = []
    for op, text, *parts in body["shapes"]:
        shapes.append(Shape(_OPS[op], texts[text], tuple(shapes[part] for part in parts)))
    shapes.append(None)  # what _NONE names
    return FileFacts(
        path,
        body["language"],
        body["package"],
        tuple(_read_scope(each, texts, shapes) for each in body["scopes"]),
        tuple(_read_definition(each, texts, shapes) for each in body["definitions"]),
        tuple(Export(texts[name], _some(shapes[value])) for name, value in body["exports"]),
        tuple(_read_reference(each, texts, shapes) for each in body["references"]),
        body["problem"],
    )


def specifiers_of(facts: FileFacts) -> tuple[str, ...]:
    """Every module that a file names, wherever it does."""
    pool = _Pool()
    for definition in facts.definitions:
        pool.shape(definition.value)
    for export in facts.exports:
        pool.shape(export.value)
    for reference in facts.references:
        pool.shape(reference.receiver)
    return tuple(dict.fromkeys(shape.text for shape in pool.shapes if shape.op is Op.MODULE))


class _Pool:
    """Numbers for texts and shapes, in the order they are first met; parts before wholes."""

    def __init__(self) -> None:
        self.texts: dict[str, int] = {}
        self.shapes: dict[Shape, list[int]] = {}
        self._numbers: dict[Shape, int] = {}

    def text(self, text: str) -> int:
        return self.texts.setdefault(text, len(self.texts))

    def shape(self, shape: Shape | None) -> int:
        if shape is None:
            return _NONE
        known = self._numbers.get(shape)
        if known is None:
            parts = [self.shape(part) for part in shape.parts]
            self.shapes[shape] = [_OP_NUMBERS[shape.op], self.text(shape.text), *parts]
            known = self._numbers[shape] = len(self._numbers)
        return known

    def all(self, shapes: Iterable[Shape]) -> list[int]:
        return [self.shape(shape) for shape in shapes]


def _some(shape: Shape | None) -> Shape:
    assert shape is not None, "written as a shape"
    return shape


def _scope(pool: _Pool, scope: Scope) -> list[Any]:
    return [
        scope.parent, pool.text(scope.kind), scope.start, scope.end, pool.all(scope.bases),
        pool.shape(scope.result), pool.all(scope.returns), pool.shape(scope.expected),
    ]  # fmt: skip


def _read_scope(row: list[Any], texts: list[str], shapes: list[Shape | None]) -> Scope:
    parent, kind, start, end, bases, result, returns, expected = row
    return Scope(
        parent, texts[kind], start, end, tuple(_some(shapes[each]) for each in bases),
        shapes[result], tuple(_some(shapes[each]) for each in returns), shapes[expected],
    )  # fmt: skip


def _definition(pool: _Pool, each: Definition) -> list[Any]:
    return [
        pool.text(each.name), _KIND_NUMBERS[each.kind], pool.text(each.path), each.scope,
        each.opens, *each.position, each.first_line, each.last_line, pool.shape(each.value),
        each.written_in, int(each.exported), int(each.static), pool.text(each.signature),
        pool.text(each.doc),
    ]  # fmt: skip


def _read_definition(row: list[Any], texts: list[str], shapes: list[Shape | None]) -> Definition:
    (name, kind, path, scope, opens, line, column, first, last, value, written_in, exported,
     static, signature, doc) = row  # fmt: skip
    return Definition(
        texts[name], _KINDS[kind], texts[path], scope, opens, Position(line, column), first, last,
        shapes[value], written_in, bool(exported), bool(static), texts[signature], texts[doc],
    )  # fmt: skip


def _reference(pool: _Pool, each: Reference) -> list[Any]:
    row = [
        pool.text(each.name), _USE_NUMBERS[each.use], *each.position, each.scope,
        pool.shape(each.receiver),
    ]  # fmt: skip
    return row if each.arguments is None else [*row, pool.all(each.arguments)]


def _read_reference(row: list[Any], texts: list[str], shapes: list[Shape | None]) -> Reference:
    name, use, line, column, scope, receiver, *called = row
    arguments = tuple(_some(shapes[each]) for each in called[0]) if called else None
    return Reference(
        texts[name], _USES[use], Position(line, column), scope, shapes[receiver], arguments
    )
