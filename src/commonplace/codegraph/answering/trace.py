"""The values of `trace`: requests by relation and name, and results. Pure.

A place is a line of a file. `depth` is its distance from the symbol in steps, and `confidence` that
of the weakest of these steps.
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


# Relations of files and folders, which are named by path.
OF_FILES = frozenset({Relation.IMPORTERS, Relation.OUTLINE, Relation.UNUSED, Relation.CYCLES})
# Relations that are followed step by step, with the default depth.
DEFAULT_DEPTHS = {
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
    """A question about the symbol, file or folder `symbol`.

    `file` narrows to symbols defined in that file. `to` is the end of a path, or the start of a
    history. `depth` limits the steps that are followed; 0 means the relation's default. The result
    has `limit` places from `offset` on, each with `context` lines around it.
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
        return self.depth or DEFAULT_DEPTHS.get(self.relation, 1)


@dataclass(frozen=True, slots=True)
class TracedPlace:
    """A place in a result.

    `symbol` is the one defined there or the one that encloses the use; "" outside every symbol.
    `text` is the source line, with lines around it on request. `note` is an additional remark.
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
class FoundPlaces:
    """The places of an answer, before a page is cut from them.

    `unlinked` are the kinds of use of which unlinked ones may belong to the answer; None means all.
    `gaps` are calls made by the symbol whose target is unknown. `complete` is False if a limit cut
    the search.
    """

    places: Sequence[TracedPlace] = ()
    summary: str = ""
    unlinked: frozenset[str] | None = frozenset()
    gaps: Sequence[TracedPlace] = ()
    complete: bool = True


@dataclass(frozen=True, slots=True)
class UseCount:
    """A definition with the number of its uses; `why` is how it relates to the question."""

    place: TracedPlace
    uses: int = 0
    why: str = ""


@dataclass(frozen=True, slots=True)
class TraceResult:
    """One page of an answer.

    `definitions` are those in question; `places` is a page out of `total`. `unresolved` uses
    have the right name but no known target. `namesakes` are other symbols of the name. For an
    `unknown` name there are `similar` names; `outside` is one that is used but not defined here.
    `summary` breaks the total down. `problems` are files of the definitions that were read only in
    part; `partly_read` counts all other such files. `complete` is False if a limit cut the search.
    """

    definitions: tuple[UseCount, ...] = ()
    places: tuple[TracedPlace, ...] = ()
    total: int = 0
    files: int = 0
    unresolved: tuple[TracedPlace, ...] = ()
    unresolved_count: int = 0
    namesakes: tuple[UseCount, ...] = ()
    namesake_count: int = 0
    unknown: str = ""
    outside: str = ""
    similar: tuple[str, ...] = ()
    summary: str = ""
    problems: tuple[FileProblem, ...] = ()
    partly_read: int = 0
    commits: tuple[Commit, ...] = ()
    complete: bool = True


def ordered(places: Sequence[TracedPlace]) -> tuple[TracedPlace, ...]:
    """Remove duplicates of a line, and sort the nearest and most certain places first."""
    best: dict[tuple[int, int, str], TracedPlace] = {}
    for one in places:
        key = (one.document, one.line, one.symbol)
        known = best.get(key)
        if known is None or (one.depth, -one.confidence) < (known.depth, -known.confidence):
            best[key] = one
    return tuple(sorted(best.values(), key=lambda p: (p.depth, -p.confidence, p.path, p.line)))
