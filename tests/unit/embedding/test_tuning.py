"""What training changed is kept as a difference, and is the same when it is added again."""

from __future__ import annotations

import numpy as np
import pytest

from tools.model.container import difference, learned


def test_what_was_learned_comes_back_within_half_a_step() -> None:
    chance = np.random.default_rng(7)
    before = {
        "words": chance.normal(size=(5, 4)).astype(np.float32),
        "product.w": chance.normal(size=(6, 4)).astype(np.float32),
        "product.b": chance.normal(size=6).astype(np.float32),
    }
    change = {
        "product.w": (chance.normal(size=(6, 4)) * [[0.001], [1], [3], [0.1], [1], [0]]),
        "product.b": chance.normal(size=6) * 0.01,
    }
    after = {name: (before[name] + value).astype(np.float32) for name, value in change.items()}

    kept = difference(before, after)
    again = learned(before, kept)

    assert kept["product.w"].dtype == np.int8
    assert np.array_equal(again["words"], before["words"]), "what was not trained stays"
    assert again["product.b"] == pytest.approx(after["product.b"], abs=1e-4)
    step = np.abs(change["product.w"]).max(axis=1) / 15
    assert (np.abs(again["product.w"] - after["product.w"]) <= step[:, None] * 0.51 + 1e-6).all()


def test_each_row_has_a_scale_of_its_own() -> None:
    before = {"w": np.zeros((2, 2), np.float32)}
    kept = difference(before, {"w": np.array([[8, -4], [0.5, 0]], np.float32)})
    assert kept["w"].max() == 15
    again = learned(before, kept)["w"]
    assert again[0] == pytest.approx([8, -4], abs=0.3)
    assert again[1] == pytest.approx([0.5, 0], abs=0.02)
