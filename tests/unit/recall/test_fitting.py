"""How many hits are worth showing."""

from __future__ import annotations

import pytest

from commonplace.recall.fitting import enough


@pytest.mark.parametrize(
    ("probabilities", "shown"),
    [
        ([0.97, 0.5, 0.4, 0.3], 3),  # the answer is among the first ones
        ([0.3, 0.2, 0.1, 0.1, 0.05], 5),  # it may be further down
        ([0.07, 0.01, 0.001, 0.001, 0.0], 2),  # what is hopeless is not shown
        ([0.72, 0.004], 1),
        ([0.0, 0.0], 1),
        ([], 0),
    ],
)
def test_hits_are_shown_until_the_answer_is_among_them(
    probabilities: list[float], shown: int
) -> None:
    assert enough(probabilities) == shown
