"""An opened reference as values: the text in pieces, provenance and history."""

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
class HistoryLine:
    """One change in a history, with the parts that it altered."""

    number: int
    operation: str
    agent: str
    client: str
    at: datetime
    parts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Opened:
    """An opened thing. `sort` is its kind in a word or two, `place` its location; `notices` are
    what a reader should know first."""

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
    history: tuple[HistoryLine, ...] = ()
    entry: Entry | None = None


def reference_of(entry: Entry, org: str) -> ShortReference:
    """The reference of an entry; another org's has the whole id, as its beginning is not found."""
    return of_entry(entry.kind, entry.id, whole=entry.org != org)


def sort_of(entry: Entry) -> str:
    """The kind of an entry, in a word or two."""
    if entry.kind is EntryKind.NOTE:
        return entry.content.category or "note"
    named = entry.kind.value.replace("_", " ")
    return f"{named}, {entry.content.category}" if entry.content.category else named


def notices_of(entry: Entry, head: Entry | None, now: datetime, org: str) -> tuple[str, ...]:
    """Notices on whether the entry is superseded or expires."""
    notices = []
    if head is not None:
        notices.append(f"superseded by {reference_of(head, org)} {head.content.title}")
    elif entry.head is not None:
        notices.append("superseded by something you may not see")
    expires = entry.content.expires_at
    if expires is not None:
        past = expires <= now
        notices.append(f"{'expired' if past else 'expires'} {expires:%Y-%m-%d %H:%M}Z")
    return tuple(notices)


def provenance_of(entry: Entry) -> tuple[str, ...]:
    """Who wrote the entry, when and from which source, as far as known."""
    attributes = entry.content.attributes
    lines = [f"id {entry.id}", f"written {entry.created_at:%Y-%m-%d %H:%M}Z by {entry.agent}"]
    if entry.source not in _MADE_BY_US:
        lines.append(f"came by {entry.source}")
    lines += [f"source: {attributes['origin']}"] if attributes.get("origin") else []
    lines += [f"file: {attributes['file_context']}"] if attributes.get("file_context") else []
    lines += [f"visible to: {entry.content.visibility.value}"]
    return tuple(lines)


def history_lines(revisions: Sequence[Revision]) -> tuple[HistoryLine, ...]:
    """The history of an entry, oldest first, with the parts that each change altered."""
    before: Mapping[str, Any] | None = None
    lines = []
    for each in revisions:
        altered = _altered(before, each.image)
        lines.append(
            HistoryLine(
                each.number, each.operation.value, each.agent, each.client, each.at, altered
            )
        )
        before = each.image
    return tuple(lines)


def _altered(before: Mapping[str, Any] | None, after: Mapping[str, Any]) -> tuple[str, ...]:
    if before is None:
        return ()
    return tuple(_WORDS.get(n, n) for n in _SHOWN if before.get(n) != after.get(n))
