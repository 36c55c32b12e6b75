"""What stands around a short entry counts with it, and only where it is about the same."""

from __future__ import annotations

import pytest

from commonplace.model.chunk import ChunkTerms, InSequence, Owner, OwnerType
from commonplace.retrieval.fusion import Candidate
from commonplace.retrieval.surroundings import (
    LEAST_LIKENESS,
    WORDS_AROUND,
    links_between,
    with_surroundings,
)

ALIKE = LEAST_LIKENESS + 0.1


def candidate(key: int, coverage: float = 0.0, similarity: float | None = 0.0) -> Candidate:
    return Candidate(ChunkTerms(key, Owner(OwnerType.ENTRY, key), "", ""), coverage, similarity)


def test_links_are_known_from_both_sides() -> None:
    links = links_between(
        [InSequence(2, 1, -1), InSequence(2, 3, 1)], {(2, 1): ALIKE, (2, 3): ALIKE}
    )
    assert links == {2: {1: -1, 3: 1}, 1: {2: 1}, 3: {2: -1}}


def test_what_is_about_something_else_is_not_linked() -> None:
    pairs = [InSequence(2, 1, -1), InSequence(2, 3, 1)]
    assert links_between(pairs, {(2, 1): LEAST_LIKENESS - 0.1}) == {}


def test_words_of_both_neighbours_count_a_little() -> None:
    found = with_surroundings(
        [candidate(1, 0.4), candidate(2, 0.1), candidate(3, 0.2)], {2: {1: -1, 3: 1}}
    )
    assert found[1].coverage == pytest.approx(0.1 + WORDS_AROUND * 0.6)
    assert found[0].coverage == 0.4


def test_meaning_is_drawn_to_what_came_before_and_not_to_what_came_after() -> None:
    near, far = candidate(1, similarity=0.8), candidate(2, similarity=0.2)
    assert (with_surroundings([near, far], {2: {1: -1}})[1].similarity or 0) > 0.2
    assert with_surroundings([near, far], {2: {1: 1}})[1].similarity == pytest.approx(0.2)


def test_what_is_not_embedded_has_no_meaning_to_be_drawn() -> None:
    fresh, other = candidate(1, 0.1, None), candidate(2, 0.5, 0.9)
    found = with_surroundings([fresh, other], {1: {2: -1}, 2: {1: 1}})
    assert found[0].similarity is None
    assert found[1].similarity == pytest.approx(0.9)


def test_who_has_no_neighbours_stays_as_it_was() -> None:
    alone = candidate(1, 0.3, 0.7)
    assert with_surroundings([alone], {1: {9: -1}}) == [alone]
