"""Which files are judged as a whole, and what their chunks gain or lose by it."""

from __future__ import annotations

from commonplace.model.chunk import ChunkTerms, Owner, OwnerType
from commonplace.model.query import Fusion
from commonplace.retrieval.file_similarity import files_to_compare, with_file_similarities
from commonplace.retrieval.fusion import Candidate, fuse


def part_of(file: int, key: int, similarity: float | None) -> Candidate:
    chunk = ChunkTerms(key, Owner(OwnerType.DOCUMENT, file), "", "")
    return Candidate(chunk, None, similarity)


def note(key: int, similarity: float) -> Candidate:
    return Candidate(ChunkTerms(key, Owner(OwnerType.ENTRY, 1), "", ""), None, similarity)


def test_the_best_files_are_judged_each_once() -> None:
    found = [part_of(1, 1, 0.4), part_of(2, 2, 0.9), part_of(2, 3, 0.8), part_of(3, 4, 0.6)]
    assert files_to_compare([*found, note(5, 1.0)], Fusion.UNSCALED, 2) == [2, 3]


def test_of_two_equal_chunks_that_of_the_nearer_file_comes_first() -> None:
    judged = with_file_similarities([part_of(1, 1, 0.5), part_of(2, 2, 0.5)], {1: 0.1, 2: 0.4})
    assert [one.chunk.key for one in fuse(judged, Fusion.UNSCALED)] == [2, 1]


def test_what_was_not_judged_gains_nothing_by_it() -> None:
    near, far, unread, own = with_file_similarities(
        [part_of(1, 1, 0.5), part_of(2, 2, 0.2), part_of(3, 3, None), note(4, 0.6)], {1: 0.3}
    )
    assert (near.whole, far.whole) == (0.3, 0.2)
    assert unread.nearness is None
    assert own.nearness == 0.6


def test_where_no_file_is_known_all_stays_as_it_is() -> None:
    found = [part_of(1, 1, 0.5)]
    assert with_file_similarities(found, {}) == found
