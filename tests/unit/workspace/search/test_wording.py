"""What a query wants to see, by how it is worded."""

from __future__ import annotations

import pytest

from commonplace.workspace.search.wording import QueryIntent, query_intent


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("Where are retries counted?", QueryIntent.PLACE),
        ("  WHERE   is the limit checked", QueryIntent.PLACE),
        ("Which code walks the tree?", QueryIntent.PLACE),
        ("what function parses the header", QueryIntent.PLACE),
        ("How is the delay computed?", QueryIntent.WORKINGS),
        ("How does it notice a change?", QueryIntent.WORKINGS),
        ("What happens when the disk is full?", QueryIntent.WORKINGS),
        ("Why is there a second index?", QueryIntent.WORKINGS),
        ("How do I set the delay?", QueryIntent.ANYTHING),
        ("Where do we put our settings?", QueryIntent.ANYTHING),
        ("How do retries work with my proxy?", QueryIntent.ANYTHING),
        ("What options are there?", QueryIntent.ANYTHING),
        ("Which formats can be read?", QueryIntent.ANYTHING),
        ("refund retry escalation", QueryIntent.ANYTHING),
        ("somewhere in the middle", QueryIntent.ANYTHING),
        ("whereabouts", QueryIntent.ANYTHING),
        ("parseConfig", QueryIntent.ANYTHING),
        ("", QueryIntent.ANYTHING),
    ],
)
def test_only_the_wording_counts(query: str, expected: QueryIntent) -> None:
    assert query_intent(query) is expected
