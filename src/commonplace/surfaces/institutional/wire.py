"""Answers about items and searches in the `institutional` dialect: snake_case, times to the
millisecond, every answer wrapped in `success` and `data`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from commonplace.capture.items import Item, item_of, texts_of
from commonplace.model.capture import Access
from commonplace.model.entry import Entry
from commonplace.retrieval.tiers import TieredResult, diversity
from commonplace.safety.warnings import warnings_of
from commonplace.surfaces.answers import OPTIONAL, WARNINGS, AnswerPart, iso
from commonplace.surfaces.institutional.arguments import ListArguments, TieredArguments

RECENT_WINS = 5


class WithContent(AnswerPart):
    """An item. If its content was cut, `content_length` is the length of the whole."""

    content: str
    content_length: int | None = OPTIONAL


class ItemShown(WithContent):
    id: str
    summary: str
    type: str
    project: str
    file_context: str
    tags: list[str] | None
    decision_rationale: str | None
    alternatives_considered: list[str] | None
    solution_verified: bool
    related_issues: list[str] | None
    created_at: str
    updated_at: str
    warnings: list[str] = WARNINGS


class UsedItem(ItemShown):
    access_count: int
    last_accessed_at: str | None


class ListedItem(AnswerPart):
    id: str
    summary: str
    type: str
    project: str
    created_at: str
    warnings: list[str] = WARNINGS


class ListedItems(AnswerPart):
    items: list[ListedItem]
    total: int
    limit: int
    offset: int


class Deleted(AnswerPart):
    id: str


class SimilarItem(WithContent):
    id: str
    summary: str
    type: str
    project: str
    similarity: float
    warnings: list[str] = WARNINGS


class Similar(AnswerPart):
    query: str
    results: list[SimilarItem]
    total_results: int


class EmbeddingCounts(AnswerPart):
    generated: int
    skipped: int
    failed: int
    total_processed: int
    duration_ms: int


class Fingerprint(AnswerPart):
    total_items: int
    by_type: dict[str, int]
    recent_wins: int


class Tier1(AnswerPart):
    enabled: bool
    fingerprint: Fingerprint | None = OPTIONAL


class Tier2(AnswerPart):
    enabled: bool
    results_count: int
    notice: str | None = OPTIONAL


class Tier3(AnswerPart):
    enabled: bool
    boosted_count: int


class Tier4(AnswerPart):
    enabled: bool
    enforced: bool
    token_count: int
    diversity_score: float
    notice: str | None = OPTIONAL


class TieredItem(ItemShown):
    similarity: float


class Tiered(AnswerPart):
    query: str
    tier1: Tier1
    tier2: Tier2
    tier3: Tier3
    tier4: Tier4
    results: list[TieredItem]
    total_results: int
    total_tokens: int


class Success(AnswerPart):
    success: Literal[True] = True


class ItemAnswer(Success):
    data: ItemShown


class UsedItemAnswer(Success):
    data: UsedItem


class ListAnswer(Success):
    data: ListedItems


class DeleteAnswer(Success):
    data: Deleted


class SearchAnswer(Success):
    data: Similar


class EmbeddingAnswer(Success):
    data: EmbeddingCounts


class TieredAnswer(Success):
    data: Tiered


def cut(item: Item, max_chars: int | None) -> Item:
    """The item with its content cut to a length, ending in an ellipsis if it was longer."""
    if max_chars is None or len(item.content) <= max_chars:
        return item
    return replace(item, content=item.content[: max_chars - 1] + "…")


def item_written(entry: Entry, max_chars: int | None, warnings: Sequence[str]) -> ItemShown:
    """The item as stored, with warnings for its author."""
    shown = ItemShown.model_validate(_fields(entry, max_chars))
    return shown.model_copy(update={"warnings": [*warnings, *shown.warnings]})


def used_item(entry: Entry, access: Access) -> UsedItem:
    last = iso(access.last_at) if access.last_at else None
    used = {"access_count": access.count, "last_accessed_at": last}
    return UsedItem.model_validate(_fields(entry) | used)


def tiered_item(entry: Entry, similarity: float, max_chars: int | None) -> TieredItem:
    return TieredItem.model_validate(_fields(entry, max_chars) | {"similarity": similarity})


def listed(entries: Sequence[Entry], total: int, given: ListArguments) -> ListedItems:
    items = [ListedItem.model_validate(_fields(entry)) for entry in entries]
    return ListedItems(items=items, total=total, limit=given.limit, offset=given.offset)


def similar_item(entry: Entry, similarity: float, max_chars: int | None) -> SimilarItem:
    return SimilarItem.model_validate(_fields(entry, max_chars) | {"similarity": similarity})


def tiered(
    given: TieredArguments, tally: Mapping[str | None, int] | None, result: TieredResult
) -> Tiered:
    tokens = sum(one.tokens for one in result.found)
    entries = [one.entry for one in result.found]
    return Tiered(
        query=given.query,
        tier1=Tier1(enabled=given.tier1, fingerprint=None if tally is None else fingerprint(tally)),
        tier2=Tier2(
            enabled=given.tier2, results_count=result.searched, notice=result.notice or None
        ),
        tier3=Tier3(enabled=given.tier3, boosted_count=result.boosted),
        tier4=Tier4(
            enabled=given.tier4,
            enforced=result.enforced,
            token_count=tokens,
            diversity_score=diversity(entries),
            notice=_nothing_fits(given, result),
        ),
        results=[
            tiered_item(one.entry, one.score, given.max_content_chars) for one in result.found
        ],
        total_results=len(entries),
        total_tokens=tokens,
    )


def _nothing_fits(given: TieredArguments, result: TieredResult) -> str | None:
    if result.found or result.smallest is None:
        return None
    return (
        f"{result.searched} found, none fits into token_budget {given.token_budget}: the smallest "
        f"takes {result.smallest} tokens. max_content_chars makes them shorter."
    )


def fingerprint(tally: Mapping[str | None, int]) -> Fingerprint:
    by_type = {name: count for name, count in tally.items() if name}
    return Fingerprint(
        total_items=sum(tally.values()),
        by_type=by_type,
        recent_wins=min(RECENT_WINS, by_type.get("win", 0)),
    )


def _fields(entry: Entry, max_chars: int | None = None) -> dict[str, object]:
    whole = item_of(entry.content)
    item = cut(whole, max_chars)
    return {
        "id": entry.id,
        "summary": item.summary,
        "content": item.content,
        "content_length": None if item is whole else len(whole.content),
        "type": item.type,
        "project": item.project,
        "file_context": item.file_context,
        "tags": list(item.tags) or None,
        "decision_rationale": item.decision_rationale,
        "alternatives_considered": list(item.alternatives_considered) or None,
        "solution_verified": item.solution_verified,
        "related_issues": list(item.related_issues) or None,
        "created_at": iso(entry.created_at),
        "updated_at": iso(entry.updated_at),
        "warnings": warnings_of(*texts_of(item)),
    }
