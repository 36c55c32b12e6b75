"""News for an agent as values, and suggestions for tidying up entries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import combinations, islice

from commonplace.capture.likeness import shingles
from commonplace.memory.comparing import contradiction, says_the_same
from commonplace.memory.revisions import KEPT_APART
from commonplace.memory.trust import VOICES
from commonplace.model.capture import Access
from commonplace.model.entry import Entry
from commonplace.model.references import ShortReference

UNUSED_AFTER = timedelta(days=180)
# Two texts are compared closely if they share this many sequences of three words.
_LEAST_SHARED = 2
# A word sequence shared by more texts than this says nothing about two of them.
_MOST_SHARING = 20
# Limits that keep `recent` fast: more pairs or longer texts would take too long to compare.
_MOST_PAIRS = 500
_LONGEST_TIDIED = 8_000


@dataclass(frozen=True, slots=True)
class NewsLine:
    """One change: what happened to which thing, by whom and when."""

    reference: ShortReference
    what: str
    title: str
    by: str
    at: datetime
    project: str = ""


class Untidy(StrEnum):
    DOUBLED = "doubled"
    CONTRADICTING = "contradicting"
    UNUSED = "unused"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Something to tidy up; `entries` are one entry, or the older and the newer of a pair."""

    why: Untidy
    entries: tuple[Entry, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class News:
    """What is new since a time; `waiting` moments need a review, `failing` names errors. `notice`
    says why there may be nothing."""

    since: datetime
    read_at: datetime
    lines: tuple[NewsLine, ...]
    more: int = 0
    waiting: tuple[NewsLine, ...] = ()
    waiting_count: int = 0
    failing: tuple[str, ...] = ()
    untidy: tuple[Suggestion, ...] = ()
    notice: str = ""


def suggestions(
    entries: Sequence[Entry], accesses: Mapping[int, Access], now: datetime
) -> Iterator[Suggestion]:
    """Find entries that look duplicate, contradictory, or long unused and unconfirmed."""
    short = [entry for entry in entries if len(entry.content.body) <= _LONGEST_TIDIED]
    ordered = sorted(short, key=lambda entry: (entry.created_at, entry.key))
    for older, newer in islice(_pairs(ordered), _MOST_PAIRS):
        if says_the_same(older.content.body, newer.content.body):
            yield Suggestion(Untidy.DOUBLED, (older, newer), "the newer says all of the older")
        elif says_the_same(newer.content.body, older.content.body):
            yield Suggestion(Untidy.DOUBLED, (newer, older), "the older says all of the newer")
        elif found := contradiction(newer.content.body, older.content.body):
            yield Suggestion(Untidy.CONTRADICTING, (older, newer), found.reason)
    for entry in entries:
        if reason := _unused(entry, accesses.get(entry.key), now):
            yield Suggestion(Untidy.UNUSED, (entry,), reason)


def _pairs(entries: Sequence[Entry]) -> Iterator[tuple[Entry, Entry]]:
    """Pairs that share word sequences, kind and project, and that nobody marked as separate."""
    by_shingle: dict[int, list[int]] = {}
    for number, entry in enumerate(entries):
        for shingle in shingles(entry.content.body):
            by_shingle.setdefault(shingle, []).append(number)
    shared: dict[tuple[int, int], int] = {}
    for numbers in by_shingle.values():
        for pair in combinations(numbers, 2) if len(numbers) <= _MOST_SHARING else ():
            shared[pair] = shared.get(pair, 0) + 1
    for (first, second), count in sorted(shared.items()):
        one, other = entries[first], entries[second]
        if count >= _LEAST_SHARED and _comparable(one, other):
            yield one, other


def _comparable(one: Entry, other: Entry) -> bool:
    places = [(each.content.place.project or "").casefold() for each in (one, other)]
    apart = {*one.content.attributes.get(KEPT_APART, ())} | {
        *other.content.attributes.get(KEPT_APART, ())
    }
    return (
        one.kind is other.kind
        and (places[0] == places[1] or "" in places)
        and not {one.id, other.id} & apart
    )


def _unused(entry: Entry, access: Access | None, now: datetime) -> str | None:
    last = max(filter(None, (entry.updated_at, access.last_at if access else None)))
    if now - last < UNUSED_AFTER or entry.content.attributes.get(VOICES):
        return None
    return f"neither used, changed nor confirmed since {last:%Y-%m-%d}"
