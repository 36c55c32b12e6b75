"""What an answer says about itself."""

from __future__ import annotations

import pytest

from commonplace.model.chunk import MOST_UNEMBEDDED_COUNTED
from commonplace.recall.wording import passages


@pytest.mark.parametrize(
    ("count", "told"),
    [
        (1, "1 passage"),
        (MOST_UNEMBEDDED_COUNTED - 1, "999 passages"),
        (MOST_UNEMBEDDED_COUNTED, "at least 1,000 passages"),
    ],
)
def test_a_count_that_ended_at_its_limit_says_so(count: int, told: str) -> None:
    assert passages(count) == told
