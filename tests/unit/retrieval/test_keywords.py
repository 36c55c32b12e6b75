"""The keyword leg: every word or nothing, denser is better, and a title counts half a point."""

from __future__ import annotations

import pytest

from commonplace.retrieval.keywords import density, keyword_score

WANTED = ("amber", "lantern")


def test_some_of_the_words_are_as_good_as_none() -> None:
    assert density(["amber", "amber", "floats"], WANTED) == 0
    assert density(["amber", "lantern", "floats"], WANTED) > 0
    assert density(["amber"], ()) == 0


def test_the_denser_the_better() -> None:
    once, twice = [*WANTED, *["word"] * 50], [*WANTED, *WANTED, *["word"] * 48]
    assert 0 < density(once, WANTED) < density(twice, WANTED) < 1
    assert density([*once, *["word"] * 500], WANTED) < density(once, WANTED)


def test_a_title_counts_half_a_point_beside_the_body() -> None:
    for words in (["amber"], ["amber", "lantern"]):
        plain = keyword_score(words, WANTED, titled=False)
        assert keyword_score(words, WANTED, titled=True) == pytest.approx(plain + 0.5)
