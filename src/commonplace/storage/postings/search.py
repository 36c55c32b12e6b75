"""Searches by words with posting lists: ranks the lists, adds unposted chunks, applies filters.

The lists do not decide who may read: every hit is checked in the same transaction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np

from commonplace.model.query import Filter
from commonplace.storage.port import LexicalQuery
from commonplace.storage.postings.blocks import PostingBlock
from commonplace.storage.postings.ranking import (
    Lists,
    RankedKeys,
    asked_lists,
    in_scope,
    ranked_in,
    rarities,
    scope_lists,
    scored,
)
from commonplace.storage.postings.rows import PostingContents, PostingSegment, place_of, unposted_of
from commonplace.storage.postings.segments import block_of
from commonplace.storage.session import Codec, Row
from commonplace.storage.tables.chunks import any_scopes, scope_token

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Most of the best pass the filter, so slightly more than wanted are checked at first.
_OVERFETCH = 1.25
_WIDENING = 4


class PostedSession(Protocol):
    """The part of a session that this uses, on either database."""

    @property
    def codec(self) -> Codec: ...

    def rows(self, statement: str, **values: object) -> list[Row]: ...

    def passing(self, keys: Sequence[int], wanted: Filter) -> list[int]: ...

    def unposted_matches(self, query: LexicalQuery, wanted: Filter, after: int) -> list[Row]:
        """Tokens of matching chunks that are in no list: queued, or shared by another org."""
        ...


class PostedSearch:
    """One search in one transaction."""

    def __init__(
        self,
        session: PostedSession,
        segments: Sequence[PostingSegment],
        query: LexicalQuery,
        wanted: Filter,
    ) -> None:
        self._session = session
        self._segments = segments
        self._query = query
        self._wanted = wanted
        self._chunks = sum(segment.shape.chunks for segment in segments)
        self._average = max(1.0, sum(s.shape.tokens for s in segments) / max(1, self._chunks))

    def run(self, limit: int, unposted: Sequence[int], *, shared: bool) -> list[int] | None:
        """Keys, best first; None if the lists cannot answer."""
        asked = asked_lists(self._query, scopes_of(self._wanted))
        if asked is None:
            return None
        if not asked.wanted:
            return []
        found = _read_lists(self._session, self._segments, asked.numbers)
        weighing = rarities(asked, found, self._chunks)
        ranked = [
            ranked_in(segment.shape, lists, asked, weighing)
            for segment, lists in zip(self._segments, found, strict=True)
        ]
        new = np.array(unposted, np.int64)
        ranked = [
            _without(one, segment.gone, new)
            for segment, one in zip(self._segments, ranked, strict=True)
        ]
        if unposted or shared:
            ranked.append(self._unposted(weighing, 0 if shared else unposted[0] - 1))
        return self._best(ranked, limit)

    def _unposted(self, weighing: Mapping[int, float], after: int) -> RankedKeys:
        rows = self._session.unposted_matches(self._query, self._wanted, after)
        chunks = [unposted_of(row) for row in rows]
        scores = scored(self._query, chunks, weighing, self._average)
        return RankedKeys(np.array([c.key for c in chunks], np.int64), scores)

    def _best(self, ranked: Sequence[RankedKeys], limit: int) -> list[int]:
        """Check more and more of the best until enough pass."""
        keys = np.concatenate([one.keys for one in ranked])
        scores = np.concatenate([one.scores for one in ranked])
        passing: list[int] = []
        start, reach = 0, int(_OVERFETCH * limit)
        order = _best_first(keys, scores, reach)
        while start < len(keys) and len(passing) < limit:
            if reach > len(order):
                order = _best_first(keys, scores, len(keys))
            passing += self._session.passing(keys[order[start:reach]].tolist(), self._wanted)
            start, reach = reach, reach * _WIDENING
        return passing[:limit]


def scoped_keys(
    session: PostedSession, contents: PostingContents, wanted: Filter, most: int
) -> NDArray[np.int64] | None:
    """Chunks that are in one list of every group, and all unposted ones; None if over `most`."""
    groups = scope_lists(scopes_of(wanted))
    numbers = {number for group in groups for number in group}
    found = _read_lists(session, contents.segments, numbers)
    least = min(
        sum(len(lists[number].places) for lists in found for number in group if number in lists)
        for group in groups
    )
    if least + len(contents.unposted) > most:
        return None
    new = np.array(contents.unposted, np.int64)
    keys = [new]
    for segment, lists in zip(contents.segments, found, strict=True):
        allowed = segment.shape.first_key + in_scope(lists, groups)
        keys.append(np.setdiff1d(allowed, np.union1d(segment.gone, new), assume_unique=True))
    return np.sort(np.concatenate(keys))


def _read_lists(
    session: PostedSession, segments: Sequence[PostingSegment], numbers: set[int]
) -> list[Lists]:
    """The lists of each segment, in one statement for all of them."""
    places = {
        (segment.id, number): place_of(segment.id, block_of(number, segment.shape.blocks))
        for segment in segments
        for number in numbers
    }
    keys = session.codec.array(sorted(set(places.values())))
    rows = session.rows("posting_blocks", places=keys)
    blocks = {row["place"]: PostingBlock(row["data"]) for row in rows}
    return [
        {
            number: one
            for number in numbers
            if (block := blocks.get(places[segment.id, number])) and (one := block.read(number))
        }
        for segment in segments
    ]


def scopes_of(wanted: Filter) -> list[list[str]]:
    """Groups of scope tokens; a chunk must have one of each group."""
    return [[scope_token("t", tag)] for tag in wanted.tags] + any_scopes(wanted)


def _without(ranked: RankedKeys, *left_out: NDArray[np.int64]) -> RankedKeys:
    keys, scores = ranked.keys, ranked.scores
    for gone in left_out:
        if len(gone) and len(keys):
            kept = ~np.isin(keys, gone)
            keys, scores = keys[kept], scores[kept]
    return RankedKeys(keys, scores)


def _best_first(
    keys: NDArray[np.int64], scores: NDArray[np.float64], reach: int
) -> NDArray[np.intp]:
    """Positions of at least the best `reach`, best first; among equals, the lowest key first."""
    if reach < len(keys):
        least = np.partition(scores, len(scores) - reach)[len(scores) - reach]
        which = np.flatnonzero(scores >= least)
    else:
        which = np.arange(len(keys))
    return which[np.lexsort((keys[which], -scores[which]))]
