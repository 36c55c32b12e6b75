"""Posting lists for tests: made from the first chunk on, in pieces so small that they merge."""

from __future__ import annotations

from typing import Any

from commonplace.storage.port import Store
from commonplace.storage.postings.lists import PostingLists
from commonplace.storage.postings.plan import PostingThresholds

AT_ONCE = PostingThresholds(
    begin=0,
    everything=0,
    least=1,
    segment=16,
    alike=3,
    look_again_seconds=0.0,
    rest_seconds=0.0,
)


class WithoutLists(PostingLists):
    """Leaves every search to the store's own text index."""

    def search(self, *_: Any) -> None:
        return None

    def scoped(self, *_: Any) -> None:
        return None


def post_all(store: Store) -> int:
    """Bring the lists up to date; in how many steps."""
    steps = 0
    while store.maintain_postings():
        steps += 1
    return steps
