"""Divides a question of several sentences, such as a whole task, into those that may be asked
alone, and puts their answers together. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from commonplace.recall.fitting import HitPassage, enough, fitted
from commonplace.recall.values import Recalled, RecallRequest, Verdict

# How many parts are asked, and from how many words on a question is long.
_MOST_PARTS = 8
_LONG, _LEAST_WORDS = 30, 4
_PART = re.compile(r"(?<=[.!?;:])\s+|\n+")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class FoundAnswer:
    """An answer without its hits, the passages that they are cut from, and the weights of the
    question's terms."""

    answer: Recalled
    passages: Sequence[HitPassage]
    weights: Mapping[str, float]

    @property
    def verdict(self) -> Verdict:
        return self.answer.verdict

    @property
    def hits(self) -> int:
        """The number of hits, with those left out."""
        return len(self.passages) + self.answer.left_out

    def fitted(self, request: RecallRequest) -> Recalled:
        """The answer with as many hits as the request's limit and budget allow."""
        shown = self.passages[: request.limit]
        answer = replace(self.answer, left_out=self.hits - len(shown))
        return fitted(answer, shown, self.weights, request.budget)


def together(found: Sequence[FoundAnswer]) -> FoundAnswer:
    """The answers to several questions as one, as likely as the likeliest. Each hit is there once,
    and the first of each question for certain. `left_out` is the least that it can be: questions
    may leave out the same hits."""
    likely = max((one.answer for one in found), key=lambda answer: answer.probability)
    every = chain.from_iterable(one.passages for one in found)
    distinct: dict[tuple[str, str], HitPassage] = {}
    for passage in sorted(every, key=lambda one: -one.hit.probability):
        distinct.setdefault(_key(passage), passage)
    firsts = {_key(first) for one in found for first in one.passages[:1]}
    most = enough([passage.hit.probability for passage in distinct.values()])
    shown = [
        passage
        for place, (key, passage) in enumerate(distinct.items())
        if place < most or key in firsts
    ]
    answer = replace(
        likely,
        left_out=max(len(distinct), *(one.hits for one in found)) - len(shown),
        notices=tuple(dict.fromkeys(chain.from_iterable(one.answer.notices for one in found))),
    )
    weights = {term: weight for one in found for term, weight in one.weights.items()}
    return FoundAnswer(answer, shown, weights)


def _key(passage: HitPassage) -> tuple[str, str]:
    return passage.hit.reference, passage.text


def parts_of(question: str) -> tuple[str, ...]:
    """The sentences of a long question that may be questions of their own, likeliest first."""
    if len(_WORD.findall(question)) < _LONG:
        return ()
    counts = _counted(question)
    ordered = sorted(counts, key=lambda part: (not part.endswith("?"), -counts[part]))
    return _several(ordered)


def questions_of(text: str) -> tuple[str, ...]:
    """The questions in a text that has several."""
    return _several([part for part in _counted(text) if part.endswith("?")])


def _counted(text: str) -> dict[str, int]:
    """The sentences with enough words to be asked alone, with their numbers of words."""
    counts = {part.strip(): len(_WORD.findall(part)) for part in _PART.split(text)}
    return {part: count for part, count in counts.items() if count >= _LEAST_WORDS}


def _several(parts: Sequence[str]) -> tuple[str, ...]:
    return tuple(parts[:_MOST_PARTS]) if len(parts) > 1 else ()
