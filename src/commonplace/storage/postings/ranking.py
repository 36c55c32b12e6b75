"""Finds and scores the chunks of a segment that match a query; pure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from commonplace.storage.port import LexicalQuery
from commonplace.storage.postings.blocks import PostingList
from commonplace.storage.postings.segments import (
    CONTEXT_WEIGHT,
    FULL_WEIGHT,
    SegmentShape,
    UnpostedTokens,
    weights,
)
from commonplace.storage.postings.tokens import GRAM, SCOPE, TERM, WORD, list_number

if TYPE_CHECKING:
    from numpy.typing import NDArray

# With more places per posting than this, a table of all places is mostly empty.
_SPARSE = 8
# Tokens that nearly every chunk has still count a little, as in FTS5.
_LEAST_RARITY = 1e-6

Lists = Mapping[int, PostingList]


@dataclass(frozen=True, slots=True)
class AskedLists:
    """A query as list numbers. `every`: all of `wanted` must match. `groups` only filter."""

    wanted: tuple[int, ...]
    every: bool
    groups: tuple[tuple[int, ...], ...]

    @property
    def numbers(self) -> set[int]:
        return {*self.wanted, *(number for group in self.groups for number in group)}


@dataclass(frozen=True, slots=True)
class RankedKeys:
    """Keys of chunks with their scores."""

    keys: NDArray[np.int64]
    scores: NDArray[np.float64]


def asked_lists(query: LexicalQuery, scopes: Sequence[Sequence[str]]) -> AskedLists | None:
    """The lists a query needs; None for a prefix search, which lists cannot answer."""
    groups = scope_lists(scopes)
    for prefix, tokens, every in (
        (WORD, query.words, True),
        (GRAM, query.grams, True),
        (TERM, query.terms, False),
    ):
        if given := tuple(dict.fromkeys(filter(None, tokens))):
            return AskedLists(tuple(list_number(prefix, token) for token in given), every, groups)
        if prefix == GRAM and query.gram_prefix:
            return None
    return AskedLists((), every=False, groups=groups)


def scope_lists(scopes: Sequence[Sequence[str]]) -> tuple[tuple[int, ...], ...]:
    """The lists of groups of scope tokens."""
    return tuple(tuple(list_number(SCOPE, token) for token in group) for group in scopes)


def in_scope(lists: Lists, groups: Sequence[Sequence[int]]) -> NDArray[np.int64]:
    """The places of a segment that are in at least one list of every group, in order.

    Takes time and memory for what the lists hold. A segment can reach over many keys of other orgs.
    """
    passing, *others = (
        _together([lists[number].places for number in group if number in lists]) for group in groups
    )
    for places in others:
        passing = passing[_are_in(passing, places)]
    return passing.astype(np.int64)


def _together(held: Sequence[NDArray[np.uint32]]) -> NDArray[np.uint32]:
    """The places that are in at least one of some lists, in order."""
    if len(held) == 1:
        return held[0]
    # A stable sort is quick because each list is in order.
    places = np.sort(np.concatenate([np.zeros(0, np.uint32), *held]), kind="stable")
    first = np.ones(len(places), np.bool_)
    first[1:] = places[1:] != places[:-1]
    return places[first]


def _are_in(wanted: NDArray[np.integer], places: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Whether each of some places is among others, which are in order."""
    if not len(places):
        return np.zeros(len(wanted), np.bool_)
    at = np.minimum(np.searchsorted(places, wanted), len(places) - 1)
    found: NDArray[np.bool_] = places[at] == wanted
    return found


def rarity(matches: int, chunks: int) -> float:
    return max(_LEAST_RARITY, math.log((chunks - matches + 0.5) / (matches + 0.5)))


def rarities(asked: AskedLists, found: Sequence[Lists], chunks: int) -> dict[int, float]:
    """The weight of each list: the more chunks it has, the less it counts."""
    matches = {
        number: sum(len(lists[number].places) for lists in found if number in lists)
        for number in asked.wanted
    }
    return {number: rarity(min(many, chunks), chunks) for number, many in matches.items()}


def ranked_in(
    shape: SegmentShape, lists: Lists, asked: AskedLists, weighing: Mapping[int, float]
) -> RankedKeys:
    """Matching chunks of the segment in key order."""
    span = shape.last_key - shape.first_key + 1
    wanted = [(lists[number], weighing[number]) for number in asked.wanted if number in lists]
    if not wanted or (asked.every and len(wanted) < len(asked.wanted)):
        places, scores = np.zeros(0, np.int64), np.zeros(0)
    elif asked.every:
        places, scores = _with_all(wanted)
    else:
        places, scores = _with_any(wanted, span)
    if asked.groups:
        passing = _are_in(places, in_scope(lists, asked.groups))
        places, scores = places[passing], scores[passing]
    return RankedKeys(places + shape.first_key, scores)


def _with_any(
    wanted: Sequence[tuple[PostingList, float]], span: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    places = np.concatenate([one.places for one, _ in wanted])
    worth = np.concatenate([_worth(one, weight) for one, weight in wanted])
    if len(places) * _SPARSE < span:
        present, where = np.unique(places, return_inverse=True)
        return present.astype(np.int64), _sums(where, worth)
    table = _sums(places, worth)
    present = np.flatnonzero(table)
    return present, table[present]


def _sums(places: NDArray[np.integer], worth: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.bincount(places, worth).astype(np.float64, copy=False)


def _with_all(
    wanted: Sequence[tuple[PostingList, float]],
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    shortest, *others = sorted(wanted, key=lambda one: len(one[0].places))
    places, scores = shortest[0].places, _worth(*shortest)
    for other, weight in others:
        at = np.searchsorted(other.places, places)
        at[at == len(other.places)] = 0
        both = other.places[at] == places
        places, scores = places[both], scores[both] + _worth(other, weight)[at[both]]
    return places.astype(np.int64), scores


def _worth(one: PostingList, weight: float) -> NDArray[np.float64]:
    if not len(one.weights):
        return np.zeros(len(one.places))
    return one.weights.astype(np.float64) * (weight / FULL_WEIGHT)


def scored(
    query: LexicalQuery,
    chunks: Sequence[UnpostedTokens],
    rarity_of: Mapping[int, float],
    average: float,
) -> NDArray[np.float64]:
    """The scores of chunks that are in no segment yet, by the same rule."""
    if query.grams and not query.words:
        return np.zeros(len(chunks))
    prefix, tokens = (WORD, query.words) if query.words else (TERM, query.terms)
    counts = np.array([_counts(chunk, tokens, prefix) for chunk in chunks], np.float32)
    lengths = np.array([chunk.length for chunk in chunks], np.float32)
    rarity_by_token = np.array([rarity_of[list_number(prefix, token)] for token in tokens])
    shares = weights(counts.reshape(-1, len(tokens)), lengths[:, np.newaxis], average)
    scores: NDArray[np.float64] = shares.astype(np.float64) @ rarity_by_token
    return scores


def _counts(chunk: UnpostedTokens, tokens: Sequence[str], prefix: str) -> list[int]:
    if prefix == WORD:
        words = chunk.words.split()
        return [words.count(token) for token in tokens]
    body, context = chunk.terms.split(), chunk.context_terms.split()
    return [body.count(token) + CONTEXT_WEIGHT * context.count(token) for token in tokens]
