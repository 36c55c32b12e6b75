"""Maps a model's cosines to a scale from 0 to 1 on which one threshold suits every model.

The numbers per model are in calibration.toml.
"""

from __future__ import annotations

import tomllib
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class Calibration:
    """A monotone piecewise linear function through (cosine, similarity) points; flat outside."""

    points: tuple[tuple[float, float], ...]
    _cosines: tuple[float, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_cosines", tuple(cosine for cosine, _ in self.points))
        if len(self.points) < 2:
            raise ValueError("a calibration needs at least two points")
        rising = all(a[0] < b[0] and a[1] <= b[1] for a, b in pairwise(self.points))
        if not rising or self.points[0][1] < 0 or self.points[-1][1] > 1:
            raise ValueError("calibration points must rise, within 0 and 1")

    def similarity(self, cosine: float) -> float:
        after = bisect_right(self._cosines, cosine)
        if after == 0:
            return self.points[0][1]
        if after == len(self.points):
            return self.points[-1][1]
        (left, low), (right, high) = self.points[after - 1], self.points[after]
        return low + (high - low) * (cosine - left) / (right - left)


# For models without measurements: opposite or unrelated is 0, identical is 1.
CLAMPED_COSINE = Calibration(((0.0, 0.0), (1.0, 1.0)))


def calibration_for(key: str, override: Sequence[tuple[float, float]] | None = None) -> Calibration:
    """The given points, else those measured for this model identity, else the plain cosine."""
    if override:
        return Calibration(tuple(override))
    return _measured().get(key, CLAMPED_COSINE)


@cache
def _measured() -> dict[str, Calibration]:
    text = files("commonplace.embedding").joinpath("calibration.toml").read_text(encoding="utf-8")
    return {
        key: Calibration(tuple((cosine, similarity) for cosine, similarity in table["points"]))
        for key, table in tomllib.loads(text).items()
    }
