"""Ranking the lists of one segment: filters by scopes, whatever keys the segment reaches over."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from commonplace.storage.postings.blocks import PostingList
from commonplace.storage.postings.ranking import AskedLists, in_scope, ranked_in
from commonplace.storage.postings.segments import SegmentShape

PLACES = st.sets(st.integers(0, 60))
# Keys are given to all orgs in turn, so a small org has a segment that reaches over many.
FAR = 1 << 45


def posting_list(places: set[int]) -> PostingList:
    return PostingList(np.array(sorted(places), np.uint32), np.full(len(places), 1_000, np.uint16))


@given(st.dictionaries(st.integers(0, 5), PLACES), st.lists(st.sets(st.integers(0, 6)), min_size=1))
def test_a_place_in_scope_is_in_a_list_of_every_group(
    held: dict[int, set[int]], groups: list[set[int]]
) -> None:
    lists = {number: posting_list(places) for number, places in held.items()}
    wanted = [set().union(*(held.get(number, ()) for number in group)) for group in groups]
    found = in_scope(lists, [sorted(group) for group in groups])
    assert found.tolist() == sorted(set.intersection(*wanted))


def test_a_filter_costs_nothing_for_keys_of_others() -> None:
    shape = SegmentShape(first_key=7, last_key=7 + FAR, chunks=3, tokens=9, blocks=1)
    lists = {1: posting_list({0, 5, 4_000_000_000}), 2: posting_list({5, 4_000_000_000})}
    asked = AskedLists((1,), every=False, groups=((2, 3),))
    found = ranked_in(shape, lists, asked, {1: 1.0})
    assert found.keys.tolist() == [12, 4_000_000_007]
