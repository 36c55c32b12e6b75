"""Reranks hits by how they match the question's wording, and by the purpose of their file. Pure.

Adds a few bonuses and penalties on the scale of the score, each with its reason. They were tuned
on questions that are not part of the reported results: docs/decisions/0091.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

from commonplace.model.chunk import ChunkTerms
from commonplace.model.commits import COMMIT_KIND
from commonplace.model.query import ScorePart
from commonplace.recall.evidence import Counts, share_of
from commonplace.recall.question import QuestionWording
from commonplace.retrieval.fusion import Scored
from commonplace.retrieval.scoring import CountedTerms, WeighedTerms
from commonplace.text.path_class import PathClass
from commonplace.workspace.search.wording import QueryIntent

# Hits further down never moved into the first ones.
LOOKED_AT = 60
RARE_WORDS = 0.1
PHRASES = 0.15
TIMES = 0.15
TESTS = -0.07
PROSE_FOR_PLACES = -0.08
ENTRIES_FOR_CODE = -0.08
CHANGELOGS = -0.04
COMMITS = -0.12

# The purpose of the file that a passage is from; None for entries and documents.
ClassOf = Callable[[ChunkTerms], PathClass | None]


def reranked(
    found: Sequence[Scored],
    counts: Counts,
    query: WeighedTerms,
    wording: QuestionWording,
    of: ClassOf,
) -> list[Scored]:
    """Rescore and sort the hits, best first, with the parts added; ties keep their order."""
    rescored = [
        _with(one, _bonuses(one.chunk, counts[one.chunk.key], query, wording, of(one.chunk)))
        for one in found[:LOOKED_AT]
    ]
    return sorted([*rescored, *found[LOOKED_AT:]], key=lambda one: -one.score)


def _with(one: Scored, parts: Sequence[ScorePart]) -> Scored:
    added = [part for part in parts if part.value]
    score = one.score + sum(part.value for part in added)
    return replace(one, score=score, parts=(*one.parts, *added))


def _bonuses(
    chunk: ChunkTerms,
    has: CountedTerms,
    query: WeighedTerms,
    wording: QuestionWording,
    kind: PathClass | None,
) -> tuple[ScorePart, ...]:
    share, phrases = share_of(has, query), _phrases(chunk, query)
    timed = wording.wants_time and not wording.times.isdisjoint(chunk.terms.split())
    return (
        ScorePart("lexical", RARE_WORDS * share, "has rare words of the question"),
        ScorePart("phrase", PHRASES * phrases, "has words of the question side by side"),
        ScorePart("time", TIMES * timed, "has a time, and the question asks for one"),
        _commit_penalty(wording) if chunk.kind == COMMIT_KIND else _purpose(kind, wording),
    )


def _phrases(chunk: ChunkTerms, query: WeighedTerms) -> float:
    """The share of the question's weight in pairs of neighbouring words that are adjacent here."""
    if not query.total:
        return 0.0
    text = f" {chunk.terms} \n {chunk.context_terms} "
    weights = query.weights
    pairs = ((a, b) for a, b in pairwise(weights) if f" {a} {b} " in text)
    return sum(weights[a] + weights[b] for a, b in pairs) / (2 * query.total)


def _commit_penalty(wording: QuestionWording) -> ScorePart:
    value = 0.0 if wording.about_changes else COMMITS
    return ScorePart("purpose", value, "a commit, but the question is not about changes")


def _purpose(kind: PathClass | None, wording: QuestionWording) -> ScorePart:
    if kind is None and wording.wants_code:
        return ScorePart("purpose", ENTRIES_FOR_CODE, "not code, but the question asks for code")
    if kind is PathClass.TEST and not wording.about_tests:
        return ScorePart("purpose", TESTS, "a test, but the question is not about tests")
    prose = kind in (PathClass.DOCS, PathClass.HISTORY)
    value = PROSE_FOR_PLACES if prose and wording.intent is QueryIntent.PLACE else 0.0
    value += CHANGELOGS if kind is PathClass.HISTORY else 0.0
    return ScorePart("purpose", value, f"path of {kind}")
