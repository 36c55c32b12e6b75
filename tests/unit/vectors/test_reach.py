"""How far a search looks when a filter cuts what it found."""

from __future__ import annotations

import pytest

from commonplace.storage.sqlite.vectors.search import wider_reach


@pytest.mark.parametrize(
    ("kept", "reach", "wider"),
    [(10, 64, None), (0, 64, None), (5, 64, 256), (1, 64, 1280), (1, 10_000, None)],
)
def test_a_search_that_kept_too_few_looks_further(kept: int, reach: int, wider: int | None) -> None:
    assert wider_reach(10, kept, reach, most=4096) == wider
