"""The wire format of items and searches in the `institutional` dialect: snake_case, times to the
millisecond, every answer wrapped in `success` and `data`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from commonplace.capture.items import Item, item_of, texts_of
from commonplace.model.capture import Access
from commonplace.model.entry import Entry
from commonplace.retrieval.tiers import TieredResult, diversity
from commonplace.safety.warnings import warnings_of
from commonplace.surfaces.answers import WARNINGS, AnswerPart, iso
from commonplace.surfaces.arguments import NORMAL, NOT_BLANK, OWN_LIMIT, WHOLE, Arguments

RECENT_WINS = 5


Type = Literal["solution", "pattern", "gotcha", "win", "troubleshooting"]
NotBlank = Annotated[str, NOT_BLANK]
Text = Annotated[str, Field(min_length=1), NOT_BLANK]
Id = Annotated[str, Field(max_length=200), OWN_LIMIT, NOT_BLANK, NORMAL]
Share = Annotated[float, Field(ge=0, le=1)]
MostContent = Annotated[int, Field(ge=1, le=1_000_000), OWN_LIMIT, WHOLE]


def _instant(text: str) -> str:
    """A client's time in the format of answers, so that the two can be compared."""
    try:
        return iso(_aware(text))
    except (ValueError, OverflowError):
        raise ValueError("must be an ISO 8601 time such as 2030-01-31T12:00:00.000Z") from None


class CaptureArguments(Arguments):
    summary: Text
    content: Text
    type: Type
    project: Text
    file_context: Text = Field(description="file or place")
    tags: list[str] | None = None
    decision_rationale: str | None = None
    alternatives_considered: list[str] | None = None
    solution_verified: bool | None = None
    related_issues: list[str] | None = None
    id: Id | None = Field(None, description="of your own")
    max_content_chars: MostContent | None = None


class GetArguments(Arguments):
    id: Id


class ListArguments(Arguments):
    type: Type | None = None
    project: str | None = None
    tags: list[str] | None = Field(None, description="any of them")
    limit: Annotated[int, Field(ge=1, le=100), WHOLE] = 10
    offset: Annotated[int, Field(ge=0, le=1_000_000_000), OWN_LIMIT, WHOLE] = 0


class UpdateArguments(Arguments):
    id: Id
    summary: NotBlank | None = None
    content: NotBlank | None = None
    type: Type | None = None
    project: NotBlank | None = None
    file_context: NotBlank | None = None
    tags: list[str] | None = Field(None, description="replaces all tags")
    decision_rationale: str | None = None
    alternatives_considered: list[str] | None = None
    solution_verified: bool | None = None
    related_issues: list[str] | None = None
    updated_at: Annotated[str, AfterValidator(_instant)] | None = Field(
        None, description="refuse if changed since"
    )
    max_content_chars: MostContent | None = None


class SearchArguments(Arguments):
    query: Text
    limit: Annotated[int, Field(ge=1, le=20), WHOLE] = 5
    threshold: Share = 0
    type: Type | None = None
    project: str | None = None
    tags: list[str] | None = Field(None, description="any of them")
    max_content_chars: MostContent | None = None


class EmbeddingArguments(Arguments):
    force: bool = False
    batch_size: Annotated[int, Field(ge=1, le=100), WHOLE] = 50


class SearchOptions(Arguments):
    limit: Annotated[int, Field(ge=1, le=1000), OWN_LIMIT, WHOLE] = 50
    threshold: Share = 0.4
    tags: list[str] | None = Field(None, description="any of them")


class BoostOptions(Arguments):
    boost_factor: Annotated[float, Field(ge=0, le=10), OWN_LIMIT] = 0.2


class TieredArguments(Arguments):
    query: str
    project: str | None = None
    tier1: bool = Field(True, description="project fingerprint")
    tier2: bool = Field(True, description="by meaning")
    tier3: bool = Field(False, description="lift what is used")
    tier4: bool = Field(True, description="diversify, keep to budget")
    token_budget: Annotated[int, Field(ge=1, le=10_000_000), OWN_LIMIT, WHOLE] = 8000
    diversify: Literal["type", "project", "both", "none"] = "type"
    tier2_options: SearchOptions = Field(default_factory=SearchOptions.model_construct)
    tier3_options: BoostOptions = Field(default_factory=BoostOptions)
    max_content_chars: MostContent | None = None


class WithContent(AnswerPart):
    """An item. If its content was cut, `content_length` is the length of the whole."""

    content: str
    content_length: int | None = Field(None, exclude_if=lambda value: value is None)


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
    fingerprint: Fingerprint | None = Field(None, exclude_if=lambda value: value is None)


class Tier2(AnswerPart):
    enabled: bool
    results_count: int
    notice: str | None = Field(None, exclude_if=lambda value: value is None)


class Tier3(AnswerPart):
    enabled: bool
    boosted_count: int


class Tier4(AnswerPart):
    enabled: bool
    enforced: bool
    token_count: int
    diversity_score: float
    notice: str | None = Field(None, exclude_if=lambda value: value is None)


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


def item_given(given: CaptureArguments) -> Item:
    return Item(
        summary=given.summary,
        content=given.content,
        type=given.type,
        project=given.project,
        file_context=given.file_context,
        tags=tuple(given.tags or ()),
        decision_rationale=given.decision_rationale,
        alternatives_considered=tuple(given.alternatives_considered or ()),
        solution_verified=bool(given.solution_verified),
        related_issues=tuple(given.related_issues or ()),
    )


def changes_given(given: UpdateArguments) -> dict[str, object]:
    """The fields to change; those that are absent or null stay as they are."""
    apart = {"id", "updated_at", "max_content_chars"}
    named = given.model_dump(exclude=apart, exclude_none=True)
    return {name: tuple(v) if isinstance(v, list) else v for name, v in named.items()}


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


def _aware(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
