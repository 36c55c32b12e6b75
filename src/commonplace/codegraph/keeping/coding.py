"""Facts to bytes and back: compact, versioned, and harmless to read whoever wrote them.

The first part is what a file looks like from outside. The path is not in it: files move.
"""

from __future__ import annotations

import hashlib
import json
import sys
import zlib
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum, auto
from itertools import accumulate, chain, islice, pairwise
from typing import Any, NamedTuple

from commonplace.codegraph.extraction.facts import (
    CodePosition,
    CodeScope,
    Definition,
    Export,
    FileFacts,
    Kind,
    Reference,
    Shape,
    ShapeOp,
    Use,
)

# Counts up whenever extraction finds more or writes it otherwise: older facts are made anew.
VERSION = 15
_NONE = -1
_QUICK = 1
_OPS = tuple(ShapeOp)
_OP_NUMBERS = {op: number for number, op in enumerate(_OPS)}
_MODULE = _OP_NUMBERS[ShapeOp.MODULE]

_Columns = list[list[Any]]


class _As(Enum):
    """How the values of a field are written as numbers."""

    NUMBER = auto()
    FLAG = auto()
    TEXT = auto()
    SHAPE = auto()
    LIST = auto()  # of shapes
    KIND = auto()
    USE = auto()
    POSITION = auto()  # two columns


# What has few values is written as a number among these.
_MEMBERS: dict[_As, tuple[Any, ...]] = {
    _As.FLAG: (False, True),
    _As.KIND: tuple(Kind),
    _As.USE: tuple(Use),
}
_MEMBER_NUMBERS = {
    way: {member: number for number, member in enumerate(members)}
    for way, members in _MEMBERS.items()
}
_OUTSIDE: Mapping[type[tuple[Any, ...]], Mapping[str, _As]] = {
    CodeScope: {
        "parent": _As.NUMBER, "kind": _As.TEXT, "bases": _As.LIST, "result": _As.SHAPE,
        "returns": _As.LIST, "expected": _As.SHAPE,
    },
    Definition: {
        "name": _As.TEXT, "kind": _As.KIND, "path": _As.TEXT, "scope": _As.NUMBER,
        "opens": _As.NUMBER, "value": _As.SHAPE, "written_in": _As.NUMBER, "exported": _As.FLAG,
        "static": _As.FLAG,
    },
    Export: {"name": _As.TEXT, "value": _As.SHAPE},
}  # fmt: skip
_INSIDE: Mapping[type[tuple[Any, ...]], Mapping[str, _As]] = {
    CodeScope: {"start": _As.NUMBER, "end": _As.NUMBER},
    Definition: {
        "position": _As.POSITION, "first_line": _As.NUMBER, "last_line": _As.NUMBER,
        "signature": _As.TEXT, "doc": _As.TEXT,
    },
    Reference: {
        "name": _As.TEXT, "use": _As.USE, "position": _As.POSITION, "scope": _As.NUMBER,
        "receiver": _As.SHAPE, "arguments": _As.LIST,
    },
}  # fmt: skip


class Decoded(NamedTuple):
    """Facts, with a mark of what they look like from outside and the modules that they name."""

    facts: FileFacts
    interface: str
    specifiers: tuple[str, ...]


def encoded(facts: FileFacts) -> bytes:
    pool = _Pool()
    rows: dict[type[tuple[Any, ...]], Sequence[tuple[Any, ...]]] = {
        CodeScope: facts.scopes,
        Definition: facts.definitions,
        Export: facts.exports,
        Reference: facts.references,
    }
    first = _part([facts.language, facts.package], _written(rows, _OUTSIDE, pool), pool)
    second = _part([facts.problem], _written(rows, _INSIDE, pool), pool)
    return zlib.compress(first + second, _QUICK)


def decoded(path: str, data: bytes) -> Decoded:
    content = zlib.decompress(data)
    first, end = _read_part(content, 0)
    second, _ = _read_part(content, end)
    (language, package), (problem,) = first.said, second.said
    texts = first.texts + second.texts
    shapes = _read_shapes((first.shapes, second.shapes), texts)
    tables: dict[_As, Sequence[Any]] = {
        _As.TEXT: texts,
        _As.SHAPE: shapes,
        _As.LIST: _read_lists((first.lists, second.lists), shapes),
        **_MEMBERS,
    }
    fields = _read(first.columns, _OUTSIDE, tables), _read(second.columns, _INSIDE, tables)
    facts = FileFacts(
        path,
        language,
        package,
        _rows(CodeScope, fields),
        _rows(Definition, fields),
        _rows(Export, fields),
        _rows(Reference, fields),
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


def _written(rows: Mapping[Any, Any], fields: Mapping[Any, Any], pool: _Pool) -> _Columns:
    """The columns of the fields that are told of each kind of row, in the order of the table."""
    written: _Columns = []
    for kind, ways in fields.items():
        columns = dict(zip(kind._fields, _columns(rows[kind], kind), strict=True))
        for field, way in ways.items():
            written += pool.numbers(columns[field], way)
    return written


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

    def numbers(self, column: list[Any], way: _As) -> _Columns:
        match way:
            case _As.TEXT:
                return [self.named(column)]
            case _As.SHAPE:
                return [self.shaped(column)]
            case _As.LIST:
                return [self.listed(column)]
            case _As.POSITION:
                return _columns(column, CodePosition)
            case _As.NUMBER:
                return [column]
            case _:
                return [list(map(_MEMBER_NUMBERS[way].__getitem__, column))]

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


def _read(
    columns: _Columns, fields: Mapping[Any, Any], tables: Mapping[_As, Sequence[Any]]
) -> dict[tuple[Any, str], Iterable[Any]]:
    """The values of each kind of row and field, as far as a part tells them."""
    rest = iter(columns)
    return {
        (kind, field): _values(rest, way, tables)
        for kind, ways in fields.items()
        for field, way in ways.items()
    }


def _values(
    columns: Iterator[list[int]], way: _As, tables: Mapping[_As, Sequence[Any]]
) -> Iterable[Any]:
    column = next(columns)
    match way:
        case _As.NUMBER:
            return column
        case _As.POSITION:
            return map(CodePosition, column, next(columns))
        case _:
            return map(tables[way].__getitem__, column)


def _rows(kind: Any, parts: Iterable[Mapping[tuple[Any, str], Iterable[Any]]]) -> tuple[Any, ...]:
    told = {field: values for part in parts for (of, field), values in part.items() if of is kind}
    return tuple(map(kind, *(told[field] for field in kind._fields)))
