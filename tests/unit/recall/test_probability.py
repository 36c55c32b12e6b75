"""Probabilities: monotone, bounded, and the same for the same evidence."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from commonplace.recall.evidence import Evidence
from commonplace.recall.probability import (
    answered_probability,
    calibrated,
    hit_probability,
    known_probability,
    non_increasing,
    raised_to,
)

SHARES = some.floats(0, 1)


def raised(given_ones: list[float], answered: float) -> list[float]:
    return [*map(raised_to(given_ones, answered), given_ones)]


EVIDENCE = some.builds(
    Evidence,
    similarity=SHARES,
    coverage=SHARES,
    share=SHARES,
    ahead_in_meaning=SHARES,
    ahead_in_words=SHARES,
    relative_score=SHARES,
    alone=some.booleans(),
    terms=some.integers(0, 50),
)


@given(EVIDENCE, some.sampled_from(["note", "code", "document"]))
def test_every_probability_is_one(evidence: Evidence, kind: str) -> None:
    every = (
        hit_probability(evidence, kind),
        known_probability([evidence]),
        answered_probability([evidence]),
    )
    assert all(0 <= one <= 1 for one in every)


@pytest.mark.parametrize("name", ["similarity", "share"])
@given(EVIDENCE)
def test_more_of_it_never_speaks_against_a_hit(name: str, evidence: Evidence) -> None:
    more_of: dict[str, Any] = {name: 1.0}
    more = replace(evidence, **more_of)
    assert hit_probability(more, "note") >= hit_probability(evidence, "note") - 1e-9


@given(some.lists(EVIDENCE, min_size=1), some.lists(SHARES, max_size=5))
def test_a_question_is_answered_at_least_as_likely_as_a_hit_of_it_answers(
    found: list[Evidence], likely: list[float]
) -> None:
    assert answered_probability(found, likely) >= max(likely, default=0.0)


def test_nothing_found_is_nothing_known() -> None:
    assert known_probability([]) == answered_probability([]) == 0.0


@given(some.lists(SHARES))
def test_no_hit_is_likelier_than_one_before_it(given_ones: list[float]) -> None:
    result = list(non_increasing(given_ones))
    assert result == sorted(result, reverse=True)
    assert all(shown <= one for shown, one in zip(result, given_ones, strict=True))


@given(some.lists(some.floats(1e-9, 1), min_size=1, max_size=8), some.floats(0, 0.999))
def test_hits_are_raised_in_their_order_until_together_they_say_what_is_said_of_the_question(
    given_ones: list[float], answered: float
) -> None:
    likely = list(non_increasing(given_ones))
    result = raised(likely, answered)
    assert 1 - math.prod(1 - one for one in result) >= answered - 1e-6
    assert result == sorted(result, reverse=True)
    assert all(one >= was - 1e-9 for one, was in zip(result, likely, strict=True))
    assert max(result) <= max(*likely, answered) + 1e-6


def test_hits_that_say_more_than_the_question_stay_as_they_are() -> None:
    assert raised([0.6, 0.5], 0.7) == [0.6, 0.5]
    assert raised([], 0.0) == []
    assert raised([0.0, 0.0], 0.3) == [0.0, 0.0]


def test_what_is_not_listed_is_raised_with_the_rest_and_raises_nothing() -> None:
    listed = [0.05] * 8
    assert raised([*listed, 0.04], 0.7)[:8] == raised(listed, 0.7)
    assert 0.04 < raised([*listed, 0.04], 0.7)[8] < raised(listed, 0.7)[7]


def test_the_limits_are_probabilities() -> None:
    numbers = calibrated()
    assert 0 < numbers.nothing_below < 1
    assert 0 < numbers.nothing_below_by_words < 1
    assert 0 < numbers.answers_from < 1
