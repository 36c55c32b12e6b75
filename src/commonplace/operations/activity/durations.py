"""Durations as steps of a logarithmic scale, so that counts of many can be added. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping

# Two steps double a duration; the first ends at a millisecond, the last at about 17 minutes.
_PER_DOUBLING = 2
_FIRST_MS = 1.0
LAST_STEP = 40


def step_of(seconds: float) -> int:
    ms = seconds * 1000
    if ms <= _FIRST_MS:
        return 0
    return min(LAST_STEP, math.ceil(_PER_DOUBLING * math.log2(ms / _FIRST_MS)))


def milliseconds_of(step: int) -> float:
    """The longest duration of a step."""
    return float(_FIRST_MS * 2 ** (step / _PER_DOUBLING))


def quantile(counts: Mapping[int, int], share: float) -> float | None:
    """The milliseconds that this share of the calls took at most; None where there were none."""
    wanted = share * sum(counts.values())
    reached = 0
    for step in sorted(counts):
        reached += counts[step]
        if reached >= wanted and reached:
            return milliseconds_of(step)
    return None
