"""The code graph as it is kept: files with their facts, symbols, and edges between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

_SLOTS = 1 << 20


def symbol_key(document_key: int, slot: int) -> int:
    """A symbol keeps its slot in its file for as long as its name and kind stay."""
    return document_key * _SLOTS + slot


def slot_of(key: int) -> int:
    return key % _SLOTS


def document_of(key: int) -> int:
    return key // _SLOTS


@dataclass(frozen=True, slots=True)
class Tally:
    """What one file adds to the counts; `across` are resolved references by foreign resource."""

    symbols: Mapping[str, int] = field(default_factory=dict)
    references: Mapping[str, int] = field(default_factory=dict)
    resolved: int = 0
    across: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GraphCounts:
    """Of some resources; where nobody keeps symbols there are none."""

    symbols: int = 0
    references: int = 0
    resolved: int = 0
    across_resources: int = 0
    symbol_kinds: Mapping[str, int] = field(default_factory=dict)
    reference_kinds: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CodeFile:
    """What is known of a file of code; its key is the document's.

    `interface` is equal for two versions of a file that look alike from outside. `specifiers` are
    the modules it names; `reads` the files and `packages` the packages that its links depend on,
    `asked` marks the names that these were asked for, and is None where that is not known. `linked`
    is False while its edges wait to be made.
    """

    key: int
    resource_key: int
    path: str
    language: str
    content_hash: str
    version: int
    package: str = ""
    interface: str = ""
    problem: str = ""
    specifiers: tuple[str, ...] = ()
    reads: tuple[int, ...] = ()
    packages: tuple[str, ...] = ()
    asked: str | None = None
    linked: bool = False


@dataclass(frozen=True, slots=True)
class FileProblem:
    """A file of code that is not read, or only in part, and why."""

    resource_key: int
    document_key: int
    path: str
    reason: str

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}"


def in_short(problems: Sequence[FileProblem], most: int = 3) -> str:
    """The first of them by name, and how many more there are."""
    more = f" and {len(problems) - most} more" if len(problems) > most else ""
    return "; ".join(map(str, problems[:most])) + more


@dataclass(frozen=True, slots=True)
class Symbol:
    """A definition. Lines count from 1; `number` is its place among the facts of its file."""

    key: int
    document_key: int
    resource_key: int
    number: int
    name: str
    path: str
    kind: str
    exported: bool
    line: int
    column: int
    first_line: int
    last_line: int
    signature: str = ""
    doc: str = ""


@dataclass(frozen=True, slots=True)
class Edge:
    """Uses of one name by one symbol (or by the file itself), all of one sort.

    Without a target they are unresolved. Where a use may lead to several symbols there is an edge
    for each, and `rank` 0 is the likeliest: only that one counts.
    """

    document_key: int
    resource_key: int
    source_key: int | None
    name: str
    use: str
    target_key: int | None
    rank: int
    resolution: str
    confidence: float
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Compiled:
    """What a compiler's index says of one version of a file, kept as it was imported."""

    document_key: int
    content_hash: str
    data: bytes
