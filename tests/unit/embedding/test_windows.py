"""Windows cover everything, overlap, and are as few as can be."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.embedding.windows import batches, spans


def test_short_text_is_one_window() -> None:
    assert spans(0, 510, 64) == [(0, 0)]
    assert spans(510, 510, 64) == [(0, 510)]


def test_windows_are_about_equally_long() -> None:
    assert spans(511, 510, 64) == [(0, 288), (224, 511)]


@given(length=st.integers(0, 20_000), window=st.integers(2, 600), share=st.floats(0, 0.9))
def test_windows_cover_the_text_and_share_their_edges(
    length: int, window: int, share: float
) -> None:
    overlap = int(share * window)
    found = spans(length, window, overlap)
    assert found[0][0] == 0
    assert found[-1][1] == length
    assert all(0 <= end - start <= window for start, end in found)
    for (_, left_end), (right_start, _) in pairwise(found):
        assert left_end - right_start >= overlap
    longest_cover = window + (len(found) - 2) * (window - overlap)
    assert len(found) == 1 or longest_cover < length


@pytest.mark.parametrize("overlap", [-1, 10, 11])
def test_overlap_must_be_shorter_than_the_window(overlap: int) -> None:
    with pytest.raises(ValueError, match="shorter"):
        spans(100, 10, overlap)


@given(items=st.lists(st.integers()), size=st.integers(1, 7))
def test_batches_keep_every_item_in_order(items: list[int], size: int) -> None:
    found = list(batches(items, size))
    assert [item for batch in found for item in batch] == items
    assert all(0 < len(batch) <= size for batch in found)
    assert all(len(batch) == size for batch in found[:-1])
