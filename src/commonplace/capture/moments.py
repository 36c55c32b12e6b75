"""Cut moments from a text: the sentences that carry each, its probability, its metadata.

In two steps: `drafts` reads the text and may run in a child process; `moments` is given the vectors
of the sentences. Whether a moment is kept is decided elsewhere.
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
    TextForm,
    head,
    tells_trouble,
)
from commonplace.analysis.scale import exact
from commonplace.capture.about import (
    DECISION,
    OPEN_QUESTION,
    TYPE_OF_QUESTIONS,
    alternatives_of,
    file_context_of,
    project_called,
    project_of,
    reason_of,
    subject_of,
    tags_of,
    title_of,
    type_told,
)
from commonplace.capture.blocks import candidates, is_short, turns_of
from commonplace.capture.carrying import SaidSentence, sentences_in
from commonplace.capture.rules import words
from commonplace.model.call import PLAIN_CALL

NEAR_THRESHOLD = 0.8  # of the threshold
# A longer run of sentences is more than one thought.
LONGEST_RUN = 8
LONGEST_SENTENCE = 600
_CARRIES = 0.5
_SHOWN = NEAR_THRESHOLD * DEFAULT_THRESHOLDS.high
_PARAGRAPHS = "\n\n"
# A sentence at an end is dropped if it is less likely than this alone and the rest loses little.
_EMPTY, _SLACK = 0.1, 0.06
_AROUND = 1
# Probabilities are compared in so many steps; of equal sentences the first makes the title.
_DEGREES = 3
# The type of what to do again: decisions, rules, ways that work.
_CHOSEN = "pattern"

Vector = Sequence[float]
Run = tuple[int, int]
"""The index of the first sentence, and of the one after the last."""


class MomentAction(StrEnum):
    CAPTURE = auto()
    REVIEW = auto()
    IGNORE = auto()


@dataclass(frozen=True, slots=True)
class Draft:
    """A section of a text from which moments may be cut; a `whole` one is kept as it stands.

    `detected_by` names the documented factors that contributed.
    """

    text: str
    sentences: tuple[SaidSentence, ...]
    whole: bool
    called: str | None
    detected_by: tuple[str, ...]

    def spoken(self) -> tuple[str, ...]:
        """The text of each sentence that is embedded."""
        return tuple(self.text[one.start : one.end][:LONGEST_SENTENCE] for one in self.sentences)


@dataclass(frozen=True, slots=True)
class Moment:
    """Sentences that may be worth keeping, the probability that they are, and their metadata."""

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


@dataclass(frozen=True, slots=True)
class _Scorer:
    """Scores any run of sentences of a draft."""

    draft: Draft
    form: TextForm
    readings: tuple[SentenceReading, ...]

    def text(self, run: Run) -> str:
        """The run's text; a draft that is kept whole has its surroundings too."""
        draft, (first, last) = self.draft, run
        if not draft.sentences or (draft.whole and run == (0, len(draft.sentences))):
            return draft.text
        return draft.text[draft.sentences[first].start : draft.sentences[last - 1].tail].rstrip()

    def likelihood(self, run: Run) -> Likelihood:
        return head(self.form).likelihood(self.text(run), self.readings[slice(*run)])

    def probability(self, run: Run) -> float:
        return self.likelihood(run).probability


def drafts(
    text: str, weights: Weights = DEFAULT_WEIGHTS, check: Callable[[], None] = PLAIN_CALL.check
) -> tuple[Draft, ...]:
    """Every section that could hold a moment, in order.

    `check` is called before each; it may raise to end the work.
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
    form: TextForm = TextForm.TALK,
) -> tuple[Moment, ...]:
    """The moments of a draft, at least one; `vectors` are those of its sentences."""
    known = head(form)
    readings = tuple(
        known.reading(sentence.signs, vector)
        for sentence, vector in zip(draft.sentences, vectors, strict=True)
    )
    scorer = _Scorer(draft, form, readings)
    return tuple(
        replace(_moment(scorer, run, thresholds), centre=_mean(vectors[slice(*run)]))
        for run in _runs(scorer)
    )


def _mean(vectors: Sequence[Vector]) -> Vector:
    return tuple(math.fsum(each) / len(vectors) for each in zip(*vectors, strict=True))


def verdict_of(score: float, *, threshold: float, auto_save: bool) -> MomentAction:
    """Capture a moment at the threshold if that is wanted; put one near it up for review."""
    if score >= threshold:
        return MomentAction.CAPTURE if auto_save else MomentAction.REVIEW
    return (
        MomentAction.REVIEW if score >= exact(NEAR_THRESHOLD * threshold) else MomentAction.IGNORE
    )


def _runs(scorer: _Scorer) -> Iterator[Run]:
    """The runs of sentences that are moments; a draft that is kept whole is one or several."""
    count = len(scorer.readings)
    if scorer.draft.whole or count <= 1:
        run = (0, count)
        yield from _announced(scorer, _trimmed(scorer, run) if _is_padded(scorer, run) else run)
        return
    for run in _stretches(scorer):
        yield from _announced(scorer, _trimmed(scorer, run))


def _is_padded(scorer: _Scorer, run: Run) -> bool:
    """Whether a short text has paragraphs, as summaries of agents have, and is not kept as one."""
    talk = scorer.form is TextForm.TALK and _PARAGRAPHS in scorer.draft.text.strip()
    return talk and bool(scorer.readings) and scorer.probability(run) < _SHOWN


def _announced(scorer: _Scorer, run: Run) -> Iterator[Run]:
    """Cut before a sentence that announces something else ("Gotcha: ..."), if both parts carry."""
    first, last = run
    for place in range(first + 1, last):
        if not _announces(scorer, place):
            continue
        parts = [_trimmed(scorer, part) for part in ((first, place), (place, last))]
        if all(scorer.probability(part) >= _CARRIES for part in parts):
            yield parts[0]
            yield from _announced(scorer, parts[1])
            return
    yield run


def _announces(scorer: _Scorer, place: int) -> bool:
    sentence = scorer.draft.sentences[place]
    return bool(words().announcement.match(scorer.draft.text, sentence.start, sentence.end))


def _stretches(scorer: _Scorer) -> Iterator[Run]:
    """Runs of sentences that read like a moment with their neighbours; else the best of them."""
    count = len(scorer.readings)
    if count <= LONGEST_RUN:
        yield 0, count
        return
    near = [
        scorer.probability((max(0, place - _AROUND), min(count, place + 1 + _AROUND)))
        for place in range(count)
    ]
    found = False
    place = 0
    while place < count:
        end = place
        while end < count and near[end] >= _CARRIES and end - place < LONGEST_RUN:
            end += 1
        if end > place:
            found = True
            yield place, end
        place = max(end, place + 1)
    if not found:
        best = max(range(count), key=near.__getitem__)
        yield max(0, best - _AROUND), min(count, best + 1 + _AROUND)


def _trimmed(scorer: _Scorer, run: Run) -> Run:
    """The run without empty sentences at its ends; what was wrong stays."""
    first, last = run
    now = scorer.probability(run)
    while last - first > 1:
        shorter = [
            (scorer.probability((begin, end)), begin, end)
            for begin, end, edge in ((first + 1, last, first), (first, last - 1, last - 1))
            if scorer.probability((edge, edge + 1)) < _EMPTY
            and not tells_trouble(scorer.readings[edge].signs)
        ]
        best, begin, end = max(shorter, default=(-1.0, first, last))
        if best < now - _SLACK:
            break
        now, first, last = best, begin, end
    return first, last


def _moment(scorer: _Scorer, run: Run, thresholds: ConfidenceThresholds) -> Moment:
    text, draft = scorer.text(run), scorer.draft
    subject = None if scorer.form is TextForm.TALK else subject_of(text)
    likely = scorer.likelihood(run)
    told = type_told(text) or likely.type
    tags = tags_of(text, chosen=told == _CHOSEN)
    decided = DECISION in tags
    return Moment(
        text=text,
        summary=subject or title_of(text, _ranked(scorer, run)),
        type=TYPE_OF_QUESTIONS if OPEN_QUESTION in tags else told,
        project=project_called(text) or draft.called or project_of(text),
        file_context=file_context_of(text),
        score=likely.probability,
        level=level_of(likely.probability, thresholds),
        detected_by=draft.detected_by,
        tags=tags,
        reason=reason_of(text) if decided else None,
        alternatives=alternatives_of(text) if decided else (),
    )


def _ranked(scorer: _Scorer, run: Run) -> tuple[str, ...]:
    """The sentences of a run, the most likely first."""
    alone = {place: int(_DEGREES * scorer.probability((place, place + 1))) for place in range(*run)}
    spoken = scorer.draft.spoken()
    return tuple(spoken[place] for place in sorted(alone, key=lambda place: -alone[place]))
