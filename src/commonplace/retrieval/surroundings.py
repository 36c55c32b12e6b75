"""What stands around a short entry counts with it: a turn of talk says little alone. Pure.

Its words count a little of its neighbours', its meaning is drawn to what came just before; but only
notes that are near in meaning stand around each other. The figures are in docs/decisions/0043.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

from commonplace.model.chunk import InSequence, NearInTime
from commonplace.retrieval.fusion import Candidate

# What is longer than a few sentences speaks for itself.
NEAR_IN_TIME = NearInTime(tokens=160, span=timedelta(minutes=15), steps=2)
WORDS_AROUND = 0.15
# How much of the meaning is that of the entry one before and two before.
MEANING_AROUND: Mapping[int, float] = {-1: 0.25, -2: 0.25}
# From this similarity on two entries are about one matter.
LEAST_LIKENESS = 0.6

Links = Mapping[int, Mapping[int, int]]


def linked(pairs: Iterable[InSequence], likeness: Mapping[tuple[int, int], float]) -> Links:
    """Chunks with those around them by their distance, known from either side."""
    links: dict[int, dict[int, int]] = defaultdict(dict)
    for pair in pairs:
        if likeness.get((pair.key, pair.other), 0.0) < LEAST_LIKENESS:
            continue
        links[pair.key][pair.other] = pair.distance
        links[pair.other][pair.key] = -pair.distance
    return links


def with_surroundings(candidates: Sequence[Candidate], links: Links) -> list[Candidate]:
    known = {one.chunk.key: one for one in candidates}
    return [_surrounded(one, links.get(one.chunk.key, {}), known) for one in candidates]


def _surrounded(
    one: Candidate, around: Mapping[int, int], known: Mapping[int, Candidate]
) -> Candidate:
    others = [(known[key], distance) for key, distance in around.items() if key in known]
    if not others:
        return one
    words = (one.coverage or 0.0) + WORDS_AROUND * sum(other.coverage or 0.0 for other, _ in others)
    if one.similarity is None:
        return replace(one, coverage=words)
    drawn = [
        (share, other.similarity)
        for other, distance in others
        if (share := MEANING_AROUND.get(distance)) and other.similarity is not None
    ]
    own = 1 - sum(share for share, _ in drawn)
    near = own * one.similarity + sum(share * similarity for share, similarity in drawn)
    return replace(one, coverage=words, similarity=near)
