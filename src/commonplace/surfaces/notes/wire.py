"""The wire format of the `notes` dialect: camelCase, confidence 0 to 100, times in ISO 8601."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from commonplace.knowledge.rules import note_tags
from commonplace.knowledge.supersession import Supersession
from commonplace.knowledge.values import EntryView, Stored
from commonplace.model.chunk import EmbeddingState
from commonplace.model.entry import EntryContent, Visibility
from commonplace.model.query import Hit, SearchResult
from commonplace.model.times import instant_of
from commonplace.safety.warnings import warnings_of
from commonplace.surfaces.answers import WARNINGS, CamelAnswerPart, iso
from commonplace.surfaces.arguments import WHOLE, CamelArguments
from commonplace.surfaces.elsewhere import ID_PREFIXES

_UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_FULL = 100.0


def _uuid(text: str) -> str:
    if not _UUID.fullmatch(text):
        raise ValueError("must be a uuid")
    return text.lower()


def _note_id(text: str) -> str:
    """A valid id. The refusal of another dialect's id names the tool that reads it."""
    for prefix, tool in ID_PREFIXES.items():
        if text.startswith(prefix):
            raise ValueError(f"must be a uuid; {tool} knows what begins with {prefix}")
    return _uuid(text)


def _instant(text: str) -> str:
    if " " in text or instant_of(text) is None:
        raise ValueError("must be an ISO 8601 time such as 2030-01-31T12:00:00Z")
    return text


Uuid = Annotated[str, AfterValidator(_uuid), Field(json_schema_extra={"format": "uuid"})]
NoteId = Annotated[str, AfterValidator(_note_id), Field(json_schema_extra={"format": "uuid"})]
Instant = Annotated[str, AfterValidator(_instant), Field(json_schema_extra={"format": "date-time"})]
StoredTags = Annotated[list[str], Field(max_length=16), AfterValidator(note_tags)]


class TaskRef(CamelArguments):
    task_id: Uuid
    kind: Literal["references", "produced"]


class StoreArguments(CamelArguments):
    title: Annotated[str, Field(min_length=1, max_length=200)]
    body: Annotated[str, Field(min_length=1, max_length=32_000)]
    tags: StoredTags | None = Field(None, description="kebab-case")
    confidence: Annotated[float, Field(ge=0, le=100)] = 80
    expires_at: Instant | None = None
    task_ref: TaskRef | None = None
    client_token: Uuid | None = Field(None, description="idempotent for 60 s")


class SearchArguments(CamelArguments):
    query: Annotated[str, Field(min_length=1, max_length=2000)]
    limit: Annotated[int, Field(ge=1, le=50), WHOLE] = 10
    tags: Annotated[list[str], Field(max_length=16)] | None = Field(None, description="all of them")
    include_superseded: bool = False
    include_expired: bool = False
    min_score: Annotated[float, Field(ge=0, le=1)] = 0
    ef_search: Annotated[int, Field(ge=1, le=200), WHOLE] = 64


class SupersedeArguments(CamelArguments):
    old_id: NoteId
    new_id: NoteId


class StoreAnswer(CamelAnswerPart):
    id: str
    title: str
    tags: list[str]
    confidence: float
    expires_at: str | None
    embedding_status: Literal["pending"]
    created_at: str
    warnings: list[str] = WARNINGS


class HitShown(CamelAnswerPart):
    id: str
    title: str
    snippet: str
    tags: list[str]
    score: float
    confidence: float
    superseded_by_id: str | None
    expires_at: str | None
    created_at: str
    warnings: list[str] = WARNINGS


class SearchAnswer(CamelAnswerPart):
    hits: list[HitShown]
    count: int
    mode: Literal["hybrid", "lexical"] = Field(description="what was really used")
    pending: int = Field(description="chunks that are not embedded yet")
    notices: list[str]


class SupersedeAnswer(CamelAnswerPart):
    old_id: str
    new_id: str
    superseded_by_id: str
    updated_count: int


class EntryShown(CamelAnswerPart):
    """The full entry, as a resource."""

    id: str
    title: str
    body: str
    tags: list[str]
    confidence: float
    source: str
    created_by_agent_id: str
    task_refs: list[dict[str, str]]
    embedding_status: Literal["pending", "ready", "failed"]
    superseded_by_id: str | None
    expires_at: str | None
    expired: bool
    created_at: str
    updated_at: str
    warnings: list[str] = WARNINGS


def content_of(given: StoreArguments) -> EntryContent:
    link = given.task_ref
    tasks = [{"taskId": link.task_id, "kind": link.kind}] if link else []
    return EntryContent(
        title=given.title,
        body=given.body,
        tags=tuple(given.tags or ()),
        visibility=Visibility.ORG,
        confidence=given.confidence / _FULL,
        expires_at=instant_of(given.expires_at) if given.expires_at else None,
        attributes={"taskRefs": tasks} if tasks else {},
    )


def stored_answer(stored: Stored, warnings: Sequence[str]) -> StoreAnswer:
    content = stored.content
    return StoreAnswer(
        id=stored.id,
        title=content.title,
        tags=list(content.tags),
        confidence=percent(content.confidence),
        expires_at=_time(content.expires_at),
        embedding_status="pending",
        created_at=iso(stored.created_at),
        warnings=list(warnings),
    )


def search_answer(result: SearchResult) -> SearchAnswer:
    hits = [_hit(hit) for hit in result.hits]
    return SearchAnswer(
        hits=hits,
        count=len(hits),
        mode="lexical" if result.mode_used.value == "lexical" else "hybrid",
        pending=result.pending,
        notices=list(result.notices),
    )


def _hit(hit: Hit) -> HitShown:
    entry = hit.entry
    assert entry is not None, "a filter for notes finds entries only"
    return HitShown(
        id=entry.id,
        title=entry.content.title,
        snippet=hit.snippet,
        tags=list(entry.content.tags),
        score=hit.score,
        confidence=percent(entry.content.confidence),
        superseded_by_id=entry.head,
        expires_at=_time(entry.content.expires_at),
        created_at=iso(entry.created_at),
        warnings=warnings_of(entry.content.title, entry.content.body),
    )


def supersede_answer(done: Supersession) -> SupersedeAnswer:
    return SupersedeAnswer(
        old_id=done.old_id,
        new_id=done.new_id,
        superseded_by_id=done.head,
        updated_count=done.updated,
    )


def entry_shown(view: EntryView) -> EntryShown:
    entry, content = view.entry, view.entry.content
    refs: Sequence[dict[str, str]] = content.attributes.get("taskRefs", [])
    expired = content.expires_at is not None and content.expires_at <= view.read_at
    return EntryShown(
        id=entry.id,
        title=content.title,
        body=content.body,
        tags=list(content.tags),
        confidence=percent(content.confidence),
        source=entry.source,
        created_by_agent_id=entry.agent,
        task_refs=list(refs),
        embedding_status=_embedding_status(view.embedding),
        superseded_by_id=entry.head,
        expires_at=_time(content.expires_at),
        expired=expired,
        created_at=iso(entry.created_at),
        updated_at=iso(entry.updated_at),
        warnings=warnings_of(content.title, content.body),
    )


def percent(confidence: float) -> float:
    return round(confidence * _FULL, 9)


def _time(moment: datetime | None) -> str | None:
    return iso(moment) if moment else None


def _embedding_status(state: EmbeddingState | None) -> Literal["pending", "ready", "failed"]:
    """The state in the three words of this dialect, in which a preview is still pending."""
    if state is EmbeddingState.FAILED:
        return "failed"
    return "ready" if state is EmbeddingState.READY else "pending"
