"""A text as the moments in it: the sentences that carry each, how likely it is one, what it says.

In two steps: `drafts` reads the text and may be done elsewhere; `moments` is told the vectors of
its sentences. Decides nothing about keeping a moment.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum, auto

from commonplace.analysis.confidence import (
    DEFAULT_THRESHOLDS,
    DEFAULT_WEIGHTS,
    ConfidenceThresholds,
    Weights,
    assess,
    level_of,
)
from commonplace.analysis.learning import contributing
from commonplace.analysis.likelihood import (
    Likelihood,
    SentenceReading,
    likelihood,
    reading,
    tells_trouble,
)
from commonplace.analysis.scale import exact
from commonplace.capture.about import (
    alternatives_of,
    file_context_of,
    project_called,
    project_of,
    reason_of,
    tags_of,
    title_of,
)
from commonplace.capture.blocks import candidates, is_short, turns_of
from commonplace.capture.carrying import SaidSentence, sentences_in
from commonplace.model.call import PLAIN_CALL

NEAR_THRESHOLD = 0.8  # of the threshold
# More sentences than these are no longer one thought.
LONGEST_RUN = 8
LONGEST_SENTENCE = 600
_CARRIES = 0.5
# A sentence at an end that is less likely than this alone goes, if the rest loses hardly anything.
_EMPTY, _SLACK = 0.1, 0.06
_AROUND = 1
# Sentences are told apart in so many degrees; of alike ones the earlier makes the title.
_DEGREES = 3
_DECISION = "decision"

Vector = Sequence[float]


class MomentAction(StrEnum):
    CAPTURE = auto()
    REVIEW = auto()
    IGNORE = auto()


@dataclass(frozen=True, slots=True)
class Draft:
    """A stretch of text that moments may be cut from; one that is `whole` is not cut.

    `detected_by` names the documented factors that spoke for it.
    """

    text: str
    sentences: tuple[SaidSentence, ...]
    whole: bool
    called: str | None
    detected_by: tuple[str, ...]

    def spoken(self) -> tuple[str, ...]:
        """What is embedded; so much of a sentence says what it is about."""
        return tuple(self.text[one.start : one.end][:LONGEST_SENTENCE] for one in self.sentences)


@dataclass(frozen=True, slots=True)
class Moment:
    """Sentences that may be worth keeping, how likely, and what they seem to be about."""

    text: str
    summary: str
    type: str
    project: str
    file_context: str
    score: float
    level: str
    detected_by: tuple[str, ...]
    tags: tuple[str, ...] = ()
    reason: str | None = None
    alternatives: tuple[str, ...] = ()
    centre: Vector = field(default=(), repr=False)
    """The mean of its sentences' vectors."""


def drafts(
    text: str, weights: Weights = DEFAULT_WEIGHTS, check: Callable[[], None] = PLAIN_CALL.check
) -> tuple[Draft, ...]:
    """Every stretch that could hold a moment, in order.

    `check` is called before each: it may raise to end the work.
    """
    called, whole, turn = project_called(text), is_short(text), turns_of(text)
    found = []
    for candidate in candidates(text):
        check()
        found.append(
            Draft(
                text=candidate,
                sentences=sentences_in(candidate, turn),
                whole=whole,
                called=called,
                detected_by=contributing(assess(candidate, weights=weights)),
            )
        )
    return tuple(found)


def moments(
    draft: Draft,
    vectors: Sequence[Vector],
    thresholds: ConfidenceThresholds = DEFAULT_THRESHOLDS,
) -> tuple[Moment, ...]:
    """The moments of a draft, at least one; `vectors` are those of its sentences."""
    readings = tuple(
        reading(sentence.signs, vector)
        for sentence, vector in zip(draft.sentences, vectors, strict=True)
    )
    return tuple(
        replace(
            _moment(draft, readings, first, last, thresholds), centre=_mean(vectors[first:last])
        )
        for first, last in _runs(draft, readings)
    )


def _mean(vectors: Sequence[Vector]) -> Vector:
    return tuple(math.fsum(each) / len(vectors) for each in zip(*vectors, strict=True))


def verdict_of(score: float, *, threshold: float, auto_save: bool) -> MomentAction:
    """What reaches the threshold is captured if that was asked for; what comes near, reviewed."""
    if score >= threshold:
        return MomentAction.CAPTURE if auto_save else MomentAction.REVIEW
    return (
        MomentAction.REVIEW if score >= exact(NEAR_THRESHOLD * threshold) else MomentAction.IGNORE
    )


def _runs(draft: Draft, readings: Sequence[SentenceReading]) -> Iterator[tuple[int, int]]:
    """Where moments begin and end, as places of sentences; the whole of a draft that is not cut."""
    count = len(readings)
    if draft.whole or count <= 1:
        yield 0, count
        return
    for first, last in _stretches(draft, readings):
        yield _trimmed(draft, readings, first, last)


def _stretches(draft: Draft, readings: Sequence[SentenceReading]) -> Iterator[tuple[int, int]]:
    """Rows of sentences that read like a moment with those beside them; else the best ones."""
    count = len(readings)
    if count <= LONGEST_RUN:
        yield 0, count
        return
    near = [
        _likelihood(draft, readings, max(0, at - _AROUND), min(count, at + 1 + _AROUND)).probability
        for at in range(count)
    ]
    found = False
    at = 0
    while at < count:
        end = at
        while end < count and near[end] >= _CARRIES and end - at < LONGEST_RUN:
            end += 1
        if end > at:
            found = True
            yield at, end
        at = max(end, at + 1)
    if not found:
        best = max(range(count), key=near.__getitem__)
        yield max(0, best - _AROUND), min(count, best + 1 + _AROUND)


def _trimmed(
    draft: Draft, readings: Sequence[SentenceReading], first: int, last: int
) -> tuple[int, int]:
    """Where it begins and ends once its ends that carry nothing are gone; what was wrong stays."""
    now = _likelihood(draft, readings, first, last).probability
    while last - first > 1:
        shorter = [
            (_likelihood(draft, readings, begin, end).probability, begin, end)
            for begin, end, edge in ((first + 1, last, first), (first, last - 1, last - 1))
            if _likelihood(draft, readings, edge, edge + 1).probability < _EMPTY
            and not tells_trouble(readings[edge].signs)
        ]
        best, begin, end = max(shorter, default=(-1.0, first, last))
        if best < now - _SLACK:
            break
        now, first, last = best, begin, end
    return first, last


def _text(draft: Draft, first: int, last: int) -> str:
    if draft.whole or not draft.sentences:
        return draft.text
    return draft.text[draft.sentences[first].start : draft.sentences[last - 1].tail].rstrip()


def _likelihood(
    draft: Draft, readings: Sequence[SentenceReading], first: int, last: int
) -> Likelihood:
    return likelihood(_text(draft, first, last), readings[first:last])


def _moment(
    draft: Draft,
    readings: Sequence[SentenceReading],
    first: int,
    last: int,
    thresholds: ConfidenceThresholds,
) -> Moment:
    text = _text(draft, first, last)
    likely = _likelihood(draft, readings, first, last)
    tags = tags_of(text)
    decided = _DECISION in tags
    return Moment(
        text=text,
        summary=title_of(text, _ranked(draft, readings, first, last)),
        type=likely.type,
        project=project_called(text) or draft.called or project_of(text),
        file_context=file_context_of(text),
        score=likely.probability,
        level=level_of(likely.probability, thresholds),
        detected_by=draft.detected_by,
        tags=tags,
        reason=reason_of(text) if decided else None,
        alternatives=alternatives_of(text) if decided else (),
    )


def _ranked(
    draft: Draft, readings: Sequence[SentenceReading], first: int, last: int
) -> tuple[str, ...]:
    """Sentences, the one that decides first."""
    alone = {
        at: int(_DEGREES * _likelihood(draft, readings, at, at + 1).probability)
        for at in range(first, last)
    }
    spoken = draft.spoken()
    return tuple(spoken[at] for at in sorted(alone, key=lambda at: -alone[at]))
