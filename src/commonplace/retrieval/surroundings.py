"""Lets similar entries just before and after a short entry count in its score. Pure.

One turn of a talk says little alone. docs/decisions/0043 explains the figures.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

from commonplace.model.chunk import InSequence, NearInTime
from commonplace.retrieval.fusion import Candidate

# Entries longer than a few sentences need no context.
NEAR_IN_TIME = NearInTime(tokens=160, span=timedelta(minutes=15), steps=2)
# The share of a neighbour's coverage that is added.
WORDS_AROUND = 0.15
# The shares of the similarity that come from the entries one and two steps before.
MEANING_AROUND: Mapping[int, float] = {-1: 0.25, -2: 0.25}
# Two entries at least this similar are about the same subject.
LEAST_LIKENESS = 0.6

Links = Mapping[int, Mapping[int, int]]


def links_between(pairs: Iterable[InSequence], likeness: Mapping[tuple[int, int], float]) -> Links:
    """The similar neighbours of each chunk with their distance, in both directions."""
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
