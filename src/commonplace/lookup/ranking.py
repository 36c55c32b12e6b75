"""What a hit is worth: how well it matches, times whose word it is and where it stands.

Words and meaning make the base; every factor is named and explained where it is made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

from commonplace.model.chunk import ChunkTerms, TrustTier
from commonplace.model.query import ScorePart
from commonplace.retrieval.fusion import Scored
from commonplace.text.path_class import PathClass, path_class

BASE = frozenset({"lexical", "semantic"})
TRUST = {TrustTier.CANONICAL: 1.0, TrustTier.OPERATIONAL: 0.7, TrustTier.MEMORY: 0.4}
# Chosen on the questions that benchmarks/quality/workspace holds for tuning.
MATCH_BOOST = 0.5
CONTEXT = {
    PathClass.SOURCE: 1.0,
    PathClass.TEST: 1.0,
    PathClass.DOCS: 1.0,
    PathClass.TOOLS: 0.9,
    PathClass.HISTORY: 0.8,
    PathClass.FOREIGN: 0.5,
}
TEST_PENALTY = 0.8
# From the second chunk of one file on, each counts a little less than the one before.
BALANCE = 0.95
LEAST_BALANCE = 0.7
_ABOUT_TESTS = frozenset({"test", "spec", "fixtur", "mock"})


@dataclass(frozen=True, slots=True)
class Worth:
    """How far a source is to be trusted, and how much its owner wants it to weigh."""

    trust: TrustTier
    weight: float


def ranked(
    found: Sequence[Scored], worth: Mapping[int, Worth], terms: Collection[str]
) -> list[Scored]:
    """Best first, each with its parts; what belongs to no known source is left out."""
    known = [(one, worth.get(one.chunk.place.resource or 0)) for one in found]
    weighed = [
        replace(one, parts=(*one.parts, *_factors(one.chunk, source, terms)))
        for one, source in known
        if source
    ]
    balanced = _balanced(sorted(weighed, key=_order))
    return [replace(one, score=min(1.0, _worth(one))) for one in sorted(balanced, key=_order)]


def _factors(chunk: ChunkTerms, source: Worth, terms: Collection[str]) -> tuple[ScorePart, ...]:
    kind = path_class(chunk.path or "")
    named = 1 + MATCH_BOOST * _named(chunk, terms)
    tests = TEST_PENALTY if kind is PathClass.TEST and not _ABOUT_TESTS & set(terms) else 1.0
    return (
        ScorePart("trust", TRUST[source.trust], f"{source.trust} source"),
        ScorePart("ranking_weight", source.weight, "weight of the source"),
        ScorePart("match_boost", named, "title, section or symbol matches"),
        ScorePart("context_multiplier", CONTEXT[kind], f"path of {kind}"),
        ScorePart("test_penalty_multiplier", tests, "test file, and tests were not asked for"),
    )


def _named(chunk: ChunkTerms, terms: Collection[str]) -> float:
    """The share of the query's terms that the title, a heading or the symbol has."""
    names = set(chunk.context_terms.split())
    return sum(term in names for term in terms) / len(terms) if terms else 0.0


def _balanced(found: Sequence[Scored]) -> list[Scored]:
    seen: Counter[object] = Counter()
    balanced = []
    for one in found:
        factor = max(LEAST_BALANCE, BALANCE ** seen[one.chunk.owner])
        part = ScorePart("source_balance_multiplier", factor, "more of the same file")
        balanced.append(replace(one, parts=(*one.parts, part)))
        seen[one.chunk.owner] += 1
    return balanced


def _worth(one: Scored) -> float:
    """The sum of what words and meaning say, times every factor."""
    base = sum(part.value for part in one.parts if part.name in BASE)
    return base * prod(part.value for part in one.parts if part.name not in BASE)


def _order(one: Scored) -> tuple[float, int]:
    return -_worth(one), one.chunk.key
