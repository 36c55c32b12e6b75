"""Reads and writes the SCIP format: documents with occurrences of symbols, as values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from typing import NamedTuple

from commonplace.codegraph.scip.protobuf import (
    bytes_field,
    fields,
    message,
    number_field,
    numbers,
    numbers_field,
    text,
    text_field,
)

_UTF8_TEXT, _CODE_POINTS = 1, 3
_SIMPLE = re.compile(r"[\w+\-$]+", re.ASCII)


class ScipRole(IntFlag):
    NONE = 0
    DEFINITION = 1
    IMPORT = 2
    WRITE = 4
    READ = 8
    TEST = 32


class SymbolKind(IntEnum):
    """Symbol kinds with the numbers of the format."""

    CLASS = 7
    CONSTANT = 8
    CONSTRUCTOR = 9
    ENUM = 11
    FIELD = 15
    FUNCTION = 17
    INTERFACE = 21
    METHOD = 26
    MODULE = 29
    NAMESPACE = 30
    TYPE_ALIAS = 55
    VARIABLE = 61


class ScipRange(NamedTuple):
    """A range within one line; lines and columns count from 0."""

    line: int
    column: int
    end: int


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A symbol at a place; `last_line` is the end of its definition if the index says so."""

    place: ScipRange
    symbol: str
    roles: ScipRole = ScipRole.NONE
    last_line: int = 0


@dataclass(frozen=True, slots=True)
class Information:
    symbol: str
    kind: int = 0
    name: str = ""
    documentation: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    path: str
    language: str
    occurrences: tuple[Occurrence, ...]
    symbols: tuple[Information, ...] = ()


def index_chunks(documents: Iterable[Document], root: str, version: str) -> Iterator[bytes]:
    """The index in pieces, which concatenate to one message."""
    tool = text_field(1, "commonplace") + text_field(2, version)
    metadata = bytes_field(2, tool) + text_field(3, root) + number_field(4, _UTF8_TEXT)
    yield bytes_field(1, metadata)
    for document in documents:
        yield bytes_field(2, _document(document))


def _document(document: Document) -> bytes:
    return b"".join(
        (
            text_field(1, document.path),
            *(bytes_field(2, _occurrence(each)) for each in document.occurrences),
            *(bytes_field(3, _information(each)) for each in document.symbols),
            text_field(4, document.language),
            number_field(6, _CODE_POINTS),
        )
    )


def _occurrence(occurrence: Occurrence) -> bytes:
    return (
        numbers_field(1, occurrence.place)
        + text_field(2, occurrence.symbol)
        + number_field(3, int(occurrence.roles))
    )


def _information(information: Information) -> bytes:
    return (
        text_field(1, information.symbol)
        + b"".join(text_field(3, each) for each in information.documentation)
        + number_field(5, information.kind)
        + text_field(6, information.name)
    )


def documents_of(index: bytes) -> Iterator[Document]:
    """The documents of an index; raises Malformed if the bytes are not one."""
    for field, value in fields(index):
        if field == 2:
            yield _read_document(message(value))


def _read_document(data: bytes) -> Document:
    path = language = ""
    occurrences: list[Occurrence] = []
    symbols: list[Information] = []
    for field, value in fields(data):
        if field == 1:
            path = text(value)
        elif field == 2:
            occurrences += _read_occurrence(message(value))
        elif field == 3:
            symbols.append(_read_information(message(value)))
        elif field == 4:
            language = text(value)
    return Document(path, language, tuple(occurrences), tuple(symbols))


def _read_occurrence(data: bytes) -> Iterator[Occurrence]:
    """Read one occurrence; of a range over several lines the first counts."""
    place: list[int] = []
    around: list[int] = []
    symbol, roles = "", 0
    for field, value in fields(data):
        if field == 1:
            place += numbers(value)
        elif field == 2:
            symbol = text(value)
        elif field == 3:
            roles = numbers(value)[0]
        elif field == 7:
            around += numbers(value)
    if len(place) >= 3 and symbol:
        last_line = around[2] if len(around) == 4 else place[0]
        found = ScipRange(place[0], place[1], place[2])
        yield Occurrence(found, symbol, ScipRole(roles), last_line)


def _read_information(data: bytes) -> Information:
    symbol = name = ""
    kind, documentation = 0, []
    for field, value in fields(data):
        if field == 1:
            symbol = text(value)
        elif field == 3:
            documentation.append(text(value))
        elif field == 5:
            kind = numbers(value)[0]
        elif field == 6:
            name = text(value)
    return Information(symbol, kind, name, tuple(documentation))


class Descriptor(NamedTuple):
    """One part of a symbol's name: `suffix` tells its sort, `owner` is the enclosing symbol."""

    name: str
    suffix: str
    owner: str


_NAME = r"`(?:[^`]|``)++`|[\w+\-$]++"
_DESCRIPTOR = re.compile(rf"\[(?:{_NAME})\]|\((?:{_NAME})\)|({_NAME})(\([^)]*\)\.|[/#.:!])")


def last_descriptor(symbol: str) -> Descriptor | None:
    """The last part of a symbol's name; None for locals, parameters and unknown notations."""
    if is_local(symbol):
        return None
    start = len(symbol) - len(symbol.split(" ", 4)[-1])
    found = None
    while start < len(symbol):
        found = _DESCRIPTOR.match(symbol, start)
        if found is None:
            return None
        start = found.end()
    if found is None or found[1] is None:
        return None
    suffix = "()." if found[2].startswith("(") else found[2]
    return Descriptor(found[1].strip("`").replace("``", "`"), suffix, symbol[: found.start()])


def is_module(symbol: str) -> bool:
    return symbol.endswith("/")


def is_local(symbol: str) -> bool:
    return symbol.startswith("local ")


def descriptor(name: str, suffix: str) -> str:
    escaped = name if _SIMPLE.fullmatch(name) else "`" + name.replace("`", "``") + "`"
    return escaped + suffix
