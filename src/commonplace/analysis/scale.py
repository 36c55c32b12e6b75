"""Clamp numbers to their scale, and remove the noise of binary fractions."""

from __future__ import annotations

_PLACES = 9


def unit(value: float) -> float:
    """The value, clamped to 0 to 1."""
    return exact(min(1.0, max(0.0, value)))


def signed(value: float) -> float:
    """The value, clamped to -1 to 1."""
    return exact(min(1.0, max(-1.0, value)))


def exact(value: float) -> float:
    """The intended decimal: 0.85 - 0.1 is 0.75, and 0.7 reaches a threshold of 0.7."""
    return round(value, _PLACES)
