"""How widely a graph is searched: never so narrowly that much of the nearest is missed."""

from __future__ import annotations

import pytest

from commonplace.storage.session import graph_width


@pytest.mark.parametrize(
    ("held", "reach", "asked", "width"),
    [
        pytest.param(1_000, 10, 64, 200, id="what is asked for is too narrow"),
        pytest.param(1_000, 10, 256, 256, id="asked for more"),
        pytest.param(1_000, 400, 64, 400, id="more are to come back"),
        pytest.param(300_000, 10, 64, 480, id="a large graph"),
        pytest.param(1_000_000, 400, 64, 1_600, id="a million"),
        pytest.param(1_000_000, 4_096, 64, 4_096, id="more than a million needs"),
    ],
)
def test_larger_graphs_are_searched_more_widely(
    held: int, reach: int, asked: int, width: int
) -> None:
    assert graph_width(held, reach, asked) == width
