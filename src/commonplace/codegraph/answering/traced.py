"""Questions about a symbol by name, and what the graph answers, as values; pure.

A place is a line of a file. `depth` is how many steps it is from the symbol, and `confidence` how
sure all of these steps are together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Relation(StrEnum):
    DEFINITION = "definition"
    CALLERS = "callers"
    CALLEES = "callees"
    REFERENCES = "references"
    SUBCLASSES = "subclasses"
    IMPLEMENTATIONS = "implementations"
    TESTS = "tests"
    DOCS = "docs"
    IMPACT = "impact"
    PATH = "path"


@dataclass(frozen=True, slots=True)
class TraceRequest:
    """`to` is where a path leads; `depth` how far impact and paths are followed."""

    symbol: str
    relation: Relation = Relation.DEFINITION
    to: str = ""
    depth: int = 3


@dataclass(frozen=True, slots=True)
class TracedPlace:
    """`symbol` is what is defined there, or what encloses the use; "" outside of every symbol."""

    resource: int
    document: int
    path: str
    line: int
    symbol: str = ""
    kind: str = ""
    use: str = ""
    confidence: float = 1.0
    depth: int = 1


@dataclass(frozen=True, slots=True)
class Traced:
    """`unresolved` uses bear the name and lead nowhere; `similar` names are near an unknown one."""

    meant: tuple[TracedPlace, ...] = ()
    places: tuple[TracedPlace, ...] = ()
    unresolved: tuple[TracedPlace, ...] = ()
    unresolved_count: int = 0
    unknown: str = ""
    similar: tuple[str, ...] = ()
    complete: bool = True


def ordered(places: Sequence[TracedPlace]) -> tuple[TracedPlace, ...]:
    """Each line once, the nearest and surest first."""
    best: dict[tuple[int, int, str], TracedPlace] = {}
    for one in places:
        key = (one.document, one.line, one.symbol)
        known = best.get(key)
        if known is None or (one.depth, -one.confidence) < (known.depth, -known.confidence):
            best[key] = one
    return tuple(sorted(best.values(), key=lambda p: (p.depth, -p.confidence, p.path, p.line)))
