"""What a query wants to see, by how it is worded."""

from __future__ import annotations

import pytest

from commonplace.workspace.search.wording import Wish, wish_of


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("Where are retries counted?", Wish.PLACE),
        ("  WHERE   is the limit checked", Wish.PLACE),
        ("Which code walks the tree?", Wish.PLACE),
        ("what function parses the header", Wish.PLACE),
        ("How is the delay computed?", Wish.WORKINGS),
        ("How does it notice a change?", Wish.WORKINGS),
        ("What happens when the disk is full?", Wish.WORKINGS),
        ("Why is there a second index?", Wish.WORKINGS),
        ("How do I set the delay?", Wish.ANYTHING),
        ("Where do we put our settings?", Wish.ANYTHING),
        ("How do retries work with my proxy?", Wish.ANYTHING),
        ("What options are there?", Wish.ANYTHING),
        ("Which formats can be read?", Wish.ANYTHING),
        ("refund retry escalation", Wish.ANYTHING),
        ("somewhere in the middle", Wish.ANYTHING),
        ("whereabouts", Wish.ANYTHING),
        ("parseConfig", Wish.ANYTHING),
        ("", Wish.ANYTHING),
    ],
)
def test_only_the_wording_counts(query: str, expected: Wish) -> None:
    assert wish_of(query) is expected
