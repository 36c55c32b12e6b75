"""What opening a reference gives, as values: the text in pieces, and where it comes from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from commonplace.knowledge.history import Revision
from commonplace.memory.pieces import TextPiece
from commonplace.model.entry import Entry, EntryKind
from commonplace.model.references import ShortReference, of_entry

_SHOWN = ("title", "body", "tags", "confidence", "expires_at", "deleted_at", "superseded_by")
_WORDS = {"body": "text", "confidence": "trust", "expires_at": "expiry"}
_MADE_BY_US = frozenset({"agent", ""})


@dataclass(frozen=True, slots=True)
class Lifeline:
    """One line of a history: what a change did to which parts."""

    number: int
    operation: str
    agent: str
    client: str
    at: datetime
    parts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Opened:
    """`sort` is what it is in a word; `place` where it lies; `notices` what to know before use."""

    reference: ShortReference
    sort: str
    title: str
    pieces: tuple[TextPiece, ...]
    read_at: datetime
    place: str = ""
    author: str = ""
    changed_at: datetime | None = None
    trust: float | None = None
    tags: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    provenance: tuple[str, ...] = ()
    history: tuple[Lifeline, ...] = ()
    entry: Entry | None = None


def reference_of(entry: Entry, org: str) -> ShortReference:
    """Ids of other orgs are not found by their beginnings, so theirs are given whole."""
    return of_entry(entry.kind, entry.id, whole=entry.org != org)


def sort_of(entry: Entry) -> str:
    """What an entry is, in a word or two."""
    if entry.kind is EntryKind.NOTE:
        return entry.content.category or "note"
    named = entry.kind.value.replace("_", " ")
    return f"{named}, {entry.content.category}" if entry.content.category else named


def notices_of(entry: Entry, head: Entry | None, now: datetime, org: str) -> tuple[str, ...]:
    """Whether the entry still stands."""
    told = []
    if head is not None:
        told.append(f"superseded by {reference_of(head, org)} {head.content.title}")
    elif entry.head is not None:
        told.append("superseded by something you may not see")
    expires = entry.content.expires_at
    if expires is not None:
        past = expires <= now
        told.append(f"{'expired' if past else 'expires'} {expires:%Y-%m-%d %H:%M}Z")
    return tuple(told)


def provenance_of(entry: Entry) -> tuple[str, ...]:
    """Who wrote it where and from what, as far as it was said."""
    given = entry.content.attributes
    told = [f"id {entry.id}", f"written {entry.created_at:%Y-%m-%d %H:%M}Z by {entry.agent}"]
    if entry.source not in _MADE_BY_US:
        told.append(f"came by {entry.source}")
    told += [f"source: {given['origin']}"] if given.get("origin") else []
    told += [f"file: {given['file_context']}"] if given.get("file_context") else []
    told += [f"visible to: {entry.content.visibility.value}"]
    return tuple(told)


def lifelines(revisions: Sequence[Revision]) -> tuple[Lifeline, ...]:
    """A history, oldest first, with what each change altered."""
    before: Mapping[str, Any] | None = None
    lines = []
    for each in revisions:
        altered = _altered(before, each.image)
        lines.append(
            Lifeline(each.number, each.operation.value, each.agent, each.client, each.at, altered)
        )
        before = each.image
    return tuple(lines)


def _altered(before: Mapping[str, Any] | None, after: Mapping[str, Any]) -> tuple[str, ...]:
    if before is None:
        return ()
    return tuple(_WORDS.get(n, n) for n in _SHOWN if before.get(n) != after.get(n))
