"""The documented confidence score: four weighted factors, and the level that their sum reaches.

Presets move the thresholds, never the score.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import astuple, dataclass
from types import MappingProxyType

from commonplace.analysis.detection import Detection, detect
from commonplace.analysis.patterns import pattern_confidence
from commonplace.analysis.scale import exact, unit
from commonplace.analysis.sentences import is_closed
from commonplace.errors import InvalidArgument


@dataclass(frozen=True, slots=True)
class Weights:
    """The weight of each factor; only their proportions matter."""

    pattern: float = 0.35
    sentiment: float = 0.30
    text_length: float = 0.15
    structure: float = 0.20

    def __post_init__(self) -> None:
        # A sum can overflow though no weight does.
        if not all(weight >= 0 for weight in astuple(self)) or not math.isfinite(self.total):
            raise InvalidArgument(
                "custom_weights must be finite numbers of at least 0.", field="custom_weights"
            )
        if self.total == 0:
            raise InvalidArgument(
                "custom_weights must not all be 0; at least one above 0 is needed.",
                field="custom_weights",
            )

    @property
    def total(self) -> float:
        return self.pattern + self.sentiment + self.text_length + self.structure


@dataclass(frozen=True, slots=True)
class ConfidenceThresholds:
    high: float
    medium: float
    low: float


PRESETS: Mapping[str, ConfidenceThresholds] = MappingProxyType(
    {
        "conservative": ConfidenceThresholds(high=0.9, medium=0.7, low=0.5),
        "moderate": ConfidenceThresholds(high=0.8, medium=0.6, low=0.4),
        "aggressive": ConfidenceThresholds(high=0.7, medium=0.5, low=0.3),
    }
)
DEFAULT_WEIGHTS = Weights()
DEFAULT_THRESHOLDS = PRESETS["conservative"]


@dataclass(frozen=True, slots=True)
class Assessment:
    """The score, with the value of each factor (0 to 1) and its weight."""

    score: float
    level: str
    detection: Detection
    pattern: float
    sentiment: float
    text_length: float
    structure: float
    weights: Weights
    thresholds: ConfidenceThresholds


def assess(
    text: str,
    *,
    detection: Detection | None = None,
    weights: Weights = DEFAULT_WEIGHTS,
    thresholds: ConfidenceThresholds = DEFAULT_THRESHOLDS,
) -> Assessment:
    """Score a text; a detection that the caller has already made is used."""
    detection = detection or detect(text)
    pattern = pattern_confidence(detection.matches)
    sentiment = detection.sentiment.overall.confidence
    text_length = _length_value(len(text))
    structure = _structure_value(text, detection)
    score = _weighted_mean(weights, (pattern, sentiment, text_length, structure))
    return Assessment(
        score=score,
        level=level_of(score, thresholds),
        detection=detection,
        pattern=pattern,
        sentiment=sentiment,
        text_length=text_length,
        structure=structure,
        weights=weights,
        thresholds=thresholds,
    )


def level_of(score: float, thresholds: ConfidenceThresholds) -> str:
    if score >= thresholds.high:
        return "high"
    return "medium" if score >= thresholds.medium else "low"


def _weighted_mean(weights: Weights, values: tuple[float, ...]) -> float:
    shares = (weight / weights.total for weight in astuple(weights))
    return unit(math.fsum(share * value for share, value in zip(shares, values, strict=True)))


def _length_value(length: int) -> float:
    """Best between 100 and 500 characters: room for cause and cure, and still one thing."""
    if length < 50:
        return 0.2
    if length < 100:
        return exact(0.5 + 0.5 * (length - 50) / 50)
    return exact(max(0.3, 1.0 - 0.5 * max(0, length - 500) / 500))


def _structure_value(text: str, detection: Detection) -> float:
    sentiment = detection.sentiment
    ends = sum(is_closed(segment.text) for segment in sentiment.timeline)
    asks = "?" in text or "？" in text
    value = 0.4 * bool(detection.matches) + 0.3 * sentiment.has_problem_to_solution
    return unit(value + 0.2 * (ends >= 2) - 0.1 * asks)
