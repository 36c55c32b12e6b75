"""Judges the hits of one question: whether they answer it, and which of them are shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice, takewhile, tee

from commonplace.recall.choosing import Distinct, Judged, spread
from commonplace.recall.evidence import Evidence, evidence_of
from commonplace.recall.fitting import enough
from commonplace.recall.narrowing import Narrowed
from commonplace.recall.probability import (
    LISTED,
    QUESTION_LOOKS_AT,
    answered_probability,
    calibrated,
    hit_probability,
    is_known,
    non_increasing,
    raised_to,
)
from commonplace.recall.question import question_wording
from commonplace.recall.reranking import reranked
from commonplace.recall.values import MOST_HITS, RecallRequest, Verdict
from commonplace.retrieval.fusion import Scored
from commonplace.retrieval.scoring import WeighedTerms, counted

# If nothing relevant is known, the nearest passage is named if an answer is at least this likely.
# In homes of up to thirty notes this named the right one for 3 of 4 refused questions, and any for
# 2 of 768 unrelated ones (tuning half of benchmarks/recall/small.py).
_NEAREST_FROM = 0.2


class Judge:
    """Judges hits and chooses which to show, before retrieval reads their texts.

    Keeps its verdict and the judged hits for the answer.
    """

    def __init__(
        self,
        request: RecallRequest,
        within: Narrowed,
        query: WeighedTerms,
        *,
        is_read: bool = True,
        everything: bool = False,
    ) -> None:
        self._request = request
        self._is_read = is_read
        self._everything = everything
        self._within = within
        self._query = query
        self.shown: dict[int, Judged] = {}
        self.verdict = Verdict.NOTHING
        self.probability = 0.0
        self.left_out = 0
        self.looked_at = 0

    def rank(self, scored: Sequence[Scored]) -> Sequence[Scored]:
        """The hits to show, best first; the verdict is known afterwards."""
        self.looked_at = len(scored)
        passing = [one for one in scored if self._within.passes(one.chunk)]
        query = self._query
        wording = question_wording(self._request.question, query.weights)
        counts = {one.chunk.key: one.counts or counted(one.chunk, query) for one in passing}
        found = reranked(passing, counts, query, wording, self._within.class_of)
        evidence = evidence_of(found, counts, query, wording.names)
        judged = Distinct(found, self._judged(found, evidence), counts)
        self._decide(judged.first(QUESTION_LOOKS_AT))
        listed = [one.probability for one in judged.first(LISTED)]
        raised = raised_to(listed, self.probability)
        likely = (replace(one, probability=raised(one.probability)) for one in judged)
        if self._everything:
            chosen = list(islice(likely, MOST_HITS))
        else:
            chosen = self._chosen(likely, len(judged.first(self._request.limit)))
        self.shown = {one.chunk.key: one for one in judged.with_copies(chosen)}
        return [one.scored for one in chosen]

    def decide_list(self, shown: int, left_out: int) -> None:
        """A list answers for certain, unless nothing is in it."""
        if shown:
            self.verdict, self.probability, self.left_out = Verdict.ANSWERS, 1.0, left_out

    def _chosen(self, judged: Iterator[Judged], listed: int) -> list[Judged]:
        if self.verdict is Verdict.NOTHING:
            return list(islice(judged, self.probability >= _NEAREST_FROM))
        least, limit = self._request.least_probability, self._request.limit
        likely = takewhile(lambda one: one.probability >= least, judged)
        first = list(islice(likely, limit))
        most = enough([one.probability for one in first])
        self.left_out = listed - most
        return spread(chain(first, likely), most)

    def _judged(self, found: Sequence[Scored], evidence: Iterator[Evidence]) -> Iterator[Judged]:
        evidence, kept = tee(evidence)
        kinds = (self._within.kind_of(one.chunk) for one in found)
        return map(Judged, found, kept, non_increasing(map(hit_probability, evidence, kinds)))

    def _decide(self, judged: Sequence[Judged]) -> None:
        numbers, seen = calibrated(), [one.evidence for one in judged]
        self.probability = answered_probability(
            seen, [one.probability for one in judged], is_read=self._is_read
        )
        if not is_known(seen, is_read=self._is_read):
            self.verdict = Verdict.NOTHING
        elif self.probability < numbers.answers_from:
            self.verdict = Verdict.RELATED
        else:
            self.verdict = Verdict.ANSWERS
