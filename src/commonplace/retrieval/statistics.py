"""Term frequencies of an org, counted on an even sample of its chunks."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

SAMPLE_SIZE = 4000
LARGE_SAMPLE = 1000
# A term is rare in one chunk of any org, or in three of a thousand chunks: docs/decisions/0125.
_RARE = 0.8


@dataclass(frozen=True, slots=True)
class TermStatistics:
    """Term frequencies in a sample of `sampled` chunks, out of `chunks` in all."""

    sampled: int = 0
    average_length: float = 1.0
    frequencies: Mapping[str, int] = field(default_factory=dict)
    chunks: int = 0

    def expected(self, term: str) -> float:
        """The estimated number of chunks that have the term."""
        share = self.frequencies.get(term, 0) / self.sampled if self.sampled else 0.0
        return share * max(self.chunks, self.sampled)

    def weight(self, term: str) -> float:
        """Inverse document frequency, never negative."""
        frequency = self.frequencies.get(term, 0)
        return math.log(1 + (self.sampled - frequency + 0.5) / (frequency + 0.5))

    def is_rare(self, term: str) -> bool:
        """Whether few enough chunks have the term that it distinguishes them from all others."""
        return self.weight(term) >= _RARE * math.log(max(1, self.sampled))

    def with_others(self, others: int) -> TermStatistics:
        """These statistics with additional chunks that have none of the terms."""
        return replace(self, sampled=self.sampled + others)


def count_terms(sample: Sequence[str]) -> TermStatistics:
    """Statistics of a sample given as the terms of each chunk."""
    frequencies: Counter[str] = Counter()
    length = 0
    for text in sample:
        terms = text.split()
        length += len(terms)
        frequencies.update(set(terms))
    if len(sample) >= LARGE_SAMPLE:
        # Most terms are seen once and weigh nearly as much as unseen ones: dropping them is cheap.
        frequencies = Counter({term: n for term, n in frequencies.items() if n > 1})
    return TermStatistics(len(sample), max(1.0, length / max(1, len(sample))), dict(frequencies))
