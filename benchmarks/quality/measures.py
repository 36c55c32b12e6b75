"""The quality of a ranking: nDCG at ten."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log2

DEPTH = 10


def ndcg(ranked: Sequence[str], judged: Mapping[str, int]) -> float:
    found = _discounted([judged.get(item, 0) for item in ranked[:DEPTH]])
    best = _discounted(sorted(judged.values(), reverse=True)[:DEPTH])
    return found / best if best else 0.0


def _discounted(gains: Sequence[int]) -> float:
    return sum(gain / log2(place + 2) for place, gain in enumerate(gains))
