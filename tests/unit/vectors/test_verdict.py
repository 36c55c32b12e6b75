"""When a graph is built, kept or removed."""

from __future__ import annotations

import pytest

from commonplace.storage.sqlite.vectors.tending import STANDARD_THRESHOLDS, Verdict, verdict


@pytest.mark.parametrize(
    ("covered", "fresh", "gone", "decided"),
    [
        (None, 0, 0, Verdict.KEEP),
        (None, 100_000, 0, Verdict.KEEP),
        (None, 100_001, 0, Verdict.BUILD),
        (100_000, 0, 0, Verdict.KEEP),
        (100_000, 20_000, 0, Verdict.KEEP),
        (100_000, 20_001, 0, Verdict.BUILD),
        (100_000, 10_000, 10_001, Verdict.BUILD),
        (1_000_000, 50_000, 0, Verdict.KEEP),
        (1_000_000, 50_001, 0, Verdict.BUILD),
        (100_000, 0, 50_000, Verdict.BUILD),
        (100_000, 0, 50_001, Verdict.REMOVE),
    ],
)
def test_verdicts(covered: int | None, fresh: int, gone: int, decided: Verdict) -> None:
    assert verdict(STANDARD_THRESHOLDS, covered, fresh, gone) is decided
