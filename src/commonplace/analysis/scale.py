"""Numbers kept on their scale, without the noise of binary fractions."""

from __future__ import annotations

_PLACES = 9


def unit(value: float) -> float:
    """The value held within 0 and 1."""
    return exact(min(1.0, max(0.0, value)))


def signed(value: float) -> float:
    """The value held within -1 and 1."""
    return exact(min(1.0, max(-1.0, value)))


def exact(value: float) -> float:
    """The decimal that was meant: 0.85 - 0.1 is 0.75, and 0.7 reaches a threshold of 0.7."""
    return round(value, _PLACES)
