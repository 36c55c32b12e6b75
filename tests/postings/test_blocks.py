"""Blocks and segments: what is packed comes back, and merging is the same as building at once."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from commonplace.storage.postings.blocks import PostingBlock, Postings, packed
from commonplace.storage.postings.plan import PostingThresholds, SegmentSize, to_merge
from commonplace.storage.postings.segments import (
    ChunkTokens,
    MergedFrom,
    SegmentBuilder,
    SegmentShape,
    groups_of,
    merged,
    merged_shape,
)
from commonplace.storage.postings.tokens import TERM, WEIGHED, list_number

Single = tuple[int, int, int]

# Near each other and far apart, so that every width of a distance occurs.
places = some.sampled_from([0, 1, 2, 200, 300, 70_000, 70_001, 2**31, 2**32 - 1])
numbers = some.sampled_from([3, 4, 2**40, WEIGHED | 3, WEIGHED | 2**62])
words = some.lists(some.sampled_from("abcdefgh"), max_size=6).map(" ".join)


def postings_of(singles: set[tuple[int, int]]) -> Postings:
    ordered = sorted(singles)
    return Postings(
        np.array([number for number, _ in ordered], np.uint64),
        np.array([place for _, place in ordered], np.uint32),
        np.array([place % 1000 if n & WEIGHED else 0 for n, place in ordered], np.uint16),
    )


def singles_of(postings: Postings) -> list[Single]:
    parts = (postings.numbers, postings.places, postings.weights)
    return list(zip(*(part.tolist() for part in parts), strict=True))


@given(some.sets(some.tuples(numbers, places), min_size=1))
def test_what_is_packed_comes_back(singles: set[tuple[int, int]]) -> None:
    postings = postings_of(singles)
    block = PostingBlock(packed(postings))
    assert singles_of(block.postings()) == singles_of(postings)
    for number in {number for number, _ in singles}:
        one = block.read(number)
        assert one is not None
        expected = [place for n, place in sorted(singles) if n == number]
        assert one.places.tolist() == expected
        weights = [place % 1000 for place in expected] if number & WEIGHED else []
        assert one.weights.tolist() == weights
    assert block.read(5) is None


def chunk(key: int, text: str) -> ChunkTokens:
    return ChunkTokens(key, text, "around", text, "", "kx6e")


def lists_of(shape: SegmentShape, blocks: dict[int, bytes]) -> dict[int, dict[int, int]]:
    found: dict[int, dict[int, int]] = defaultdict(dict)
    for block, data in blocks.items():
        for number, place, weight in singles_of(PostingBlock(data).postings()) if data else []:
            assert number & (shape.blocks - 1) == block
            found[number][place + shape.first_key] = weight
    return dict(found)


def built(chunks: list[ChunkTokens]) -> tuple[SegmentShape, dict[int, bytes]]:
    builder = SegmentBuilder()
    builder.add(chunks)
    shape, blocks = builder.finished([])
    return shape, dict(enumerate(blocks))


@given(some.lists(words, min_size=2, max_size=12), some.integers(1, 11), some.integers(0, 11))
def test_merging_is_building_at_once_without_what_has_gone(
    texts: list[str], cut: int, gone: int
) -> None:
    chunks = [chunk(100 + 7 * number, text) for number, text in enumerate(texts)]
    halves = [half for half in (chunks[:cut], chunks[cut:]) if half]
    parts = [built(half) for half in halves]
    left_out = chunks[min(gone, len(chunks) - 1)].key
    sources = [MergedFrom(shape, np.array([left_out], np.int64)) for shape, _ in parts]
    shape = merged_shape(sources)
    blocks = {
        block: data
        for group in range(groups_of(sources))
        for block, data in merged(
            sources, shape, group, [list(found.values()) for _, found in parts]
        )
    }
    whole = {n: set(keys) for n, keys in lists_of(*built(chunks)).items()}
    expected = {n: keys - {left_out} for n, keys in whole.items() if keys - {left_out}}
    assert {n: set(keys) for n, keys in lists_of(shape, blocks).items()} == expected


def test_a_term_counts_as_often_as_it_occurs_and_around_the_text_twice() -> None:
    once, twice, around = "one other", "one one", "other other"
    segment = SegmentBuilder()
    segment.add(
        [
            ChunkTokens(1, once, "", "", "", ""),
            ChunkTokens(2, twice, "", "", "", ""),
            ChunkTokens(3, around, "one", "", "", ""),
        ]
    )
    shape, blocks = segment.finished([])
    weights = lists_of(shape, dict(enumerate(blocks)))[list_number(TERM, "one")]
    assert weights[1] < weights[2]
    assert weights[1] < weights[3]


@pytest.mark.parametrize(
    ("sizes", "chosen"),
    [
        ([(1, 600, 0), (2, 700, 0), (3, 800, 0)], []),
        ([(1, 600, 0), (2, 700, 0), (3, 800, 0), (4, 900, 0)], [1, 2, 3, 4]),
        ([(1, 600_000, 0), (2, 700, 0), (3, 800, 0), (4, 900, 0)], []),
        ([(1, 10_000, 2_500), (2, 700, 0)], [1]),
    ],
)
def test_segments_of_one_size_become_one(
    sizes: list[tuple[int, int, int]], chosen: list[int]
) -> None:
    segments = [SegmentSize(*size) for size in sizes]
    assert [s.id for s in to_merge(segments, PostingThresholds())] == chosen
