"""Facts to bytes and back: compact, versioned, and harmless to read whoever wrote them.

The first part is what a file looks like from outside. The path is not in it: files move.
"""

from __future__ import annotations

import hashlib
import json
import sys
import zlib
from array import array
from collections.abc import Iterable, Sequence
from itertools import accumulate, chain, islice, pairwise
from typing import Any, NamedTuple

from commonplace.codegraph.extraction.facts import (
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
VERSION = 3
_NONE = -1
_QUICK = 1
_KINDS, _OPS, _USES = tuple(Kind), tuple(Op), tuple(Use)
_KIND_NUMBERS = {kind: number for number, kind in enumerate(_KINDS)}
_OP_NUMBERS = {op: number for number, op in enumerate(_OPS)}
_USE_NUMBERS = {use: number for number, use in enumerate(_USES)}
_MODULE = _OP_NUMBERS[Op.MODULE]

_Columns = list[list[Any]]


class Decoded(NamedTuple):
    """Facts, with a mark of what they look like from outside and the modules that they name."""

    facts: FileFacts
    interface: str
    specifiers: tuple[str, ...]


def encoded(facts: FileFacts) -> bytes:
    pool = _Pool()
    scopes = _columns(facts.scopes, Scope)
    definitions = _columns(facts.definitions, Definition)
    exports = _columns(facts.exports, Export)
    outside = [
        *_scopes_outside(pool, scopes),
        *_definitions_outside(pool, definitions),
        pool.named(exports[0]),
        pool.shaped(exports[1]),
    ]
    first = _part([facts.language, facts.package], outside, pool)
    inside = [
        scopes[2],
        scopes[3],
        *_definitions_inside(pool, definitions),
        *_references(pool, _columns(facts.references, Reference)),
    ]
    return zlib.compress(first + _part([facts.problem], inside, pool), _QUICK)


def decoded(path: str, data: bytes) -> Decoded:
    content = zlib.decompress(data)
    first, end = _read_part(content, 0)
    second, _ = _read_part(content, end)
    (language, package), (problem,) = first.said, second.said
    texts = first.texts + second.texts
    shapes = _read_shapes((first.shapes, second.shapes), texts)
    lists = _read_lists((first.lists, second.lists), shapes)
    facts = FileFacts(
        path,
        language,
        package,
        _read_scopes(first.columns[:6], second.columns[:2], texts, shapes, lists),
        _read_definitions(first.columns[6:15], second.columns[2:8], texts, shapes),
        tuple(map(Export, *_looked_up(first.columns[15:], (texts, shapes)))),
        _read_references(second.columns[8:], texts, shapes, lists),
        problem,
    )
    interface = hashlib.sha256(memoryview(content)[:end]).hexdigest()[:32]
    made = chain(*(zip(*each[:2], strict=True) for each in (first.shapes, second.shapes)))
    named = dict.fromkeys(texts[text] for op, text in made if op == _MODULE)
    return Decoded(facts, interface, tuple(named))


class _Part(NamedTuple):
    """Texts, shapes and lists of shapes are written where they are met first, and named by number.

    All numbers are written by columns.
    """

    said: list[str]
    texts: list[str]
    columns: _Columns
    shapes: _Columns  # op, text, number of parts; the parts
    lists: _Columns  # number of shapes; the shapes


def _part(said: list[str], columns: _Columns, pool: _Pool) -> bytes:
    """A line of JSON, and behind it the columns."""
    taken = pool.taken(said, columns)
    written = [*taken.shapes, *taken.lists, *columns]
    head = [said, taken.texts, list(map(len, written))]
    numbers = array("i", chain.from_iterable(written))
    if sys.byteorder == "big":
        numbers.byteswap()
    return json.dumps(head, separators=(",", ":")).encode() + b"\n" + numbers.tobytes()


def _read_part(content: bytes, start: int) -> tuple[_Part, int]:
    """A part, and where it ends."""
    behind = content.index(b"\n", start) + 1
    said, texts, lengths = json.loads(content[start:behind])
    numbers = array("i")
    end = behind + sum(lengths) * numbers.itemsize
    numbers.frombytes(content[behind:end])
    if sys.byteorder == "big":
        numbers.byteswap()
    ends = list(accumulate(lengths, initial=0))
    columns = [numbers[first:last].tolist() for first, last in pairwise(ends)]
    return _Part(said, texts, columns[6:], columns[:4], columns[4:6]), end


def _columns(rows: Sequence[tuple[Any, ...]], kind: Any) -> _Columns:
    return list(map(list, zip(*rows, strict=True))) if rows else [[] for _ in kind._fields]


class _Pool:
    """Numbers for texts, shapes and lists of shapes, in the order they are first met."""

    def __init__(self) -> None:
        self._texts: dict[str, int] = {}
        self._shapes: dict[Shape, int] = {}
        self._lists: dict[tuple[Shape, ...], int] = {}
        # The same shape is met again and again; the facts keep it, and so its id, alive.
        self._ids: dict[int, int] = {id(None): _NONE}
        self._list_ids: dict[int, int] = {id(None): _NONE}
        self._new_texts: list[str] = []
        self._new_shapes: _Columns = [[], [], [], []]
        self._new_lists: _Columns = [[], []]

    def taken(self, said: list[str], columns: _Columns) -> _Part:
        """A part with what was met since the last one."""
        part = _Part(said, self._new_texts, columns, self._new_shapes, self._new_lists)
        self._new_texts, self._new_shapes, self._new_lists = [], [[], [], [], []], [[], []]
        return part

    def named(self, texts: Sequence[str]) -> list[int]:
        for text in dict.fromkeys(texts):
            if text not in self._texts:
                self._text(text)
        return list(map(self._texts.__getitem__, texts))

    def shaped(self, shapes: Iterable[Shape | None]) -> list[int]:
        ids = self._ids
        return [ids[id(each)] if id(each) in ids else self._number(each) for each in shapes]

    def listed(self, lists: Iterable[tuple[Shape, ...] | None]) -> list[int]:
        ids = self._list_ids
        return [ids[id(each)] if id(each) in ids else self._list_number(each) for each in lists]

    def _text(self, text: str) -> int:
        number = self._texts.get(text)
        if number is None:
            number = self._texts[text] = len(self._texts)
            self._new_texts.append(text)
        return number

    def _number(self, shape: Shape | None) -> int:
        """Parts come before wholes."""
        assert shape is not None, "nothing has a number from the start"
        number = self._shapes.get(shape)
        if number is None:
            parts = self.shaped(shape.parts) if shape.parts else ()
            number = self._shapes[shape] = len(self._shapes)
            row = (_OP_NUMBERS[shape.op], self._text(shape.text), len(parts))
            for column, value in zip(self._new_shapes, row, strict=False):
                column.append(value)
            self._new_shapes[3] += parts
        self._ids[id(shape)] = number
        return number

    def _list_number(self, shapes: tuple[Shape, ...] | None) -> int:
        assert shapes is not None, "nothing has a number from the start"
        number = self._lists.get(shapes)
        if number is None:
            numbers = self.shaped(shapes)
            number = self._lists[shapes] = len(self._lists)
            self._new_lists[0].append(len(numbers))
            self._new_lists[1] += numbers
        self._list_ids[id(shapes)] = number
        return number


def _scopes_outside(pool: _Pool, columns: _Columns) -> _Columns:
    parents, kinds, _, _, bases, results, returns, expected = columns
    return [
        parents, pool.named(kinds), pool.listed(bases), pool.shaped(results),
        pool.listed(returns), pool.shaped(expected),
    ]  # fmt: skip


def _definitions_outside(pool: _Pool, columns: _Columns) -> _Columns:
    (names, kinds, paths, scopes, opens, _, _, _, values, written_in, exported, static, _,
     _) = columns  # fmt: skip
    return [
        pool.named(names), list(map(_KIND_NUMBERS.__getitem__, kinds)), pool.named(paths), scopes,
        opens, pool.shaped(values), written_in, list(map(int, exported)), list(map(int, static)),
    ]  # fmt: skip


def _definitions_inside(pool: _Pool, columns: _Columns) -> _Columns:
    _, _, _, _, _, positions, first, last, _, _, _, _, signatures, docs = columns
    return [*_columns(positions, Position), first, last, pool.named(signatures), pool.named(docs)]


def _references(pool: _Pool, columns: _Columns) -> _Columns:
    names, uses, positions, scopes, receivers, arguments = columns
    return [
        pool.named(names), list(map(_USE_NUMBERS.__getitem__, uses)),
        *_columns(positions, Position), scopes, pool.shaped(receivers), pool.listed(arguments),
    ]  # fmt: skip


def _looked_up(columns: _Columns, tables: Sequence[Sequence[Any] | None]) -> list[Iterable[Any]]:
    """Columns of numbers as what they stand for in a table; as they are where there is none."""
    return [
        column if table is None else map(table.__getitem__, column)
        for column, table in zip(columns, tables, strict=True)
    ]


def _read_shapes(written: Iterable[_Columns], texts: Sequence[str]) -> list[Any]:
    """The last one is what _NONE names."""
    shapes: list[Any] = []
    for ops, named, sizes, parts in written:
        rest = iter(parts)
        for op, text, size in zip(ops, named, sizes, strict=True):
            held = tuple([shapes[part] for part in islice(rest, size)]) if size else ()
            shapes.append(Shape(_OPS[op], texts[text], held))
    return [*shapes, None]


def _read_lists(written: Iterable[_Columns], shapes: Sequence[Any]) -> list[Any]:
    """The last one is what _NONE names."""
    lists: list[Any] = []
    for sizes, items in written:
        rest = iter(items)
        lists += [tuple([shapes[each] for each in islice(rest, size)]) for size in sizes]
    return [*lists, None]


def _read_scopes(
    outside: _Columns, inside: _Columns, texts: list[str], shapes: list[Any], lists: list[Any]
) -> tuple[Scope, ...]:
    parents, kinds, *rest = outside
    columns = [parents, kinds, *inside, *rest]
    tables = (None, texts, None, None, lists, shapes, lists, shapes)
    return tuple(map(Scope, *_looked_up(columns, tables)))


def _read_definitions(
    outside: _Columns, inside: _Columns, texts: list[str], shapes: list[Any]
) -> tuple[Definition, ...]:
    names, kinds, paths, scopes, opens, values, written_in, exported, static = outside
    lines, columns, first, last, signatures, docs = inside
    found = _looked_up(
        [names, kinds, paths, scopes, opens, first, last, values, written_in, signatures, docs],
        (texts, _KINDS, texts, None, None, None, None, shapes, None, texts, texts),
    )
    positions = map(Position, lines, columns)
    flags = map(bool, exported), map(bool, static)
    return tuple(map(Definition, *found[:5], positions, *found[5:9], *flags, *found[9:]))


def _read_references(
    columns: _Columns, texts: list[str], shapes: list[Any], lists: list[Any]
) -> tuple[Reference, ...]:
    names, uses, lines, places, *rest = columns
    named = _looked_up([names, uses], (texts, _USES))
    found = _looked_up(rest, (None, shapes, lists))
    return tuple(map(Reference, *named, map(Position, lines, places), *found))
