"""Questions about a symbol by name, and what the graph answers, as values; pure.

A place is a line of a file. `depth` is how many steps it is from the symbol, and `confidence` how
sure the weakest of these steps is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from commonplace.model.commits import Commit
from commonplace.model.graph import FileProblem


class Relation(StrEnum):
    DEFINITION = "definition"
    CALLERS = "callers"
    CALLEES = "callees"
    REFERENCES = "references"
    SUBCLASSES = "subclasses"
    SUPERCLASSES = "superclasses"
    IMPLEMENTATIONS = "implementations"
    OVERRIDES = "overrides"
    TESTS = "tests"
    DOCS = "docs"
    IMPACT = "impact"
    ENTRY_POINTS = "entry_points"
    PATH = "path"
    HISTORY = "history"
    IMPORTERS = "importers"
    OUTLINE = "outline"
    UNUSED = "unused"
    CYCLES = "cycles"


# What is asked of files and folders, by their paths.
OF_FILES = frozenset({Relation.IMPORTERS, Relation.OUTLINE, Relation.UNUSED, Relation.CYCLES})
# Relations that are followed step by step, with how far where nobody says.
FOLLOWED = {
    Relation.CALLERS: 1,
    Relation.CALLEES: 1,
    Relation.SUBCLASSES: 10,
    Relation.SUPERCLASSES: 10,
    Relation.IMPLEMENTATIONS: 10,
    Relation.OVERRIDES: 10,
    Relation.TESTS: 4,
    Relation.IMPACT: 3,
    Relation.ENTRY_POINTS: 10,
    Relation.PATH: 10,
}


@dataclass(frozen=True, slots=True)
class TraceRequest:
    """`file` is the one that the symbol stands in, where that is said; `to` is where a path leads,
    or the day from which on a history is told.

    `depth` is how far is followed; 0 is as far as is usual.

    Of the places, `limit` from `offset` on are told, each with `context` lines around it.
    """

    symbol: str
    relation: Relation = Relation.DEFINITION
    to: str = ""
    depth: int = 0
    offset: int = 0
    limit: int = 20
    context: int = 0
    file: str = ""

    @property
    def steps(self) -> int:
        return self.depth or FOLLOWED.get(self.relation, 1)


@dataclass(frozen=True, slots=True)
class TracedPlace:
    """`symbol` is what is defined there, or what encloses the use; "" outside of every symbol.

    `text` is the line itself, or it and those around it. `note` is what else is to be said.
    """

    resource: int
    document: int
    path: str
    line: int
    symbol: str = ""
    kind: str = ""
    use: str = ""
    confidence: float = 1.0
    depth: int = 1
    text: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class UseCount:
    """A definition, and how many uses lead to it; `why` is what it has to do with the question."""

    place: TracedPlace
    uses: int = 0
    why: str = ""


@dataclass(frozen=True, slots=True)
class Traced:
    """`places` are some of `total`; `unresolved` uses bear the name and lead nowhere.

    `namesakes` bear it, too, and were not asked about. `similar` names are near an unknown one.
    `summary` counts the places by what matters to the question; `problems` are files that were
    not read whole: those that are asked about, and how many of the others.
    """

    meant: tuple[UseCount, ...] = ()
    places: tuple[TracedPlace, ...] = ()
    total: int = 0
    files: int = 0
    unresolved: tuple[TracedPlace, ...] = ()
    unresolved_count: int = 0
    namesakes: tuple[UseCount, ...] = ()
    namesake_count: int = 0
    unknown: str = ""
    similar: tuple[str, ...] = ()
    summary: str = ""
    problems: tuple[FileProblem, ...] = ()
    partly_read: int = 0
    commits: tuple[Commit, ...] = ()
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
