"""Ranks hits: how well one matches, multiplied by factors for its source and location.

Words and meaning give the base score; each factor is named and explained where it is computed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from commonplace.model.chunk import ChunkTerms, Owner, TrustTier
from commonplace.model.query import ScorePart
from commonplace.retrieval.fusion import Scored
from commonplace.text.path_class import PathClass, path_class
from commonplace.workspace.search.wording import QueryIntent

BASE = frozenset({"lexical", "semantic"})
TRUST = {TrustTier.CANONICAL: 1.0, TrustTier.OPERATIONAL: 0.7, TrustTier.MEMORY: 0.4}
# Chosen on the tuning questions of benchmarks/quality/workspace: see docs/decisions/0029 and 0031.
MATCH_BOOST = 0.05
# A query of one word is a name: what is called so ranks above what only uses it.
NAME_BOOST = 0.3
CONTEXT = {
    PathClass.DOCS: 1.0,
    PathClass.SOURCE: 0.85,
    PathClass.TEST: 0.85,
    PathClass.TOOLS: 0.75,
    PathClass.HISTORY: 0.7,
    PathClass.FOREIGN: 0.4,
}
# The factor for documentation, by what the query wants to see.
PROSE = {QueryIntent.PLACE: 0.7, QueryIntent.WORKINGS: 0.9, QueryIntent.ANYTHING: 1.0}
TEST_PENALTY = 0.6
# Each further chunk of a file counts this much less than the one before.
BALANCE = 0.7
LEAST_BALANCE = 0.5
# Bonus if the found chunks of a file together have every term.
TOGETHER = 0.2
# Bonus for a hit if a second chunk of its file scores as well.
COMPANY = 0.18
ABOUT_TESTS = frozenset({"test", "spec", "fixtur", "mock"})


@dataclass(frozen=True, slots=True)
class SourceWeighting:
    """How much a source counts: its trust tier, the weight set by its owner, and its folder in the
    project."""

    trust: TrustTier
    weight: float
    folder: str = ""


def ranked(
    found: Sequence[Scored],
    worth: Mapping[int, SourceWeighting],
    terms: Collection[str],
    *,
    name: bool = False,
    intent: QueryIntent = QueryIntent.ANYTHING,
) -> list[Scored]:
    """The hits with their score parts, best first; chunks of unknown sources are dropped.

    `name` is set for a query of one word; `intent` is what the query wants to see.
    """
    query = _Query(frozenset(terms), NAME_BOOST if name else MATCH_BOOST, intent)
    weighed = [
        _Weighed(one, (*one.parts, *_factors(one.chunk, source, query)))
        for one in found
        if (source := worth.get(one.chunk.place.resource or 0))
    ]
    balanced = sorted(_balanced(sorted(weighed, key=_order), query.terms), key=_order)
    return [
        Scored(one.found.chunk, min(1.0, one.value), one.parts, one.found.similarity)
        for one in balanced
    ]


@dataclass(frozen=True, slots=True)
class _Query:
    """What the factors need of a query; `boost` is the bonus for a name with every term."""

    terms: frozenset[str]
    boost: float
    intent: QueryIntent


class _Weighed:
    """A hit with its value: the base score multiplied by all factors."""

    __slots__ = ("found", "parts", "value")

    def __init__(self, found: Scored, parts: tuple[ScorePart, ...]) -> None:
        self.found = found
        self.parts = parts
        base, factor = 0.0, 1.0
        for part in parts:
            if part.name in BASE:
                base += part.value
            else:
                factor *= part.value
        self.value = base * factor


def _factors(chunk: ChunkTerms, source: SourceWeighting, query: _Query) -> tuple[ScorePart, ...]:
    # Text without a path was written to be read, whatever the query.
    kind = path_class(f"{source.folder}/{chunk.path}") if chunk.path else PathClass.DOCS
    intent = query.intent if chunk.path else QueryIntent.ANYTHING
    named = 1 + query.boost * _named(chunk, query.terms)
    tests = TEST_PENALTY if kind is PathClass.TEST and not query.terms & ABOUT_TESTS else 1.0
    return (
        ScorePart("trust", TRUST[source.trust], f"{source.trust} source"),
        ScorePart("ranking_weight", source.weight, "weight of the source"),
        ScorePart("match_boost", named, "title, section, path or symbol matches"),
        _context(kind, intent),
        ScorePart("test_penalty_multiplier", tests, "test file, and tests were not asked for"),
    )


def _context(kind: PathClass, intent: QueryIntent) -> ScorePart:
    if kind in (PathClass.DOCS, PathClass.HISTORY) and intent is not QueryIntent.ANYTHING:
        reason = f"path of {kind}, and {intent} is asked for"
        return ScorePart("context_multiplier", CONTEXT[kind] * PROSE[intent], reason)
    return ScorePart("context_multiplier", CONTEXT[kind], f"path of {kind}")


def _named(chunk: ChunkTerms, terms: frozenset[str]) -> float:
    """The share of the query's terms in the title, headings, path or symbol."""
    return len(terms.intersection(chunk.context_terms.split())) / len(terms) if terms else 0.0


def _balanced(found: Sequence[_Weighed], terms: frozenset[str]) -> Iterator[_Weighed]:
    """Apply the factors per file: for a second good chunk, for having all terms, and for
    repetition."""
    files: dict[Owner, _File] = {}
    for one in found:
        files.setdefault(one.found.chunk.owner, _File()).add(one, terms)
    seen: Counter[Owner] = Counter()
    for one in found:
        owner = one.found.chunk.owner
        lift = files[owner].company(one.value) * files[owner].together(terms)
        factor = lift * max(LEAST_BALANCE, BALANCE ** seen[owner])
        part = ScorePart("source_balance_multiplier", factor, "what else of its file is found")
        yield _Weighed(one.found, (*one.parts, part))
        seen[owner] += 1


class _File:
    """The hits of one file: their values, best first, and which query terms they have."""

    __slots__ = ("_said", "_values")

    def __init__(self) -> None:
        self._values: list[float] = []
        self._said: set[str] = set()

    def add(self, one: _Weighed, terms: frozenset[str]) -> None:
        self._values.append(one.value)
        chunk = one.found.chunk
        text = f" {chunk.terms} {chunk.context_terms} "
        self._said.update(term for term in terms - self._said if f" {term} " in text)

    def company(self, value: float) -> float:
        """The factor for how close the second-best value comes to this one."""
        second = self._values[1] if len(self._values) > 1 else 0.0
        return 1 + COMPANY * min(1.0, second / value) if value else 1.0

    def together(self, terms: frozenset[str]) -> float:
        return 1 + TOGETHER * len(self._said) / len(terms) if terms else 1.0


def _order(one: _Weighed) -> tuple[float, int]:
    return -one.value, one.found.chunk.key
