"""Extracted files: their stored form, and how many are extracted together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from commonplace.codegraph.extraction.coding import VERSION, decoded
from commonplace.codegraph.extraction.facts import FileFacts
from commonplace.codegraph.keeping.neighbours import MANIFEST, located
from commonplace.codegraph.keeping.rows import symbols_of
from commonplace.codegraph.resolution.packages import package_of
from commonplace.model.graph import CodeFile, Symbol
from commonplace.model.workspace import FileState

_FILES_AT_ONCE, _BYTES_AT_ONCE = 16, 250_000
_LARGEST_MANIFEST = 500_000


@dataclass(frozen=True, slots=True)
class Extracted:
    """A file that was just read, with its facts as values and as bytes."""

    file: CodeFile
    facts: FileFacts
    specifiers: Sequence[str]
    data: bytes


def manifest(resource_key: int, state: FileState, source: bytes) -> Extracted:
    data = source if len(source) <= _LARGEST_MANIFEST else b""
    file = CodeFile(state.key, resource_key, state.path, MANIFEST, state.content_hash, VERSION)
    return Extracted(file, FileFacts(state.path, MANIFEST), (), data)


def described(resource_key: int, state: FileState, data: bytes) -> Extracted:
    facts, interface, specifiers = decoded(located(resource_key, state.path), data)
    file = CodeFile(
        key=state.key,
        resource_key=resource_key,
        path=state.path,
        language=facts.language,
        content_hash=state.content_hash,
        version=VERSION,
        package=package_of(facts.language, facts.package, facts.path),
        interface=interface,
        problem=facts.problem,
    )
    return Extracted(file, facts, specifiers, data)


def symbols_now(extracted: Extracted, before: Sequence[Symbol]) -> list[Symbol]:
    file = extracted.file
    if file.language == MANIFEST:
        return []
    return symbols_of(extracted.facts, file, before)


def portions(states: Sequence[FileState]) -> Iterator[list[FileState]]:
    """Group files into requests: large enough to spread their overhead, small enough for memory."""
    portion: list[FileState] = []
    for state in states:
        portion.append(state)
        if len(portion) == _FILES_AT_ONCE or sum(s.size for s in portion) > _BYTES_AT_ONCE:
            yield portion
            portion = []
    if portion:
        yield portion


def by_document(symbols: Iterable[Symbol]) -> dict[int, list[Symbol]]:
    found: dict[int, list[Symbol]] = {}
    for symbol in symbols:
        found.setdefault(symbol.document_key, []).append(symbol)
    return found
