"""The action `code_map`: places in code, grouped by their role for a symbol.

It refuses the arguments of `search` that would change which symbol is meant or how hits rank.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from commonplace.application import Application
from commonplace.codegraph.answering.answer import PlaceRole
from commonplace.codegraph.answering.forms import FORMS, map_question, read_map_form
from commonplace.codegraph.answering.question import Intent, read_question
from commonplace.codegraph.answering.trace import UseCount
from commonplace.model.activity import search_delivery
from commonplace.model.actor import Actor, Scope
from commonplace.model.call import Call
from commonplace.model.workspace import KnowledgeType
from commonplace.safety.warnings import warnings_of
from commonplace.surfaces.answers import OPTIONAL, WARNINGS, CamelAnswerPart
from commonplace.surfaces.arguments import WHOLE
from commonplace.surfaces.workspace.action import Action
from commonplace.surfaces.workspace.filters import FilterArguments, Profile
from commonplace.surfaces.workspace.references import map_references
from commonplace.surfaces.workspace.search import (
    SearchAnswer,
    SearchArguments,
    TopK,
    chunk_id,
    ranking_reasons,
    score_breakdown,
    search_answer,
)
from commonplace.surfaces.workspace.shown import (
    RESOURCE_KINDS,
    NotIndexed,
    ProblemShown,
    not_indexed,
    problems_shown,
)
from commonplace.workspace.search.code_map import CodeMap, MapHit, MapRequest
from commonplace.workspace.search.grouping import GroupCount, ShownLimits
from commonplace.workspace.search.request import WorkspaceSearchResult
from commonplace.workspace.search.sources import ScopedSources

DEFAULT_TOP_K = 20
MAX_HITS = 500
_COUNT_NAMES = {
    PlaceRole.DEFINITION: "definitions",
    PlaceRole.REFERENCE: "references",
    PlaceRole.IMPORT: "imports",
    PlaceRole.EXPORT: "exports",
    PlaceRole.TEST: "tests",
    PlaceRole.DOC: "docs",
    PlaceRole.RELATED: "related",
}

HitLimit = Annotated[int, Field(ge=1, le=MAX_HITS), WHOLE]


class CodeMapArguments(FilterArguments):
    top_k: TopK | None = None
    response_profile: Profile | None = None
    include_diagnostics: bool = False
    include_content: bool = False
    include_raw_retrieval: bool = Field(False, description="beside, what search finds")
    max_total_hits: HitLimit | None = None
    max_hits_per_group: HitLimit | None = None

    @property
    def profile(self) -> Profile:
        if self.response_profile:
            return self.response_profile
        if self.include_raw_retrieval:
            return "full"
        return "debug" if self.include_diagnostics else "compact"

    def request(self) -> MapRequest:
        limits = [limit for limit in (self.top_k, self.max_total_hits) if limit is not None]
        form = read_map_form(self.query)
        return MapRequest(
            query=self.query,
            question=map_question(form) if form else read_question(self.query),
            form=form,
            limits=ShownLimits(min(limits, default=DEFAULT_TOP_K), self.max_hits_per_group),
            narrowing=self.narrowing(),
            raw=self.include_raw_retrieval,
        )


class PlaceShown(CamelAnswerPart):
    resource_id: str
    chunk_id: str | None = OPTIONAL
    title: str
    symbol_name: str | None = OPTIONAL
    symbol_path: str | None = OPTIONAL
    symbol_kind: str | None = OPTIONAL
    language: str | None = OPTIONAL
    path: str | None = OPTIONAL
    line_start: int | None = OPTIONAL
    line_end: int | None = OPTIONAL
    excerpt: str
    use: str | None = OPTIONAL
    resolution: str | None = OPTIONAL
    confidence: float | None = OPTIONAL
    content: str | None = OPTIONAL
    score: float | None = OPTIONAL
    ranking_reasons: list[str] | None = OPTIONAL
    score_breakdown: dict[str, float] | None = OPTIONAL
    warnings: list[str] = WARNINGS


class NamesakeShown(CamelAnswerPart):
    """A symbol with the same name that is not counted, and the number of its uses."""

    symbol_path: str
    path: str
    line: int
    uses: int


class CountShown(CamelAnswerPart):
    total: int
    returned: int
    omitted: int
    intent_excluded: int


class GraphShown(CamelAnswerPart):
    symbols: bool
    references: bool


class OmittedShown(CamelAnswerPart):
    """What this answer omits, and which argument would include it."""

    diagnostics: bool
    content: bool
    raw_retrieval: bool


class ResourceSummary(CamelAnswerPart):
    display_name: str
    knowledge_type: KnowledgeType
    resource_kind: str


class MapDiagnostics(CamelAnswerPart):
    """How the question was understood, and what answered it."""

    answered_by: Literal["graph", "retrieval"]
    asked_for: str | None
    name_path: list[str]
    retrieval_mode_used: str | None
    embedding_model_key_used: str | None


class CodeMapAnswer(CamelAnswerPart):
    query: str
    intent: Intent
    inferred_intent: Intent
    target: str | None
    response_profile: Profile
    graph: GraphShown
    using_persisted_symbols: bool
    using_persisted_references: bool
    group_order: list[PlaceRole]
    groups: dict[PlaceRole, list[PlaceShown]]
    group_counts: dict[str, CountShown]
    omitted: OmittedShown
    resources: dict[str, ResourceSummary]
    unlinked_uses: int | None = OPTIONAL
    namesakes: list[NamesakeShown] | None = OPTIONAL
    read_in_part: list[ProblemShown] | None = OPTIONAL
    note: str | None = OPTIONAL
    did_you_mean: list[str] | None = OPTIONAL
    not_indexed: list[NotIndexed] | None = OPTIONAL
    diagnostics: MapDiagnostics | None = OPTIONAL
    raw_retrieval: SearchAnswer | None = OPTIONAL


def code_map(
    application: Application, actor: Actor, given: CodeMapArguments, call: Call
) -> CodeMapAnswer:
    scoped = application.workspace_search.scoped(actor, given.workspace_scope())
    mapped = application.workspace_search.code_map(actor, scoped, given.request(), call)
    call.record_delivery(search_delivery(given.query, map_references(mapped, scoped.projects)))
    raw = mapped.retrieved if given.include_raw_retrieval else None
    return _answer(mapped, given, _raw(raw, scoped, given) if raw else None)


def _answer(mapped: CodeMap, given: CodeMapArguments, raw: SearchAnswer | None) -> CodeMapAnswer:
    with_diagnostics = given.profile != "compact"
    known = mapped.target is not None
    places = [place for group in mapped.groups.shown.values() for place in group]
    return CodeMapAnswer(
        query=given.query,
        intent=mapped.question.intent,
        inferred_intent=mapped.question.intent,
        target=mapped.target,
        response_profile=given.profile,
        graph=GraphShown(symbols=mapped.coverage.symbols, references=mapped.coverage.references),
        using_persisted_symbols=known,
        using_persisted_references=known and mapped.coverage.references,
        group_order=list(mapped.groups.order),
        groups={
            role: [_place(place, given, with_diagnostics=with_diagnostics) for place in group]
            for role, group in mapped.groups.shown.items()
        },
        group_counts={
            name: _count(mapped.groups.counts[role]) for role, name in _COUNT_NAMES.items()
        },
        omitted=OmittedShown(
            diagnostics=not with_diagnostics,
            content=not given.include_content,
            raw_retrieval=raw is None,
        ),
        resources={place.source.resource.id: _resource(place) for place in places},
        unlinked_uses=mapped.unlinked or None,
        namesakes=[_namesake(one) for one in mapped.namesakes] or None,
        read_in_part=problems_shown(mapped.problems),
        note=_note(mapped),
        did_you_mean=list(mapped.similar or ()) or None,
        not_indexed=not_indexed(mapped.unread),
        diagnostics=_diagnostics(mapped) if with_diagnostics else None,
        raw_retrieval=raw,
    )


def _namesake(one: UseCount) -> NamesakeShown:
    place = one.place
    return NamesakeShown(symbol_path=place.symbol, path=place.path, line=place.line, uses=one.uses)


def _note(mapped: CodeMap) -> str | None:
    """A note on the limits of an answer, so that nobody takes it for complete."""
    name = mapped.question.target
    if name is None and mapped.coverage.symbols:
        return (
            "This was not understood as a question about a symbol: places are found by words and "
            f"meaning. Forms that are understood: {', '.join(FORMS)}."
        )
    if mapped.form is not None and mapped.target:
        counted = f": {mapped.summary}" if mapped.summary else ""
        return f"Read as {mapped.form.relation.value} of {mapped.form.symbol}{counted}."
    if mapped.similar is not None:
        shown = (
            "only places that say the name are shown" if mapped.groups.shown else "nothing says it"
        )
        return f"There is no symbol {name} in the code of this scope; {shown}."
    if mapped.target and not any(count.total for count in mapped.groups.counts.values()):
        return f"The filters leave out every place of {mapped.target}."
    if mapped.unlinked:
        return (
            f"Where {mapped.unlinked} more uses of the name {mapped.target} lead is not known: "
            "the counts are what is sure at least."
        )
    return None


def _place(place: MapHit, given: CodeMapArguments, *, with_diagnostics: bool) -> PlaceShown:
    name, kind = place.symbol
    first, last = place.lines
    chunk, sighting = place.chunk, place.sighting
    found = place.hit.entry if place.hit else None
    hit = place.hit if with_diagnostics else None
    return PlaceShown(
        resource_id=place.source.resource.id,
        chunk_id=chunk_id(place.source.resource, chunk, found) if chunk else None,
        title=place.title,
        symbol_name=name,
        symbol_path=place.symbol_path,
        symbol_kind=kind,
        language=place.language,
        path=place.path,
        line_start=first,
        line_end=last,
        excerpt=place.excerpt,
        use=sighting.use if sighting else None,
        resolution=sighting.resolution if sighting else None,
        confidence=sighting.confidence if sighting else None,
        content=chunk.text if chunk and given.include_content else None,
        score=round(hit.score, 4) if hit else None,
        ranking_reasons=ranking_reasons(hit) if hit else None,
        score_breakdown=score_breakdown(hit) if hit else None,
        warnings=warnings_of(chunk.text if chunk else place.excerpt),
    )


def _count(count: GroupCount) -> CountShown:
    return CountShown(
        total=count.total,
        returned=count.returned,
        omitted=count.omitted,
        intent_excluded=count.intent_excluded,
    )


def _resource(place: MapHit) -> ResourceSummary:
    resource = place.source.resource
    return ResourceSummary(
        display_name=place.source.effective.label,
        knowledge_type=resource.knowledge_type,
        resource_kind=RESOURCE_KINDS[resource.kind],
    )


def _diagnostics(mapped: CodeMap) -> MapDiagnostics:
    found = mapped.retrieved.search if mapped.retrieved else None
    return MapDiagnostics(
        answered_by="graph" if mapped.target is not None else "retrieval",
        asked_for=mapped.question.target,
        name_path=list(mapped.question.parts),
        retrieval_mode_used=found.mode_used.value if found else None,
        embedding_model_key_used=found.model if found else None,
    )


def _raw(
    found: WorkspaceSearchResult, scoped: ScopedSources, given: CodeMapArguments
) -> SearchAnswer:
    """The hits in the format of `search`."""
    arguments: dict[str, Any] = {"query": given.query, "responseProfile": given.profile}
    arguments |= {"topK": given.top_k} if given.top_k else {}
    return search_answer(found, scoped, SearchArguments.model_validate(arguments))


CODE_MAP = Action("code_map", Scope.READ, CodeMapArguments, code_map)
