"""The stored code graph: files with their facts, symbols, and edges between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

_SLOTS = 1 << 20


def symbol_key(document_key: int, slot: int) -> int:
    """A key that stays the same as long as the symbol's name and kind in its file do."""
    return document_key * _SLOTS + slot


def slot_of(key: int) -> int:
    return key % _SLOTS


def document_of(key: int) -> int:
    return key // _SLOTS


@dataclass(frozen=True, slots=True)
class Tally:
    """What one file adds to the counts.

    `across` has the number of resolved references into other resources, by resource.
    """

    symbols: Mapping[str, int] = field(default_factory=dict)
    references: Mapping[str, int] = field(default_factory=dict)
    resolved: int = 0
    across: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GraphCounts:
    """Counts over some resources; zero if no symbols are stored for them."""

    symbols: int = 0
    references: int = 0
    resolved: int = 0
    across_resources: int = 0
    symbol_kinds: Mapping[str, int] = field(default_factory=dict)
    reference_kinds: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CodeFile:
    """What is stored about a file of code; its key is the document's.

    `interface` is a digest of what other files can see: equal for versions that differ inside only.
    Its links depend on the files in `reads` and the packages in `packages`. `linked` is False while
    its edges are still to be computed.
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
    reads: tuple[int, ...] = ()
    packages: tuple[str, ...] = ()
    linked: bool = False


@dataclass(frozen=True, slots=True)
class FileProblem:
    """A file of code that could not be read, or only in part, and why."""

    resource_key: int
    document_key: int
    path: str
    reason: str

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}"


def summary_of(problems: Sequence[FileProblem], most: int = 3) -> str:
    """The first few problems by path, and how many more there are."""
    more = f" and {len(problems) - most} more" if len(problems) > most else ""
    return "; ".join(map(str, problems[:most])) + more


@dataclass(frozen=True, slots=True)
class Symbol:
    """A definition. Lines count from 1; `number` is its index among the facts of its file."""

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
    """All uses of one name, in one way, by one symbol or by the file itself.

    Without a target the uses are unresolved. If they may lead to several symbols, there is an edge
    for each; `rank` 0 is the likeliest, and only that one is counted.
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
    """What an imported compiler index says about one version of a file, as it was imported."""

    document_key: int
    content_hash: str
    data: bytes
