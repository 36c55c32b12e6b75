"""What of a text is to be decided on: its moments without its secrets, those that come near enough.

In two steps, because vectors are made between them: `draft` is pure and dear where a text is long,
and then done in a child process (`offloading.py`); `decide` is told the vectors.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from operator import mul

from commonplace.analysis.confidence import (
    DEFAULT_THRESHOLDS,
    PRESETS,
    ConfidenceThresholds,
    Weights,
)
from commonplace.analysis.learning import MovedThreshold
from commonplace.analysis.likelihood import NOTHING, Likelihood
from commonplace.analysis.sentiment import Sentiment, analyse_sentiment
from commonplace.capture.about import NO_PROJECT
from commonplace.capture.likeness import Fingerprint, fingerprint, is_duplicate, same_text
from commonplace.capture.moments import (
    Draft,
    Moment,
    MomentAction,
    Vector,
    drafts,
    moments,
    verdict_of,
)
from commonplace.capture.secrets import Secret, mask_secrets
from commonplace.model.call import PLAIN_CALL

DEFAULT_PRESET = "conservative"
DEFAULT_THRESHOLD = PRESETS[DEFAULT_PRESET].high
# So near are two ways of telling the same; different moments of one text stay well below.
_SAME = 0.93


@dataclass(frozen=True, slots=True)
class Sought:
    """By what moments are scored, and from which score on they are kept or shown to somebody."""

    weights: Weights
    thresholds: ConfidenceThresholds
    threshold: float
    auto_save: bool
    project: str | None = None
    """The project of moments that name none."""


@dataclass(frozen=True, slots=True)
class CaptureRequest:
    """A text, and what to do with what is found in it; without a threshold the preset's is used."""

    text: str
    threshold: float | None
    auto_save: bool
    preset: str | None
    max_captures: int
    project: str | None = None

    @classmethod
    def proposing(cls, text: str, most: int, project: str | None = None) -> CaptureRequest:
        """Whatever is found waits for review, so many at most."""
        return cls(text, None, False, None, most, project)

    @property
    def thresholds(self) -> ConfidenceThresholds:
        return PRESETS[self.preset or DEFAULT_PRESET]

    def sought(self, weights: Weights, moved: MovedThreshold | None) -> Sought:
        start = self.thresholds.high if moved is None else moved.now
        threshold = start if self.threshold is None else self.threshold
        return Sought(weights, self.thresholds, threshold, self.auto_save, self.project)


@dataclass(frozen=True, slots=True)
class FoundMoment:
    """A moment to decide on, and what it is recognised by; one that `repeats` is in the text twice.

    `words` is equal for texts of the same words.
    """

    moment: Moment
    verdict: MomentAction
    looks: Fingerprint
    words: str
    repeats: bool


@dataclass(frozen=True, slots=True)
class FoundInText:
    """`best` of all `processed` moments says what the text is about."""

    processed: int
    best: Moment
    candidates: tuple[FoundMoment, ...]
    secrets: tuple[Secret, ...]


@dataclass(frozen=True, slots=True)
class Drafted:
    """A text without its secrets, cut into what may hold moments."""

    drafts: tuple[Draft, ...]
    secrets: tuple[Secret, ...]

    def spoken(self) -> list[str]:
        """The sentences that vectors are wanted of, in order."""
        return [sentence for one in self.drafts for sentence in one.spoken()]


def draft(text: str, weights: Weights, check: Callable[[], None] = PLAIN_CALL.check) -> Drafted:
    """Read a text that shows at least one character.

    `check` is called now and then: it may raise to end the work.
    """
    masked = mask_secrets(text, check)
    return Drafted(drafts(masked.text, weights, check), masked.found)


def decide(
    drafted: Drafted,
    vectors: Sequence[Vector],
    sought: Sought,
    check: Callable[[], None] = PLAIN_CALL.check,
) -> FoundInText:
    """What is to be done with each moment of a text; `vectors` are those of all its sentences."""
    found = [_placed(one, sought) for one in _moments(drafted, vectors, sought.thresholds)]
    candidates: list[FoundMoment] = []
    for moment in found:
        verdict = verdict_of(moment.score, threshold=sought.threshold, auto_save=sought.auto_save)
        if verdict is MomentAction.IGNORE:
            continue
        check()
        looks = fingerprint(moment.text)
        repeats = any(_repeats(moment, looks, one) for one in candidates if not one.repeats)
        candidates.append(FoundMoment(moment, verdict, looks, same_text(moment.text), repeats))
    best = max(found, key=lambda moment: moment.score)
    return FoundInText(len(found), best, tuple(candidates), drafted.secrets)


def _placed(moment: Moment, sought: Sought) -> Moment:
    if sought.project is None or moment.project != NO_PROJECT:
        return moment
    return replace(moment, project=sought.project)


def likeliest(drafted: Drafted, vectors: Sequence[Vector]) -> Likelihood:
    """How likely a text holds a moment: as likely as the best of those in it."""
    found = _moments(drafted, vectors, DEFAULT_THRESHOLDS)
    best = max(found, key=lambda one: one.score, default=None)
    return Likelihood(best.score, best.type) if best else NOTHING


def _moments(
    drafted: Drafted, vectors: Sequence[Vector], thresholds: ConfidenceThresholds
) -> list[Moment]:
    found: list[Moment] = []
    at = 0
    for one in drafted.drafts:
        end = at + len(one.sentences)
        found += moments(one, vectors[at:end], thresholds)
        at = end
    return found


def _repeats(moment: Moment, looks: Fingerprint, known: FoundMoment) -> bool:
    """Whether the moment says what another one of its text says, in the same words or in others."""
    if is_duplicate(looks, known.looks):
        return True
    return looks.facts <= known.looks.facts and _nearness(moment, known.moment) >= _SAME


def _nearness(one: Moment, other: Moment) -> float:
    """The cosine between the two."""
    lengths = math.hypot(*one.centre) * math.hypot(*other.centre)
    return math.fsum(map(mul, one.centre, other.centre)) / lengths if lengths else 0.0


def tone(text: str, *, detect_shifts: bool, min_delta: float) -> Sentiment:
    """How a text sounds, sentence by sentence; they are shown, and so its secrets are masked."""
    masked = mask_secrets(text).text
    return analyse_sentiment(masked, detect_shifts=detect_shifts, min_delta=min_delta)
