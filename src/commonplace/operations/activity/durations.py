"""Durations in logarithmic buckets, so that counts can be added up. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping

# Two buckets per doubling; the first ends at one millisecond, the last at about 17 minutes.
_PER_DOUBLING = 2
_FIRST_MS = 1.0
LAST_STEP = 40


def step_of(seconds: float) -> int:
    ms = seconds * 1000
    if ms <= _FIRST_MS:
        return 0
    return min(LAST_STEP, math.ceil(_PER_DOUBLING * math.log2(ms / _FIRST_MS)))


def milliseconds_of(step: int) -> float:
    """The longest duration in a bucket."""
    return float(_FIRST_MS * 2 ** (step / _PER_DOUBLING))


def quantile(counts: Mapping[int, int], share: float) -> float | None:
    """The milliseconds within which this share of the calls ended; None without calls."""
    wanted = share * sum(counts.values())
    reached = 0
    for step in sorted(counts):
        reached += counts[step]
        if reached >= wanted and reached:
            return milliseconds_of(step)
    return None
