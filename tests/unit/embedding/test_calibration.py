"""The map is monotone, stays within 0..1, and reads the bundled model's cosines as intended."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.embedding.bundled import BundledEmbedder
from commonplace.embedding.calibration import CLAMPED_COSINE, Calibration, calibration_for

BUNDLED = calibration_for("granite-30m-en-int8-r2@384")
COSINES = st.floats(-1.001, 1.001)


@given(one=COSINES, other=COSINES)
def test_closer_is_never_less_similar(one: float, other: float) -> None:
    low, high = sorted((one, other))
    for calibration in (BUNDLED, CLAMPED_COSINE):
        assert 0 <= calibration.similarity(low) <= calibration.similarity(high) <= 1


@given(one=st.floats(0.46, 0.99), step=st.floats(0.0001, 0.005))
def test_order_is_kept_where_answers_lie(one: float, step: float) -> None:
    assert BUNDLED.similarity(one) < BUNDLED.similarity(one + step)


def test_between_two_points_it_is_a_straight_line() -> None:
    line = Calibration(((0.2, 0.1), (0.6, 0.9)))
    found = [line.similarity(cosine) for cosine in (0.1, 0.2, 0.3, 0.4, 0.6, 0.7)]
    assert found == pytest.approx([0.1, 0.1, 0.3, 0.5, 0.9, 0.9])


def test_the_bundled_model_has_its_own_measured_points() -> None:
    key = BundledEmbedder().identity.key
    assert calibration_for(key) is BUNDLED
    assert BUNDLED is not CLAMPED_COSINE


@pytest.mark.parametrize(
    ("cosine", "least", "most"),
    [(1.0, 1.0, 1.0), (0.9995, 1.0, 1.0), (0.53, 0.05, 0.2), (0.4, 0.0, 0.0), (0.78, 0.7, 0.8)],
)
def test_unrelated_is_low_related_high_and_the_same_is_one(
    cosine: float, least: float, most: float
) -> None:
    assert least <= BUNDLED.similarity(cosine) <= most


def test_an_unmeasured_model_keeps_its_cosine() -> None:
    unknown = calibration_for("somebody's-model@3")
    assert [unknown.similarity(c) for c in (-0.5, 0.25, 1.0)] == [0.0, 0.25, 1.0]


def test_given_points_go_before_measured_ones() -> None:
    given_points = calibration_for("granite-30m-en-int8-r2@384", [(0.0, 0.5), (1.0, 0.75)])
    assert given_points.similarity(0.5) == 0.625


@pytest.mark.parametrize(
    "points",
    [
        (),
        ((0.0, 0.0),),
        ((0.0, 0.0), (0.0, 1.0)),
        ((0.0, 0.5), (1.0, 0.4)),
        ((0.0, -0.1), (1.0, 1.0)),
        ((0.0, 0.0), (1.0, 1.1)),
    ],
)
def test_points_that_do_not_rise_are_refused(points: tuple[tuple[float, float], ...]) -> None:
    with pytest.raises(ValueError, match="points"):
        Calibration(points)
