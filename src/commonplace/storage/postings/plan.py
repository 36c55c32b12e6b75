"""Decides the next step of upkeep for an org's posting lists; pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True, slots=True)
class PostingThresholds:
    """When lists are made, and how they grow. Up to `begin` chunks, an org needs none.

    Below `everything` only searches for any of several terms read the lists: ranking many matches
    is what the store's own index is slow at, while it finds all words of a query, or a part of a
    title, faster than the lists do.

    `least` queued changes are made into a segment of at most `segment` chunks. `alike` segments of
    about the same size are merged into one. A segment is rewritten when `gone_share` of it was
    removed. Searches and workers wait the given seconds before they look again.
    """

    begin: int = 5_000
    everything: int = 50_000
    least: int = 512
    segment: int = 8_192
    alike: int = 4
    gone_share: float = 0.2
    look_again_seconds: float = 30.0
    rest_seconds: float = 5.0


STANDARD_THRESHOLDS = PostingThresholds()
# PostgreSQL unpacks the tokens of all that matches, or waits to be posted: lists cost less from
# here on, and less should wait.
POSTGRES_THRESHOLDS = PostingThresholds(begin=500, least=128)


class PostingWork(Enum):
    NOTHING = "nothing"
    START = "start"
    FILL = "fill"
    POST = "post"
    MERGE = "merge"
    DROP = "drop"


@dataclass(frozen=True, slots=True)
class SegmentSize:
    id: int
    chunks: int
    gone: int


@dataclass(frozen=True, slots=True)
class PostingState:
    """The state of an org's posting lists.

    `filled` is None without an index; `queued` and `chunks` are counted up to a limit.
    """

    filled: bool | None
    queued: int
    chunks: int
    segments: tuple[SegmentSize, ...] = ()


def next_work(state: PostingState, thresholds: PostingThresholds) -> PostingWork:
    if state.filled is None:
        return PostingWork.START if state.chunks > thresholds.begin else PostingWork.NOTHING
    if not state.filled:
        return PostingWork.FILL
    # Far below the threshold, so that lists are not built and removed in turn.
    if state.chunks <= thresholds.begin // 2:
        return PostingWork.DROP
    if state.queued >= thresholds.least:
        return PostingWork.POST
    return PostingWork.MERGE if to_merge(state.segments, thresholds) else PostingWork.NOTHING


def to_merge(
    segments: Sequence[SegmentSize], thresholds: PostingThresholds
) -> tuple[SegmentSize, ...]:
    """Segments to rewrite as one: several of about the same size, or one with much removed."""
    alike: dict[int, list[SegmentSize]] = defaultdict(list)
    for segment in segments:
        if segment.gone > thresholds.gone_share * segment.chunks:
            return (segment,)
        alike[_magnitude(segment.chunks, thresholds)].append(segment)
    for magnitude in sorted(alike):
        if len(alike[magnitude]) >= thresholds.alike:
            return tuple(alike[magnitude])
    return ()


def _magnitude(chunks: int, thresholds: PostingThresholds) -> int:
    magnitude, size = 0, thresholds.least * thresholds.alike
    while chunks >= size:
        magnitude, size = magnitude + 1, size * thresholds.alike
    return magnitude
