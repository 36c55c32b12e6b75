"""How well judgments agree with labels: precision, recall, F1, and types taken for others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks.quality.moments.labelled import Labelled
from benchmarks.quality.moments.ways import Judgment

Judged = Sequence[tuple[Labelled, Judgment]]


@dataclass(frozen=True, slots=True)
class Agreement:
    found: int
    right: int
    moments: int

    @property
    def precision(self) -> float | None:
        """None where nothing was found."""
        return self.right / self.found if self.found else None

    @property
    def recall(self) -> float:
        return self.right / self.moments

    @property
    def f1(self) -> float:
        return 2 * self.right / (self.found + self.moments)


def agreement(judged: Judged, accepts: Callable[[Judgment], bool]) -> Agreement:
    found = [labelled for labelled, judgment in judged if accepts(judgment)]
    return Agreement(
        found=len(found),
        right=sum(labelled.moment for labelled in found),
        moments=sum(labelled.moment for labelled, _ in judged),
    )


def type_accuracy(judged: Judged) -> float:
    """The share of the moments, detected or not, that are given their type."""
    right = [labelled.type == judgment.type for labelled, judgment in judged if labelled.moment]
    return sum(right) / len(right)


def calibration_error(judged: Judged, bins: int = 10) -> float:
    """How far probability and frequency lie apart, on average over bins of the probability."""
    error = 0.0
    for number in range(bins):
        inside = [
            (judgment.score, labelled.moment)
            for labelled, judgment in judged
            if min(bins - 1, int(judgment.score * bins)) == number
        ]
        error += abs(sum(score - moment for score, moment in inside)) / len(judged)
    return error


def confusion(judged: Judged) -> Counter[tuple[str | None, str]]:
    """How often moments of one type, first, were given another, second."""
    return Counter(
        (labelled.type, judgment.type) for labelled, judgment in judged if labelled.moment
    )


def false_alarms(judged: Judged, kind: str) -> tuple[int, int]:
    """Of the texts of a kind that is no moment: how many were detected, and how many there are."""
    detected = [judgment.detected for labelled, judgment in judged if labelled.kind == kind]
    return sum(detected), len(detected)
