"""Orders what was found anew: by how a passage says what is asked, and by what it is for. Pure.

What is added to a score are a few bonuses in its own scale, each with its reason; they were chosen
on questions that are not reported: docs/decisions/0091.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

from commonplace.model.chunk import ChunkTerms
from commonplace.model.commits import COMMIT_KIND
from commonplace.model.query import ScorePart
from commonplace.recall.asking import QuestionWording
from commonplace.recall.evidence import Counts, share_of
from commonplace.retrieval.fusion import Scored
from commonplace.retrieval.scoring import CountedTerms, WeighedTerms
from commonplace.text.path_class import PathClass
from commonplace.workspace.search.wording import QueryIntent

# What is further down was never brought among the first.
LOOKED_AT = 60
RARE_WORDS = 0.1
PHRASES = 0.15
TIMES = 0.15
TESTS = -0.07
PROSE_FOR_PLACES = -0.08
ENTRIES_FOR_CODE = -0.08
CHANGELOGS = -0.04
COMMITS = -0.12

# What a passage of a file is for; None for what was written as an entry or document.
ClassOf = Callable[[ChunkTerms], PathClass | None]


def reranked(
    found: Sequence[Scored],
    counts: Counts,
    query: WeighedTerms,
    asked: QuestionWording,
    of: ClassOf,
) -> list[Scored]:
    """Best first, each with the parts that were added; of equal ones the order stays."""
    looked = [
        _with(one, _bonuses(one.chunk, counts[one.chunk.key], query, asked, of(one.chunk)))
        for one in found[:LOOKED_AT]
    ]
    return sorted([*looked, *found[LOOKED_AT:]], key=lambda one: -one.score)


def _with(one: Scored, parts: Sequence[ScorePart]) -> Scored:
    added = [part for part in parts if part.value]
    score = one.score + sum(part.value for part in added)
    return replace(one, score=score, parts=(*one.parts, *added))


def _bonuses(
    chunk: ChunkTerms,
    has: CountedTerms,
    query: WeighedTerms,
    asked: QuestionWording,
    kind: PathClass | None,
) -> tuple[ScorePart, ...]:
    share, phrases = share_of(has, query), _phrases(chunk, query)
    timed = asked.wants_time and not asked.times.isdisjoint(chunk.terms.split())
    return (
        ScorePart("lexical", RARE_WORDS * share, "has rare words of the question"),
        ScorePart("phrase", PHRASES * phrases, "has words of the question side by side"),
        ScorePart("time", TIMES * timed, "tells a time, which is asked for"),
        _told_by_commit(asked) if chunk.kind == COMMIT_KIND else _purpose(kind, asked),
    )


def _phrases(chunk: ChunkTerms, query: WeighedTerms) -> float:
    """The weight of neighbours in the question that are neighbours here, as a share of all."""
    if not query.total:
        return 0.0
    text = f" {chunk.terms} \n {chunk.context_terms} "
    weights = query.weights
    pairs = ((a, b) for a, b in pairwise(weights) if f" {a} {b} " in text)
    return sum(weights[a] + weights[b] for a, b in pairs) / (2 * query.total)


def _told_by_commit(asked: QuestionWording) -> ScorePart:
    value = 0.0 if asked.about_changes else COMMITS
    return ScorePart("purpose", value, "commit, and what changed was not asked for")


def _purpose(kind: PathClass | None, asked: QuestionWording) -> ScorePart:
    if kind is None and asked.wants_code:
        return ScorePart("purpose", ENTRIES_FOR_CODE, "no code, which is asked for")
    if kind is PathClass.TEST and not asked.about_tests:
        return ScorePart("purpose", TESTS, "test file, and tests were not asked for")
    prose = kind in (PathClass.DOCS, PathClass.HISTORY)
    value = PROSE_FOR_PLACES if prose and asked.intent is QueryIntent.PLACE else 0.0
    value += CHANGELOGS if kind is PathClass.HISTORY else 0.0
    return ScorePart("purpose", value, f"path of {kind}")
