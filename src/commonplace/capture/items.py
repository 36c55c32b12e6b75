"""An institutional item: its fields, and how it is stored as an entry."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

from commonplace.analysis.learning import LIKELIHOOD
from commonplace.capture.moments import Moment
from commonplace.errors import InvalidArgument
from commonplace.model.entry import EntryContent, EntryKind, Place, plain_tag

KIND = EntryKind.ITEM
TYPES = ("solution", "pattern", "gotcha", "win", "troubleshooting")
AUTO_CAPTURED = "auto-captured"
_CHARACTERS_A_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Item:
    """The project is a label; it need not exist anywhere.

    `detected_by` names the factors that made it a moment, where nobody wrote it down by hand.
    """

    summary: str
    content: str
    type: str
    project: str
    file_context: str
    tags: tuple[str, ...] = ()
    decision_rationale: str | None = None
    alternatives_considered: tuple[str, ...] = ()
    solution_verified: bool = False
    related_issues: tuple[str, ...] = ()
    detected_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Wording:
    """The fields that a reviewer may reword when accepting a moment."""

    summary: str
    content: str
    type: str


def reworded(item: Item, wording: Wording) -> Item:
    if not wording.summary.strip() or not wording.content.strip():
        raise InvalidArgument("title and text must not be empty.", field="title")
    if wording.type not in TYPES:
        raise InvalidArgument(f"type is one of {', '.join(TYPES)}.", field="type")
    return replace(
        item, summary=wording.summary.strip(), content=wording.content, type=wording.type
    )


def content_of(item: Item) -> EntryContent:
    """Tags are found in lower case; the dialect promises those that were given back."""
    given = list(dict.fromkeys(item.tags))
    plain = _plain(given)
    return EntryContent(
        title=item.summary,
        body=item.content,
        tags=plain,
        place=Place(project=item.project),
        category=item.type,
        attributes={
            "file_context": item.file_context,
            "decision_rationale": item.decision_rationale,
            "alternatives_considered": list(item.alternatives_considered),
            "solution_verified": item.solution_verified,
            "related_issues": list(item.related_issues),
            "detected_by": list(item.detected_by),
            **({} if given == list(plain) else {"tags": given}),
        },
    )


def item_of(content: EntryContent) -> Item:
    """Missing attributes read as not given, because others may write such entries."""
    given = content.attributes
    return Item(
        summary=content.title,
        content=content.body,
        type=content.category or TYPES[0],
        project=content.place.project or "default",
        file_context=given.get("file_context") or "unknown",
        tags=_given_tags(content),
        decision_rationale=given.get("decision_rationale"),
        alternatives_considered=tuple(given.get("alternatives_considered") or ()),
        solution_verified=bool(given.get("solution_verified")),
        related_issues=tuple(given.get("related_issues") or ()),
        detected_by=tuple(given.get("detected_by") or ()),
    )


def _given_tags(content: EntryContent) -> tuple[str, ...]:
    """The tags as they were written, unless they have been replaced since."""
    given = content.attributes.get("tags") or ()
    return tuple(given) if _plain(given) == content.tags else content.tags


def _plain(tags: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(plain_tag, tags)))


def texts_of(item: Item) -> tuple[str, ...]:
    """All texts of an item."""
    remarks = (*item.alternatives_considered, *item.related_issues)
    return (item.summary, item.content, item.decision_rationale or "", *remarks)


def kept(moment: Moment) -> dict[str, Any]:
    """The part of a moment that waits for review and becomes an item."""
    return {
        "summary": moment.summary,
        "content": moment.text,
        "type": moment.type,
        "project": moment.project,
        "file_context": moment.file_context,
        "detected_by": [*moment.detected_by, LIKELIHOOD],
        "tags": list(moment.tags),
        "decision_rationale": moment.reason,
        "alternatives_considered": list(moment.alternatives),
    }


def captured_item(kept: Mapping[str, Any]) -> Item:
    """Read a stored moment; one from before moments had tags has none."""
    return Item(
        summary=kept["summary"],
        content=kept["content"],
        type=kept["type"],
        project=kept["project"],
        file_context=kept["file_context"],
        tags=(AUTO_CAPTURED, *kept.get("tags", ())),
        decision_rationale=kept.get("decision_rationale"),
        alternatives_considered=tuple(kept.get("alternatives_considered", ())),
        detected_by=tuple(kept["detected_by"]),
    )


def tokens_of(item: Item) -> int:
    """An estimate of tokens from characters, each part rounded up."""
    parts = (
        item.summary,
        item.content,
        item.file_context,
        item.decision_rationale or "",
        " ".join(item.alternatives_considered),
        " ".join(item.tags),
        " ".join(item.related_issues),
    )
    return sum(ceil(len(part) / _CHARACTERS_A_TOKEN) for part in parts)
