"""The action `search`: ranked passages of docs, code, notes and records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from typing import Annotated, Literal

from pydantic import Field
from pydantic.alias_generators import to_camel

from commonplace.application import Application
from commonplace.errors import EmbeddingModelMissing
from commonplace.model.activity import search_delivery
from commonplace.model.actor import Actor, Scope
from commonplace.model.call import Call
from commonplace.model.chunk import Chunk, TrustTier
from commonplace.model.entry import Entry
from commonplace.model.query import Hit, RetrievalMode, SearchResult
from commonplace.model.workspace import Attached, KnowledgeType, Resource
from commonplace.safety.warnings import warnings_of
from commonplace.surfaces.answers import OPTIONAL, WARNINGS, CamelAnswerPart
from commonplace.surfaces.arguments import WHOLE
from commonplace.surfaces.workspace.action import Action, Ids
from commonplace.surfaces.workspace.filters import FilterArguments, Profile
from commonplace.surfaces.workspace.references import search_references
from commonplace.surfaces.workspace.shown import (
    RESOURCE_KINDS,
    AttachmentShown,
    NotIndexed,
    attachment_shown,
    not_indexed,
)
from commonplace.surfaces.workspace.sources import TierName
from commonplace.text.context_tokens import estimate_context_tokens
from commonplace.workspace.search.content import ContentLimits
from commonplace.workspace.search.naming import symbol_name, title_of
from commonplace.workspace.search.ranking import BASE
from commonplace.workspace.search.request import (
    WorkspaceSearchHit,
    WorkspaceSearchRequest,
    WorkspaceSearchResult,
)
from commonplace.workspace.search.sources import ScopedSources

DEFAULT_TOP_K = 10
MOST_HITS = 50
FURTHEST = 1_000_000
MOST_TOKENS = 1_000_000
_DIGITS = 4
_ID_DIGITS = 32
_PARTS = (
    "lexical",
    "semantic",
    "trust",
    "ranking_weight",
    "match_boost",
    "context_multiplier",
    "source_balance_multiplier",
    "test_penalty_multiplier",
)

TopK = Annotated[int, Field(ge=1, le=MOST_HITS), WHOLE]
Tokens = Annotated[int, Field(ge=1, le=MOST_TOKENS), WHOLE]


class SearchArguments(FilterArguments):
    top_k: TopK = DEFAULT_TOP_K
    offset: Annotated[int, Field(ge=0, le=FURTHEST), WHOLE] = 0
    retrieval_mode: Literal["auto", "lexical", "semantic", "hybrid"] = "auto"
    trust_tiers: list[TierName] | None = None
    attachment_ids: Ids | None = None
    exact_token: bool = Field(False, description="every word as a whole word")
    enabled_only: bool = True
    include_content: bool = False
    content_budget_tokens: Tokens | None = Field(None, description="for all hits together")
    content_max_tokens_per_hit: Tokens | None = None
    include_score_breakdown: bool = False
    response_profile: Profile = "compact"

    def request(self) -> WorkspaceSearchRequest:
        limits = ContentLimits(self.content_budget_tokens, self.content_max_tokens_per_hit)
        tiers, attachments = self.trust_tiers, self.attachment_ids
        return WorkspaceSearchRequest(
            query=self.query,
            narrowing=replace(
                self.narrowing(),
                trust_tiers=frozenset(map(TrustTier, tiers)) if tiers else None,
                attachments=frozenset(attachments) if attachments else None,
                enabled_only=self.enabled_only,
            ),
            mode=RetrievalMode(self.retrieval_mode),
            whole_words=self.exact_token,
            limit=self.top_k,
            offset=self.offset,
            content=limits if self.include_content else None,
        )


class HitShown(CamelAnswerPart):
    resource_id: str
    chunk_id: str
    title: str
    excerpt: str
    content: str | None = OPTIONAL
    content_truncated: bool | None = OPTIONAL
    knowledge_type: KnowledgeType
    resource_kind: str
    source_label: str
    path: str | None = OPTIONAL
    line_start: int | None = OPTIONAL
    line_end: int | None = OPTIONAL
    section_title: str | None = OPTIONAL
    section_path: str | None = OPTIONAL
    language: str | None = OPTIONAL
    symbol_kind: str | None = OPTIONAL
    symbol_name: str | None = OPTIONAL
    symbol_key: str | None = OPTIONAL
    token_estimate: int
    score: float
    effective_attachment_id: str
    attachment_ids: list[str]
    ranking_reasons: list[str] | None = OPTIONAL
    score_breakdown: dict[str, float] | None = OPTIONAL
    warnings: list[str] = WARNINGS


class AttachmentSummary(CamelAnswerPart):
    """An attachment without its tier and weight, which only diagnosis needs."""

    id: str
    resource_id: str
    scope_type: str
    scope_id: str
    project_key: str | None = OPTIONAL
    label: str
    enabled: bool


class SearchDiagnostics(CamelAnswerPart):
    """How the search ran; `exact` is false if the vector index was approximate."""

    exact: bool
    embeddings_pending: int
    embeddings_previewed: int
    embeddings_failed: int
    notices: list[str]


class SearchAnswer(CamelAnswerPart):
    scope: str
    retrieval_mode_requested: RetrievalMode
    retrieval_mode_used: RetrievalMode
    embedding_model_key_used: str | None
    semantic_search_available: bool
    semantic_unavailable_reasons: list[str]
    offset_used: int
    top_k_used: int
    total_hit_count: int
    truncated: bool
    response_profile: Profile
    hits: list[HitShown]
    attachments: Mapping[str, AttachmentShown | AttachmentSummary]
    not_indexed: list[NotIndexed] | None = OPTIONAL
    diagnostics: SearchDiagnostics | None = OPTIONAL


def search(
    application: Application, actor: Actor, given: SearchArguments, call: Call
) -> SearchAnswer:
    scoped = application.workspace_search.scoped(actor, given.workspace_scope())
    result = application.workspace_search.search(actor, scoped, given.request(), call)
    call.record_delivery(search_delivery(given.query, search_references(result, scoped.projects)))
    return search_answer(result, scoped, given)


def search_answer(
    result: WorkspaceSearchResult, scoped: ScopedSources, given: SearchArguments
) -> SearchAnswer:
    diagnosed = given.response_profile != "compact"
    found, shown = result.search, result.hits
    return SearchAnswer(
        scope=scoped.scope.name,
        retrieval_mode_requested=found.mode_requested,
        retrieval_mode_used=found.mode_used,
        embedding_model_key_used=found.model,
        semantic_search_available=result.search.problem is None,
        semantic_unavailable_reasons=unavailable_reasons(result.search.problem),
        offset_used=given.offset,
        top_k_used=given.top_k,
        total_hit_count=found.total,
        truncated=given.offset + len(shown) < found.total,
        response_profile=given.response_profile,
        hits=[
            hit_shown(one, reasons=diagnosed, breakdown=diagnosed or given.include_score_breakdown)
            for one in shown
        ],
        attachments=_attachments(result, scoped, expanded=diagnosed),
        not_indexed=not_indexed(result.unread),
        diagnostics=_diagnostics(found) if diagnosed else None,
    )


def hit_shown(one: WorkspaceSearchHit, *, reasons: bool, breakdown: bool) -> HitShown:
    hit, resource, content = one.hit, one.source.resource, one.content
    chunk = hit.chunk
    return HitShown(
        resource_id=resource.id,
        chunk_id=chunk_id(resource, chunk, hit.entry),
        title=title_of(hit),
        excerpt=hit.snippet,
        content=content.text if content else None,
        content_truncated=True if content and content.cut else None,
        knowledge_type=resource.knowledge_type,
        resource_kind=RESOURCE_KINDS[resource.kind],
        source_label=one.source.effective.label,
        path=one.path,
        line_start=chunk.position.line_start,
        line_end=chunk.position.line_end,
        section_title=chunk.headings[-1] if chunk.headings else None,
        section_path=" > ".join(chunk.headings) or None,
        language=chunk.metadata.language,
        symbol_kind=chunk.symbol.kind if chunk.symbol else None,
        symbol_name=symbol_name(chunk),
        symbol_key=f"{one.path}#{chunk.symbol.path}" if chunk.symbol else None,
        token_estimate=max(1, estimate_context_tokens(chunk.text)),
        score=round(hit.score, _DIGITS),
        effective_attachment_id=one.source.effective.id,
        attachment_ids=[attachment.id for attachment in one.source.attachments],
        ranking_reasons=ranking_reasons(hit) if reasons else None,
        score_breakdown=score_breakdown(hit) if breakdown else None,
        warnings=warnings_of(chunk.text, hit.entry.content.title if hit.entry else None),
    )


def chunk_id(resource: Resource, chunk: Chunk, entry: Entry | None) -> str:
    """A public id of a chunk; the store's own key would reveal how much other orgs store."""
    of = entry.id if entry else chunk.metadata.path
    digest = sha256(f"{resource.id}\n{of}\n{chunk.ordinal}".encode()).hexdigest()
    return f"chunk_{digest[:_ID_DIGITS]}"


def score_breakdown(hit: Hit) -> dict[str, float]:
    """The summands from words and meaning, and the factors that their sum is multiplied by."""
    parts = {part.name: part.value for part in hit.parts}
    values = {name: parts.get(name, 0.0 if name in BASE else 1.0) for name in _PARTS}
    return {to_camel(name): round(value, _DIGITS) for name, value in values.items()} | {
        "final": round(hit.score, _DIGITS)
    }


def ranking_reasons(hit: Hit) -> list[str]:
    """The reasons for a hit's rank; factors of one are omitted."""
    return [
        f"{part.reason}: {'+' if part.name in BASE else 'x'}{part.value:.3g}"
        for part in hit.parts
        if part.name in BASE or part.value != 1
    ]


def unavailable_reasons(problem: str | None) -> list[str]:
    if problem is None:
        return []
    missing = problem == EmbeddingModelMissing.code
    return ["no_embedding_model" if missing else "semantic_backend_unavailable"]


def _attachments(
    result: WorkspaceSearchResult, scoped: ScopedSources, *, expanded: bool
) -> dict[str, AttachmentShown | AttachmentSummary]:
    shown: dict[str, AttachmentShown | AttachmentSummary] = {}
    for source in {id(one.source): one.source for one in result.hits}.values():
        for attachment in source.attachments:
            whole = attachment_shown(Attached(attachment, source.resource), scoped.projects)
            shown[attachment.id] = whole if expanded else _summary(whole)
    return shown


def _summary(whole: AttachmentShown) -> AttachmentSummary:
    return AttachmentSummary.model_validate(
        whole.model_dump(exclude={"trust_tier", "ranking_weight"})
    )


def _diagnostics(found: SearchResult) -> SearchDiagnostics:
    return SearchDiagnostics(
        exact=found.exact,
        embeddings_pending=found.pending,
        embeddings_previewed=found.previewed,
        embeddings_failed=found.given_up,
        notices=list(found.notices),
    )


SEARCH = Action("search", Scope.READ, SearchArguments, search)
