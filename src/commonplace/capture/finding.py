"""What of a text is to be decided on: its moments without its secrets, those that come near enough.

Pure, and dear where a text is long: then it is done in a process apart (`apart.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from commonplace.analysis.confidence import PRESETS, ConfidenceThresholds, Weights
from commonplace.analysis.sentiment import Sentiment, analyse_sentiment
from commonplace.capture.likeness import Fingerprint, fingerprint, is_duplicate, same_text
from commonplace.capture.moments import Moment, MomentAction, moments, verdict_of
from commonplace.capture.secrets import Secret, mask_secrets
from commonplace.model.call import PLAIN_CALL

DEFAULT_PRESET = "conservative"


@dataclass(frozen=True, slots=True)
class Sought:
    """By what moments are scored, and from which score on they are kept or shown to somebody."""

    weights: Weights
    thresholds: ConfidenceThresholds
    threshold: float
    auto_save: bool


@dataclass(frozen=True, slots=True)
class CaptureRequest:
    """A text, and what to do with what is found in it."""

    text: str
    threshold: float
    auto_save: bool
    preset: str | None
    max_captures: int

    @classmethod
    def proposing(cls, text: str, most: int) -> CaptureRequest:
        """Whatever is found waits for review, so many at most."""
        return cls(text, PRESETS[DEFAULT_PRESET].high, False, None, most)

    def sought(self, weights: Weights) -> Sought:
        thresholds = PRESETS[self.preset or DEFAULT_PRESET]
        return Sought(weights, thresholds, self.threshold, self.auto_save)


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


def find(text: str, sought: Sought, check: Callable[[], None] = PLAIN_CALL.check) -> FoundInText:
    """Look through a text that shows at least one character.

    `check` is called now and then: it may raise to end the work.
    """
    masked = mask_secrets(text, check)
    found = moments(masked.text, sought.weights, sought.thresholds, check)
    candidates: list[FoundMoment] = []
    for moment in found:
        verdict = verdict_of(moment.score, threshold=sought.threshold, auto_save=sought.auto_save)
        if verdict is MomentAction.IGNORE:
            continue
        check()
        looks = fingerprint(moment.text)
        repeats = any(is_duplicate(looks, one.looks) for one in candidates if not one.repeats)
        candidates.append(FoundMoment(moment, verdict, looks, same_text(moment.text), repeats))
    best = max(found, key=lambda moment: moment.score)
    return FoundInText(len(found), best, tuple(candidates), masked.found)


def tone(text: str, *, detect_shifts: bool, min_delta: float) -> Sentiment:
    """How a text sounds, sentence by sentence; they are shown, and so its secrets are masked."""
    masked = mask_secrets(text).text
    return analyse_sentiment(masked, detect_shifts=detect_shifts, min_delta=min_delta)
