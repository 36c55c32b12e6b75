"""Vectors in eight bits keep their direction."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from commonplace.storage.sqlite.vectors.graph import eight_bit
from tests.generate import unit_vectors


@given(st.integers(0, 10_000), st.floats(1e-3, 1e3))
def test_the_direction_stays_whatever_the_length(seed: int, length: float) -> None:
    (vector,) = unit_vectors(1, seed, dimension=384)
    encoded = eight_bit(vector * length).astype(np.float64)
    assert vector @ encoded / np.linalg.norm(encoded) > 0.999
    assert np.abs(encoded).max() == 127


def test_nothing_is_nothing() -> None:
    assert not eight_bit(np.zeros(8)).any()
