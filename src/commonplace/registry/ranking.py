"""The order of what was found: relevance in coarse steps first, quality within a step."""

from __future__ import annotations

import math
from collections.abc import Sequence

from commonplace.model.entry import Entry
from commonplace.model.query import Hit

# Hits in the same quarter of the best one's relevance match about equally well.
STEPS = 4


def ordered(hits: Sequence[Hit]) -> list[Entry]:
    """Best first; what is equal in both stays in the order of relevance."""
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
    """What there is when nothing particular was asked for."""
    return sorted(entries, key=lambda entry: -entry.content.confidence)


def _step(score: float, best: float) -> int:
    return math.ceil(STEPS * score / best) if best else 0
