"""When a graph is built, kept or removed."""

from __future__ import annotations

import pytest

from commonplace.storage.sqlite.vectors.tending import STANDARD_THRESHOLDS, GraphAction, verdict


@pytest.mark.parametrize(
    ("covered", "fresh", "gone", "decided"),
    [
        (None, 0, 0, GraphAction.KEEP),
        (None, 100_000, 0, GraphAction.KEEP),
        (None, 100_001, 0, GraphAction.BUILD),
        (100_000, 0, 0, GraphAction.KEEP),
        (100_000, 20_000, 0, GraphAction.KEEP),
        (100_000, 20_001, 0, GraphAction.BUILD),
        (100_000, 10_000, 10_001, GraphAction.BUILD),
        (1_000_000, 50_000, 0, GraphAction.KEEP),
        (1_000_000, 50_001, 0, GraphAction.BUILD),
        (100_000, 0, 50_000, GraphAction.BUILD),
        (100_000, 0, 50_001, GraphAction.REMOVE),
    ],
)
def test_a_graph_is_built_again_once_much_has_changed(
    covered: int | None, fresh: int, gone: int, decided: GraphAction
) -> None:
    assert verdict(STANDARD_THRESHOLDS, covered, fresh, gone) is decided
