"""Arguments of the tools for items in the `institutional` dialect, and the items they describe."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from commonplace.capture.items import Item
from commonplace.surfaces.answers import iso
from commonplace.surfaces.arguments import NORMAL, NOT_BLANK, OWN_LIMIT, WHOLE, Arguments

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


def _aware(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
