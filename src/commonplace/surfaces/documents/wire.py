"""The wire format of the `documents` dialect: camelCase, similarity 0 to 1, times in ISO 8601."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import AfterValidator, Field

from commonplace.model.chunk import Chunk
from commonplace.model.query import Hit, SearchResult
from commonplace.model.source import Source, SourceScope, SourceStatus, SourceType
from commonplace.safety.warnings import warnings_of
from commonplace.surfaces.answers import OPTIONAL, WARNINGS, CamelAnswerPart, iso
from commonplace.surfaces.arguments import NORMAL, NOT_BLANK, OWN_LIMIT, WHOLE, CamelArguments

DEFAULT_LIMIT = 5
MOST_RESULTS = 50
LONGEST_QUERY = 10_000
LONGEST_ID = 200
MOST_NAMED = 20


def _clamped(limit: int) -> int:
    return min(limit, MOST_RESULTS)


Id = Annotated[str, Field(max_length=LONGEST_ID), OWN_LIMIT, NOT_BLANK, NORMAL]
Limit = Annotated[int, Field(ge=1), AfterValidator(_clamped), WHOLE]


class SearchArguments(CamelArguments):
    query: Annotated[str, Field(max_length=LONGEST_QUERY), OWN_LIMIT, NOT_BLANK]
    workspace_id: Id
    space_id: Id | None = None
    limit: Limit = Field(DEFAULT_LIMIT, description="at most 50")


class ListArguments(CamelArguments):
    workspace_id: Id
    space_id: Id | None = None


class GetArguments(CamelArguments):
    source_id: Id


class Metadata(CamelAnswerPart):
    """Where a passage is: its headings, source, page and lines."""

    headings: list[str]
    source_id: str
    page: int | None
    line_start: int | None
    line_end: int | None


class ResultShown(CamelAnswerPart):
    content: str
    source_name: str
    similarity: float
    metadata: Metadata
    warnings: list[str] = WARNINGS


class WithNotice(CamelAnswerPart):
    """An answer that may say why it has less than expected."""

    notice: str | None = OPTIONAL


class SearchAnswer(WithNotice):
    results: list[ResultShown]
    count: int


class SourceShown(CamelAnswerPart):
    id: str
    name: str
    type: SourceType
    scope: SourceScope
    status: SourceStatus
    chunk_count: int
    last_synced_at: str | None


class SourceDetails(SourceShown):
    error_message: str | None
    created_at: str


class ListAnswer(WithNotice):
    sources: list[SourceShown]
    count: int


class GetAnswer(CamelAnswerPart):
    source: SourceDetails


class ChunkShown(CamelAnswerPart):
    """A chunk as REST lists it."""

    index: int
    content: str
    metadata: Metadata
    token_count: int
    warnings: list[str] = WARNINGS


def search_answer(result: SearchResult, notice: str | None) -> SearchAnswer:
    results = [_result(hit, hit.source) for hit in result.hits if hit.source]
    return SearchAnswer(results=results, count=len(results), notice=notice)


def _result(hit: Hit, source: Source) -> ResultShown:
    return ResultShown(
        content=hit.chunk.text,
        source_name=source.name,
        similarity=hit.score,
        metadata=metadata_of(hit.chunk, source),
        warnings=warnings_of(hit.chunk.text, source.name),
    )


def metadata_of(chunk: Chunk, source: Source) -> Metadata:
    position = chunk.position
    return Metadata(
        headings=list(chunk.headings),
        source_id=source.id,
        page=position.page,
        line_start=position.line_start,
        line_end=position.line_end,
    )


def chunk_shown(chunk: Chunk, source: Source) -> ChunkShown:
    return ChunkShown(
        index=chunk.ordinal,
        content=chunk.text,
        metadata=metadata_of(chunk, source),
        token_count=chunk.token_count,
        warnings=warnings_of(chunk.text),
    )


def list_answer(sources: list[Source], notice: str | None = None) -> ListAnswer:
    shown = [SourceShown.model_validate(_shown_fields(source)) for source in sources]
    return ListAnswer(sources=shown, count=len(shown), notice=notice)


def listed_names(names: Sequence[str]) -> str:
    """Names joined by commas; only the number of those beyond the first twenty."""
    shown = ", ".join(names[:MOST_NAMED])
    more = len(names) - MOST_NAMED
    return f"{shown} and {more} more" if more > 0 else shown


def source_details(source: Source) -> SourceDetails:
    more = {"error_message": source.sync.error, "created_at": iso(source.created_at)}
    return SourceDetails.model_validate(_shown_fields(source) | more)


def _shown_fields(source: Source) -> dict[str, object]:
    synced_at = source.sync.synced_at
    return {
        "id": source.id,
        "name": source.name,
        "type": source.origin.type,
        "scope": source.scope,
        "status": source.sync.status,
        "chunk_count": source.chunk_count,
        "last_synced_at": iso(synced_at) if synced_at else None,
    }
