"""One score from two legs, roll-up to owners, and the terms that choose candidates."""

from __future__ import annotations

from dataclasses import replace

import pytest

from commonplace.model.entry import Place
from commonplace.model.query import Fusion
from commonplace.retrieval.fusion import (
    MEANINGFUL_COVERAGE,
    RANK_CONSTANT,
    UNSCALED,
    WHOLE_WEIGHT,
    Candidate,
    Scored,
    best_by_words,
    fuse,
)
from commonplace.retrieval.rollup import best_per_owner
from commonplace.retrieval.statistics import TermStatistics
from commonplace.retrieval.terms import MOST_MATCHES, selective_terms
from commonplace.retrieval.wording import COMMON, NAMED, USUAL
from tests.unit.retrieval.samples import chunk

Legs = tuple[float | None, float | None]


def candidates(*legs: Legs) -> list[Candidate]:
    return [Candidate(chunk(key), *leg) for key, leg in enumerate(legs, start=1)]


def scores(scored: list[Scored]) -> dict[int, float]:
    return {one.chunk.key: one.score for one in scored}


def test_words_count_against_the_best_found_and_meaning_as_it_is() -> None:
    found = fuse(candidates((0.3, 0.5), (0.6, 0.1), (0.0, 0.8)), Fusion.ABSOLUTE)
    words, meaning = USUAL.weight, 1 - USUAL.weight
    assert scores(found) == pytest.approx(
        {1: words / 2 + meaning * 0.5, 2: words + meaning * 0.1, 3: meaning * 0.8}
    )
    assert [one.chunk.key for one in found] == [3, 1, 2]


def test_words_weigh_as_the_question_has_them_and_say_so() -> None:
    near, worded = (0.1, 0.8), (0.6, 0.5)
    first = {}
    for words in (NAMED, USUAL, COMMON):
        found = fuse(candidates(near, worded), Fusion.ABSOLUTE, words=words)
        first[words] = found[0].chunk.key
        (second,) = (one for one in found if one.chunk.key == 2)
        assert second.score == pytest.approx(words.weight + (1 - words.weight) * 0.5)
        assert second.parts[0].reason == words.reason
    assert first == {NAMED: 2, USUAL: 1, COMMON: 1}
    assert len({words.reason for words in first}) == 3


def test_a_best_that_is_poor_does_not_count_in_full() -> None:
    poor = MEANINGFUL_COVERAGE / 3
    (only,) = fuse(candidates((poor, 0.5)), Fusion.ABSOLUTE)
    words = USUAL.weight
    assert only.score == pytest.approx(words / 3 + (1 - words) * 0.5)


def test_a_chunk_is_drawn_towards_what_its_file_says() -> None:
    alone = Candidate(chunk(1), None, 0.6)
    (drawn, far) = fuse([replace(alone, chunk=chunk(2), whole=0.2), alone], Fusion.UNSCALED)[::-1]
    assert far.score == pytest.approx(0.6)
    assert drawn.score == pytest.approx((1 - WHOLE_WEIGHT) * 0.6 + WHOLE_WEIGHT * 0.2)
    assert drawn.similarity == 0.6


def test_unscaled_both_count_as_they_are() -> None:
    words = UNSCALED.weight
    found = fuse(candidates((0.3, 0.5), (0.6, 0.1), (0.4, None)), Fusion.UNSCALED)
    assert scores(found) == pytest.approx(
        {1: words * 0.3 + (1 - words) * 0.5, 2: words * 0.6 + (1 - words) * 0.1, 3: 0.4}
    )


@pytest.mark.parametrize("legs", [(0.7, None), (None, 0.7)])
def test_where_one_leg_says_nothing_the_other_counts_whole(legs: Legs) -> None:
    found = fuse(candidates(legs, (0.2, 0.9)), Fusion.ABSOLUTE)
    assert scores(found)[1] == pytest.approx(0.7)


def test_best_in_both_is_one_at_most() -> None:
    assert scores(fuse(candidates((1.0, 1.0)), Fusion.ABSOLUTE)) == pytest.approx({1: 1.0})


@pytest.mark.parametrize("fusion", Fusion)
def test_the_parts_add_up_and_say_why(fusion: Fusion) -> None:
    for one in fuse(candidates((0.5, 0.25), (0.1, None), (None, 0.9)), fusion):
        assert sum(part.value for part in one.parts) == pytest.approx(one.score)
        assert all(part.reason for part in one.parts)
        assert {part.name for part in one.parts} <= {"lexical", "semantic"}


@pytest.mark.parametrize("fusion", Fusion)
def test_what_no_leg_speaks_for_scores_nothing(fusion: Fusion) -> None:
    (only,) = fuse(candidates((0.0, None)), fusion)
    assert (only.score, only.parts) == (0, ())


def test_first_in_both_legs_is_one_by_rank() -> None:
    found = scores(fuse(candidates((0.9, 0.9), (0.1, 0.1)), Fusion.RECIPROCAL_RANK))
    assert found[1] == pytest.approx(1.0)
    assert found[2] == pytest.approx((RANK_CONSTANT + 1) / (RANK_CONSTANT + 2))


def test_first_in_one_leg_is_half_by_rank() -> None:
    found = scores(fuse(candidates((0.2, None), (None, 0.3)), Fusion.RECIPROCAL_RANK))
    assert found == pytest.approx({1: 0.5, 2: 0.5})


def test_ranks_forget_how_good_a_match_is() -> None:
    close = fuse(candidates((0.51, None), (0.5, None)), Fusion.RECIPROCAL_RANK)
    apart = fuse(candidates((0.99, None), (0.01, None)), Fusion.RECIPROCAL_RANK)
    assert scores(close) == scores(apart)


@pytest.mark.parametrize("fusion", Fusion)
def test_equal_scores_come_in_the_order_of_their_keys(fusion: Fusion) -> None:
    found = fuse([Candidate(chunk(key), None, 0.0) for key in (3, 1, 2)], fusion)
    assert [one.chunk.key for one in found] == [1, 2, 3]


def test_an_owner_has_the_best_of_each_leg() -> None:
    parts = [
        Candidate(chunk(1, owner=7), 0.9, 0.1),
        Candidate(chunk(2, owner=7), None, 0.8),
        Candidate(chunk(3, owner=8), 0.2, None),
    ]
    first, second = best_per_owner(parts)
    assert (first.coverage, first.similarity, first.chunk.key) == (0.9, 0.8, 1)
    assert (second.coverage, second.similarity, second.chunk.key) == (0.2, None, 3)


def test_of_equally_good_chunks_the_first_is_shown() -> None:
    parts = [Candidate(chunk(key, owner=7), 0.5, 0.5) for key in (5, 4)]
    assert best_per_owner(parts)[0].chunk.key == 4


def test_frequent_terms_do_not_choose_when_rarer_ones_can() -> None:
    frequencies = {"system": 60, "lease": 3, "worker": 10}
    large = TermStatistics(100, 10.0, frequencies, chunks=10 * MOST_MATCHES)
    asked = ["system", "lease", "worker", "unseen"]
    assert selective_terms(asked, large) == ("lease", "unseen")
    small = TermStatistics(100, 10.0, frequencies, chunks=MOST_MATCHES)
    assert selective_terms(asked, small) == ("system", "lease", "worker", "unseen")


def test_the_two_rarest_terms_choose_however_frequent_they_are() -> None:
    frequencies = {"system": 60, "server": 50, "lease": 30}
    statistics = TermStatistics(100, 10.0, frequencies, chunks=100 * MOST_MATCHES)
    assert selective_terms(["system", "server", "lease"], statistics) == ("server", "lease")


def test_without_statistics_every_term_chooses() -> None:
    assert selective_terms(["a", "b", "c"], TermStatistics()) == ("a", "b", "c")


def test_similarity_is_meaning_alone() -> None:
    given = [
        Candidate(replace(chunk(1), place=Place("ws")), 0.9, 0.30001),
        Candidate(chunk(2), 0.0, 0.8),
        Candidate(replace(chunk(3), place=Place("ws", "sp")), None, 0.30002),
        Candidate(chunk(4), 0.5, None),
    ]
    found = fuse(given, Fusion.SIMILARITY)
    assert [(s.chunk.key, s.score) for s in found] == [(2, 0.8), (3, 0.3), (1, 0.3), (4, 0.0)]
    without_a_model = fuse([Candidate(chunk(1), 0.9, None)], Fusion.SIMILARITY)
    assert without_a_model[0].score == 0.9


def test_the_best_worded_are_chosen_before_the_nearest() -> None:
    given = [Candidate(chunk(n), n / 10 or None, 1 - n / 10) for n in range(5)]
    assert [c.chunk.key for c in best_by_words(given, 2)] == [4, 3]
    assert [c.chunk.key for c in best_by_words(given[:1], 2)] == [0]


def test_ranks_beyond_the_fan_out_do_not_count() -> None:
    found = fuse(candidates((0.9, 0.1), (0.5, 0.9)), Fusion.RECIPROCAL_RANK, fan_out=1)
    assert scores(found) == pytest.approx({1: 0.5, 2: 0.5})
