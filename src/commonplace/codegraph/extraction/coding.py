"""Encodes facts as bytes and decodes them: compact, versioned, and safe to read from anybody.

The first part is the file's interface: what other files see of it. It does not include the path,
so that a file can move without a change of its interface.
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

# Increase it whenever the format or the results of extraction change: older facts are rebuilt.
VERSION = 19
_NONE = -1
_FAST_COMPRESSION = 1
_OPS = tuple(ShapeOp)
_OP_NUMBERS = {op: number for number, op in enumerate(_OPS)}
_MODULE = _OP_NUMBERS[ShapeOp.MODULE]

_Columns = list[list[Any]]


class _As(Enum):
    """How the values of a field are encoded as numbers."""

    NUMBER = auto()
    FLAG = auto()
    TEXT = auto()
    SHAPE = auto()
    LIST = auto()  # of shapes
    KIND = auto()
    USE = auto()
    POSITION = auto()  # two columns


# Types with few values are encoded as an index into these.
_MEMBERS: dict[_As, tuple[Any, ...]] = {
    _As.FLAG: (False, True),
    _As.KIND: tuple(Kind),
    _As.USE: tuple(Use),
}
_MEMBER_NUMBERS = {
    encoding: {member: number for number, member in enumerate(members)}
    for encoding, members in _MEMBERS.items()
}
_INTERFACE_FIELDS: Mapping[type[tuple[Any, ...]], Mapping[str, _As]] = {
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
_INTERNAL_FIELDS: Mapping[type[tuple[Any, ...]], Mapping[str, _As]] = {
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
    """Facts, with a hash of their interface and the modules that they import."""

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
    first = _encode_part(
        [facts.language, facts.package], _encode_columns(rows, _INTERFACE_FIELDS, pool), pool
    )
    second = _encode_part([facts.problem], _encode_columns(rows, _INTERNAL_FIELDS, pool), pool)
    return zlib.compress(first + second, _FAST_COMPRESSION)


def decoded(path: str, data: bytes) -> Decoded:
    content = zlib.decompress(data)
    first, end = _read_part(content, 0)
    second, _ = _read_part(content, end)
    (language, package), (problem,) = first.header, second.header
    texts = first.texts + second.texts
    shapes = _read_shapes((first.shapes, second.shapes), texts)
    tables: dict[_As, Sequence[Any]] = {
        _As.TEXT: texts,
        _As.SHAPE: shapes,
        _As.LIST: _read_lists((first.lists, second.lists), shapes),
        **_MEMBERS,
    }
    fields = (
        _decode_columns(first.columns, _INTERFACE_FIELDS, tables),
        _decode_columns(second.columns, _INTERNAL_FIELDS, tables),
    )
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
    operations = chain(*(zip(*each[:2], strict=True) for each in (first.shapes, second.shapes)))
    specifiers = dict.fromkeys(texts[text] for op, text in operations if op == _MODULE)
    return Decoded(facts, interface, tuple(specifiers))


class _Part(NamedTuple):
    """One part of the encoding.

    Texts, shapes and lists of shapes are numbered in the order of their first use, across both
    parts; each part has the new ones. All numbers are stored by column.
    """

    header: list[str]
    texts: list[str]
    columns: _Columns
    shapes: _Columns  # op, text, number of parts; the parts
    lists: _Columns  # number of shapes; the shapes


def _encode_part(header: list[str], columns: _Columns, pool: _Pool) -> bytes:
    """Encode a part: a line of JSON, then the columns."""
    part = pool.take_part(header, columns)
    stored = [*part.shapes, *part.lists, *columns]
    head = [header, part.texts, list(map(len, stored))]
    numbers = array("i", chain.from_iterable(stored))
    if sys.byteorder == "big":
        numbers.byteswap()
    return json.dumps(head, separators=(",", ":")).encode() + b"\n" + numbers.tobytes()


def _read_part(content: bytes, start: int) -> tuple[_Part, int]:
    """Decode a part; returns it with the offset of its end."""
    columns_start = content.index(b"\n", start) + 1
    header, texts, lengths = json.loads(content[start:columns_start])
    numbers = array("i")
    end = columns_start + sum(lengths) * numbers.itemsize
    numbers.frombytes(content[columns_start:end])
    if sys.byteorder == "big":
        numbers.byteswap()
    ends = list(accumulate(lengths, initial=0))
    columns = [numbers[first:last].tolist() for first, last in pairwise(ends)]
    return _Part(header, texts, columns[6:], columns[:4], columns[4:6]), end


def _columns(rows: Sequence[tuple[Any, ...]], kind: Any) -> _Columns:
    return list(map(list, zip(*rows, strict=True))) if rows else [[] for _ in kind._fields]


def _encode_columns(rows: Mapping[Any, Any], fields: Mapping[Any, Any], pool: _Pool) -> _Columns:
    """The encoded columns of the given fields of each kind of row, in the order of the table."""
    encoded_columns: _Columns = []
    for kind, encodings in fields.items():
        columns = dict(zip(kind._fields, _columns(rows[kind], kind), strict=True))
        for field, encoding in encodings.items():
            encoded_columns += pool.numbers(columns[field], encoding)
    return encoded_columns


class _Pool:
    """Numbers texts, shapes and lists of shapes in the order of their first use."""

    def __init__(self) -> None:
        self._texts: dict[str, int] = {}
        # By number of the text and of each part, because to hash a shape is to hash all of it.
        self._shapes: dict[tuple[ShapeOp, int, tuple[int, ...]], int] = {}
        self._lists: dict[tuple[int, ...], int] = {}
        # Shapes recur often. The facts keep them alive, so that their ids stay valid.
        self._ids: dict[int, int] = {id(None): _NONE}
        self._list_ids: dict[int, int] = {id(None): _NONE}
        self._new_texts: list[str] = []
        self._new_shapes: _Columns = [[], [], [], []]
        self._new_lists: _Columns = [[], []]

    def take_part(self, header: list[str], columns: _Columns) -> _Part:
        """A part with what is new since the previous part."""
        part = _Part(header, self._new_texts, columns, self._new_shapes, self._new_lists)
        self._new_texts, self._new_shapes, self._new_lists = [], [[], [], [], []], [[], []]
        return part

    def numbers(self, column: list[Any], encoding: _As) -> _Columns:
        match encoding:
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
                return [list(map(_MEMBER_NUMBERS[encoding].__getitem__, column))]

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
        """Number a shape after its parts, so that decoding meets the parts first."""
        assert shape is not None, "nothing has a number from the start"
        op, written, held = shape
        parts = tuple(self.shaped(held)) if held else ()
        text = self._text(written)
        key = (op, text, parts)
        number = self._shapes.get(key)
        if number is None:
            number = self._shapes[key] = len(self._shapes)
            ops, texts, sizes, every = self._new_shapes
            ops.append(_OP_NUMBERS[op])
            texts.append(text)
            sizes.append(len(parts))
            every += parts
        self._ids[id(shape)] = number
        return number

    def _list_number(self, shapes: tuple[Shape, ...] | None) -> int:
        assert shapes is not None, "nothing has a number from the start"
        numbers = tuple(self.shaped(shapes))
        number = self._lists.get(numbers)
        if number is None:
            number = self._lists[numbers] = len(self._lists)
            self._new_lists[0].append(len(numbers))
            self._new_lists[1] += numbers
        self._list_ids[id(shapes)] = number
        return number


def _read_shapes(stored: Iterable[_Columns], texts: Sequence[str]) -> list[Any]:
    """Decode shapes by number; the last item is None, to which the index _NONE leads."""
    shapes: list[Any] = []
    for ops, named, sizes, parts in stored:
        rest = iter(parts)
        for op, text, size in zip(ops, named, sizes, strict=True):
            held = tuple([shapes[part] for part in islice(rest, size)]) if size else ()
            shapes.append(Shape(_OPS[op], texts[text], held))
    return [*shapes, None]


def _read_lists(stored: Iterable[_Columns], shapes: Sequence[Any]) -> list[Any]:
    """Decode lists by number; the last item is None, to which the index _NONE leads."""
    lists: list[Any] = []
    for sizes, items in stored:
        rest = iter(items)
        lists += [tuple([shapes[each] for each in islice(rest, size)]) for size in sizes]
    return [*lists, None]


def _decode_columns(
    columns: _Columns, fields: Mapping[Any, Any], tables: Mapping[_As, Sequence[Any]]
) -> dict[tuple[Any, str], Iterable[Any]]:
    """Decode the values of all fields of a part, by kind of row and field name."""
    rest = iter(columns)
    return {
        (kind, field): _values(rest, encoding, tables)
        for kind, encodings in fields.items()
        for field, encoding in encodings.items()
    }


def _values(
    columns: Iterator[list[int]], encoding: _As, tables: Mapping[_As, Sequence[Any]]
) -> Iterable[Any]:
    column = next(columns)
    match encoding:
        case _As.NUMBER:
            return column
        case _As.POSITION:
            return map(CodePosition, column, next(columns))
        case _:
            return map(tables[encoding].__getitem__, column)


def _rows(kind: Any, parts: Iterable[Mapping[tuple[Any, str], Iterable[Any]]]) -> tuple[Any, ...]:
    """Join the fields of both parts into rows of one kind."""
    by_field = {name: column for part in parts for (of, name), column in part.items() if of is kind}
    return tuple(map(kind, *(by_field[name] for name in kind._fields)))
