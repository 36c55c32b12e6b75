"""Learning: weights move only on enough evidence, a little, within bounds, and back again."""

from __future__ import annotations

from dataclasses import astuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.analysis.confidence import Weights
from commonplace.analysis.learning import FactorEvidence, adapted

DEFAULT = Weights()
EVIDENCE = st.lists(
    st.builds(
        FactorEvidence,
        st.sampled_from(["pattern", "sentiment", "text length", "structure", "auto-capture"]),
        st.integers(0, 50),
        st.integers(0, 50),
    ),
    max_size=8,
)
ANY_WEIGHTS = st.tuples(*[st.floats(0, 100)] * 4).filter(any).map(lambda each: Weights(*each))


def evidence(factor: str, confirmed: int, rejected: int) -> list[FactorEvidence]:
    return [FactorEvidence(factor, confirmed, rejected)]


@pytest.mark.parametrize(
    ("samples", "given_evidence"),
    [
        (9, evidence("pattern", 9, 0)),
        (10, evidence("pattern", 4, 0)),
        (10, evidence("pattern", 5, 5)),
        (10, evidence("pattern", 7, 3)),
        (10, evidence("auto-capture", 10, 0)),
        (10, []),
    ],
)
def test_too_little_or_mixed_evidence_changes_nothing(
    samples: int, given_evidence: list[FactorEvidence]
) -> None:
    assert adapted(DEFAULT, given_evidence, samples) == DEFAULT


def test_a_confirmed_factor_goes_a_tenth_of_the_way_to_the_highest_weight() -> None:
    weights = adapted(DEFAULT, evidence("pattern", 8, 2), 10)
    assert astuple(weights) == pytest.approx([each / 1.015 for each in (0.365, 0.3, 0.15, 0.2)])


def test_a_rejected_factor_loses_a_tenth() -> None:
    weights = adapted(DEFAULT, evidence("sentiment", 4, 6), 10)
    assert astuple(weights) == pytest.approx([each / 0.97 for each in (0.35, 0.27, 0.15, 0.2)])


@pytest.mark.parametrize("name", ["text length", "text_length", "textLength"])
def test_text_length_has_three_spellings(name: str) -> None:
    assert adapted(DEFAULT, evidence(name, 10, 0), 10).text_length == pytest.approx(0.185 / 1.035)


def test_evidence_under_several_spellings_adds_up() -> None:
    split = evidence("text length", 3, 0) + evidence("textLength", 3, 0)
    assert adapted(DEFAULT, split, 10) == adapted(DEFAULT, evidence("text_length", 6, 0), 10)


def test_weights_in_proportion_learn_alike() -> None:
    confirmed = evidence("pattern", 10, 0)
    assert adapted(Weights(70, 60, 30, 40), confirmed, 10) == adapted(DEFAULT, confirmed, 10)


def test_extreme_weights_are_brought_within_bounds() -> None:
    weights = adapted(Weights(1, 0, 0, 0), evidence("structure", 10, 0), 10)
    assert astuple(weights) == pytest.approx((0.5, 1 / 6, 1 / 6, 1 / 6))


@given(ANY_WEIGHTS, EVIDENCE, st.integers(0, 100))
def test_learned_weights_sum_to_one_within_bounds(
    weights: Weights, given_evidence: list[FactorEvidence], samples: int
) -> None:
    learned = adapted(weights, given_evidence, samples)
    if learned != weights:
        assert learned.total == pytest.approx(1)
        assert all(0.05 <= each <= 0.5 for each in astuple(learned))


@given(EVIDENCE, st.integers(10, 100))
def test_from_the_defaults_learning_is_gentle_and_the_same_each_time(
    given_evidence: list[FactorEvidence], samples: int
) -> None:
    learned = adapted(DEFAULT, given_evidence, samples)
    assert learned == adapted(DEFAULT, given_evidence, samples)
    assert astuple(learned) == pytest.approx(astuple(DEFAULT), rel=0.3)
