"""Tiered retrieval: usage boosts the entries found, then diversity and a token budget select.

Pure: the caller supplies the entries, their usage and their length.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from commonplace.model.capture import Access
from commonplace.model.entry import Entry
from commonplace.model.query import SearchRequest

_USES_FOR_ALL = 10.0
_USAGE_FADES = timedelta(days=30)


class Diversify(StrEnum):
    """The groups over which results are spread."""

    TYPE = "type"
    PROJECT = "project"
    BOTH = "both"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class WeighedEntry:
    """An entry with its current score, its usage, and its cost in tokens."""

    entry: Entry
    score: float
    access: Access
    tokens: int


@dataclass(frozen=True, slots=True)
class Capped:
    """The entries that fit the budget; `enforced` says whether any did not."""

    found: tuple[WeighedEntry, ...]
    enforced: bool


@dataclass(frozen=True, slots=True)
class TieredRequest:
    """The tiers to run. None switches off searching, boosting, or both diversity and budget."""

    search: SearchRequest | None
    boost: float | None
    diversify: Diversify
    budget: int | None
    tokens_of: Callable[[Entry], int]


@dataclass(frozen=True, slots=True)
class TieredResult:
    """The selected entries, with counts per tier; the notice says what could not be done.

    `smallest` is the size in tokens of the smallest entry that the budget left out.
    """

    found: tuple[WeighedEntry, ...]
    searched: int
    boosted: int
    enforced: bool
    notice: str
    smallest: int | None = None


def usage(access: Access, now: datetime) -> float:
    """How much an entry is used, from 0 to 1: grows with the count, decays since the last use."""
    if access.count < 1 or access.last_at is None:
        return 0.0
    idle = max(timedelta(), now - access.last_at)
    return min(1.0, math.log(access.count + 1) / _USES_FOR_ALL * math.exp(-(idle / _USAGE_FADES)))


def boosted(found: Sequence[WeighedEntry], factor: float, now: datetime) -> list[WeighedEntry]:
    """Raise the scores of used entries and sort, best first; ties keep their order."""
    lifted = [
        replace(one, score=min(1.0, one.score + usage(one.access, now) * factor)) for one in found
    ]
    return sorted(lifted, key=lambda one: -one.score)


def diversified(found: Sequence[WeighedEntry], by: Diversify) -> list[WeighedEntry]:
    """Take one of each group in turn (round robin), groups in the order of first appearance."""
    if by is Diversify.NONE:
        return list(found)
    group_of = _GROUPS[by]
    places: dict[Hashable, int] = defaultdict(int)
    turns = []
    for one in found:
        group = group_of(one.entry)
        turns.append((places[group], one))
        places[group] += 1
    first_seen = {group: order for order, group in enumerate(places)}
    ordered = sorted(turns, key=lambda turn: (turn[0], first_seen[group_of(turn[1].entry)]))
    return [one for _, one in ordered]


def capped(found: Iterable[WeighedEntry], budget: int) -> Capped:
    """Take entries in order while they fit; a smaller one may follow one that was too large."""
    kept, left, enforced = [], budget, False
    for one in found:
        if one.tokens <= left:
            kept.append(one)
            left -= one.tokens
        else:
            enforced = True
    return Capped(tuple(kept), enforced)


def diversity(entries: Sequence[Entry]) -> float:
    """The mean evenness over types and over projects, from 0 (all in one group) to 1."""
    spreads = (_evenness(map(group_of, entries)) for group_of in (_type_of, _project_of))
    return sum(spreads) / 2


def _evenness(groups: Iterable[Hashable]) -> float:
    counts = Counter(groups)
    if len(counts) < 2:
        return 0.0
    total = counts.total()
    entropy = -sum(n / total * math.log(n / total) for n in counts.values())
    return min(1.0, entropy / math.log(len(counts)))


def _type_of(entry: Entry) -> Hashable:
    return entry.content.category


def _project_of(entry: Entry) -> Hashable:
    return entry.content.place.project


_GROUPS: dict[Diversify, Callable[[Entry], Hashable]] = {
    Diversify.TYPE: _type_of,
    Diversify.PROJECT: _project_of,
    Diversify.BOTH: lambda entry: (_project_of(entry), _type_of(entry)),
}
