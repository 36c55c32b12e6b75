"""Weights that follow feedback: factors that people confirm count more, those they reject less.

Always computed from the starting weights and all evidence, so taking back evidence takes it back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from types import MappingProxyType

from commonplace.analysis.confidence import Assessment, Weights
from commonplace.analysis.scale import exact

_LEAST_SAMPLES = 10
_LEAST_PER_FACTOR = 5
_MISTRUSTED_BELOW = 0.5
_TRUSTED_ABOVE = 0.7
_STEP = 0.1
_SPEAKS_FOR = 0.5
_LOWEST, _HIGHEST = 0.05, 0.5
_HALVINGS = 60
# The factor by which the judgements of captured moments are counted.
LIKELIHOOD = "likelihood"
_KEPT_RATE, _PULL, _FARTHEST = 0.8, 0.5, 0.1
_HIGHEST_THRESHOLD = 0.99

_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "pattern": "pattern",
        "sentiment": "sentiment",
        "text length": "text_length",
        "text_length": "text_length",
        "textLength": "text_length",
        "structure": "structure",
    }
)


@dataclass(frozen=True, slots=True)
class FactorEvidence:
    """The numbers of confirmed and rejected results to which a factor contributed."""

    factor: str
    confirmed: int
    rejected: int


@dataclass(frozen=True, slots=True)
class MovedThreshold:
    """A threshold, before and after reviews moved it."""

    start: float
    now: float
    judged: FactorEvidence

    @property
    def told(self) -> str:
        kept, total = self.judged.confirmed, self.judged.confirmed + self.judged.rejected
        return (
            f"{kept} of {total} judged captures were kept, which moves the threshold "
            f"from {self.start:.2f} to {self.now:.2f}."
        )


def moved_threshold(start: float, evidence: Sequence[FactorEvidence]) -> MovedThreshold | None:
    """Lower the threshold if people keep nearly everything, raise it if they keep little.

    By at most a tenth, from ten judgements on, and only while somebody asks for no other.
    """
    judged = next((one for one in evidence if one.factor == LIKELIHOOD), None)
    if judged is None or judged.confirmed + judged.rejected < _LEAST_SAMPLES:
        return None
    rate = judged.confirmed / (judged.confirmed + judged.rejected)
    step = max(-_FARTHEST, min(_FARTHEST, _PULL * (_KEPT_RATE - rate)))
    now = exact(max(0.0, min(_HIGHEST_THRESHOLD, start + step)))
    return None if now == start else MovedThreshold(start, now, judged)


def contributing(assessment: Assessment) -> tuple[str, ...]:
    """The factors that contributed to a score, by the names that feedback uses."""
    values = {
        "pattern": assessment.pattern,
        "sentiment": assessment.sentiment,
        "text length": assessment.text_length,
        "structure": assessment.structure,
    }
    return tuple(name for name, value in values.items() if value >= _SPEAKS_FOR)


def adapted(weights: Weights, evidence: Sequence[FactorEvidence], samples: int) -> Weights:
    """The weights after `samples` feedbacks; unchanged until there are enough. Names of other
    factors are ignored."""
    if samples < _LEAST_SAMPLES:
        return weights
    start = {name: weight / weights.total for name, weight in asdict(weights).items()}
    rates = _confirmation_rates(evidence)
    moved = {name: _moved(weight, rates.get(name)) for name, weight in start.items()}
    return weights if moved == start else replace(weights, **_within_bounds(moved))


def _confirmation_rates(evidence: Sequence[FactorEvidence]) -> dict[str, float]:
    confirmed: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for item in evidence:
        if name := _NAMES.get(item.factor):
            confirmed[name] += item.confirmed
            total[name] += item.confirmed + item.rejected
    return {
        name: confirmed[name] / count for name, count in total.items() if count >= _LEAST_PER_FACTOR
    }


def _moved(weight: float, rate: float | None) -> float:
    if rate is None or _MISTRUSTED_BELOW <= rate <= _TRUSTED_ABOVE:
        return weight
    return (
        weight * (1 - _STEP) if rate < _MISTRUSTED_BELOW else weight + _STEP * (_HIGHEST - weight)
    )


def _within_bounds(weights: Mapping[str, float]) -> dict[str, float]:
    """Scales weights to sum to 1, none below the lowest or above the highest.

    The sum grows with the scale, so the scale is found by halving the range that holds it.
    """
    shares = {name: max(_LOWEST, weight) for name, weight in weights.items()}
    low, high = 0.0, _HIGHEST / _LOWEST
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if sum(_scaled(shares, middle).values()) < 1:
            low = middle
        else:
            high = middle
    return {name: exact(weight) for name, weight in _scaled(shares, high).items()}


def _scaled(shares: Mapping[str, float], scale: float) -> dict[str, float]:
    return {name: min(_HIGHEST, max(_LOWEST, share * scale)) for name, share in shares.items()}
