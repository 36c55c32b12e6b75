"""The tone of a text, overall and per sentence, and the shifts between sentences.

The words and what they are worth are data: `lexicons/sentiment.toml`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

from commonplace.analysis.lexicon import ToneWords, tone_words
from commonplace.analysis.scale import exact, signed
from commonplace.analysis.sentences import sentences
from commonplace.analysis.spelling import plain

POSITIVE, NEGATIVE, NEUTRAL = "positive", "negative", "neutral"

_NEUTRAL_UP_TO = 0.2
_WORDS_FOR_CERTAINTY = 5
_NEGATION_REACH = 3
_EMPHASIS_REACH = 2
# More than that nobody reads, and to hand it out would be the dearest of all.
MOST_SEGMENTS = 5_000


@dataclass(frozen=True, slots=True)
class Tone:
    """The tone of a text: its polarity, -1 to 1; `confidence` grows with the tone words, to 1."""

    score: float
    label: str
    confidence: float
    positive_count: int
    negative_count: int


@dataclass(frozen=True, slots=True)
class Segment:
    """The tone of one sentence."""

    text: str
    score: float
    label: str


@dataclass(frozen=True, slots=True)
class Shift:
    """A change between neighbours: their labels, and the index of the second in the timeline."""

    before: str
    after: str
    delta: float
    at_index: int


@dataclass(frozen=True, slots=True)
class Sentiment:
    """The tone of a text over time.

    `timeline` and `shifts` cover the first sentences only; the other fields cover all.
    """

    overall: Tone
    timeline: tuple[Segment, ...]
    shifts: tuple[Shift, ...]
    has_problem_to_solution: bool
    """Whether a negative sentence is followed by a positive one, however small the change."""


def analyse_sentiment(
    text: str, *, detect_shifts: bool = True, min_delta: float = 0.3
) -> Sentiment:
    spoken = sentences(text)
    values = [_word_values(sentence) for sentence in spoken]
    timeline = tuple(map(_segment, spoken, values))
    shown = timeline[:MOST_SEGMENTS]
    return Sentiment(
        overall=_tone(list(chain.from_iterable(values))),
        timeline=shown,
        shifts=tuple(_shifts(shown, min_delta)) if detect_shifts else (),
        has_problem_to_solution=detect_shifts and _turns(timeline),
    )


def label_of(score: float) -> str:
    if score > _NEUTRAL_UP_TO:
        return POSITIVE
    return NEGATIVE if score < -_NEUTRAL_UP_TO else NEUTRAL


def _segment(sentence: str, values: Sequence[float]) -> Segment:
    score = _score(values)
    return Segment(text=sentence, score=score, label=label_of(score))


def _tone(values: Sequence[float]) -> Tone:
    score = _score(values)
    return Tone(
        score=score,
        label=label_of(score),
        confidence=min(1.0, len(values) / _WORDS_FOR_CERTAINTY),
        positive_count=sum(value > 0 for value in values),
        negative_count=sum(value < 0 for value in values),
    )


def _score(values: Sequence[float]) -> float:
    return signed(sum(values) / len(values)) if values else 0.0


def _shifts(timeline: Sequence[Segment], min_delta: float) -> Iterator[Shift]:
    for index, (earlier, later) in enumerate(pairwise(timeline), start=1):
        delta = exact(later.score - earlier.score)
        if delta and abs(delta) >= min_delta:
            yield Shift(before=earlier.label, after=later.label, delta=delta, at_index=index)


def _turns(timeline: Sequence[Segment]) -> bool:
    return any(
        earlier.label == NEGATIVE and later.label == POSITIVE
        for earlier, later in pairwise(timeline)
    )


def _word_values(sentence: str) -> list[float]:
    """The value of each tone word of a sentence, given the words around it."""
    known = tone_words()
    words = [" ".join(token.split()) for token in known.tokens.findall(plain(sentence))]
    return [
        worth * _negation(known, words, place) * _emphasis(known, words, place)
        for place, word in enumerate(words)
        if (worth := known.values.get(word))
    ]


def _negation(known: ToneWords, words: Sequence[str], place: int) -> float:
    for word in reversed(words[max(0, place - _NEGATION_REACH) : place]):
        if word in known.negators:
            return known.negators[word]
        for ending, factor in known.contractions.items():
            if word.endswith(ending):
                return factor
    return 1.0


def _emphasis(known: ToneWords, words: Sequence[str], place: int) -> float:
    nearby = words[max(0, place - _EMPHASIS_REACH) : place + _EMPHASIS_REACH + 1]
    return next((known.intensifiers[word] for word in nearby if word in known.intensifiers), 1.0)
