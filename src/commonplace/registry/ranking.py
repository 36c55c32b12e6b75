"""Orders results: by relevance in coarse steps, within a step by quality."""

from __future__ import annotations

import math
from collections.abc import Sequence

from commonplace.model.entry import Entry
from commonplace.model.query import Hit

# Hits in the same quarter of the best relevance count as equally relevant.
STEPS = 4


def ordered(hits: Sequence[Hit]) -> list[Entry]:
    """Best first; ties keep the order of relevance."""
    best = max((hit.score for hit in hits), default=0.0)
    entries = [(hit.entry, hit.score) for hit in hits if hit.entry is not None]
    return [
        entry
        for entry, score in sorted(
            entries,
            key=lambda found: (-_step(found[1], best), -found[0].content.confidence, -found[1]),
        )
    ]


def by_quality(entries: Sequence[Entry]) -> list[Entry]:
    """The order when there was no query."""
    return sorted(entries, key=lambda entry: -entry.content.confidence)


def _step(score: float, best: float) -> int:
    return math.ceil(STEPS * score / best) if best else 0
