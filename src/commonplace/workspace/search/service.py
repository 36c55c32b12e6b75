"""Search in a workspace scope, and questions about code; ranking and grouping are pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from commonplace.codegraph.answering.answer import GraphAnswer
from commonplace.codegraph.answering.question import Question
from commonplace.model.actor import Actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.chunk import Chunk, Owner, OwnerType
from commonplace.model.query import Fusion, Grain, Hit, LexicalLeg, RetrievalMode, SearchRequest
from commonplace.model.workspace import KnowledgeType
from commonplace.retrieval.service.search import Rerank, RetrievalService
from commonplace.storage.port import Store
from commonplace.text.analyse import query_terms
from commonplace.workspace.projects.identity import resolve_scope
from commonplace.workspace.projects.scope import WorkspaceScope
from commonplace.workspace.search.code_map import (
    CodeMap,
    MapHit,
    MapRequest,
    retrieved,
    seen,
    similar_names,
    symbol_paths,
    with_chunk,
)
from commonplace.workspace.search.content import contents
from commonplace.workspace.search.graph import SymbolGraph
from commonplace.workspace.search.grouping import Groups, grouped
from commonplace.workspace.search.paths import shown_path
from commonplace.workspace.search.ranking import SourceWeighting, ranked
from commonplace.workspace.search.request import (
    WorkspaceSearchHit,
    WorkspaceSearchRequest,
    WorkspaceSearchResult,
)
from commonplace.workspace.search.roles import mentions
from commonplace.workspace.search.sources import Narrowing, ScopedSources, Sources, unread
from commonplace.workspace.search.wording import query_intent

# Chunks per leg before sources are weighted; also the largest number that is counted.
DEPTH = 200
# The least similarity of a hit that shares no word with the query.
LEAST_SIMILARITY = 0.35
# How many files are scored as a whole.
WHOLES = 30
# How many places from retrieval a code map groups.
_MOST_PLACES = 100
_MOST_CHUNKS_OF_FILE = 2_000


class WorkspaceSearchService:
    """Finds passages and places in code; read-only."""

    def __init__(self, store: Store, retrieval: RetrievalService, graph: SymbolGraph) -> None:
        self._store = store
        self._retrieval = retrieval
        self._graph = graph

    def scoped(self, actor: Actor, scope: WorkspaceScope) -> ScopedSources:
        with self._store.read(actor) as tx:
            projects = {project.id: project for project in tx.projects.all()}
            return ScopedSources(resolve_scope(projects, scope), projects, tx.attachments.all())

    def search(
        self,
        actor: Actor,
        scoped: ScopedSources,
        request: WorkspaceSearchRequest,
        call: Call = PLAIN_CALL,
    ) -> WorkspaceSearchResult:
        sources = scoped.sources(request.narrowing)
        wanted = scoped.filter(sources, request.narrowing)
        search = _search_of(request)
        if wanted is None:
            found = self._retrieval.empty_result(search)
        else:
            worth = {key: source.weighting for key, source in sources.items()}
            found = self._retrieval.search(
                actor,
                replace(search, filter=wanted),
                call,
                _ranking(request.query, worth),
            )
        return WorkspaceSearchResult(_hits(found.hits, sources, request), found, unread(sources))

    def code_map(
        self, actor: Actor, scoped: ScopedSources, request: MapRequest, call: Call = PLAIN_CALL
    ) -> CodeMap:
        code = [*scoped.sources(Narrowing(knowledge_types=frozenset({KnowledgeType.CODE})))]
        coverage = self._graph.coverage(actor, code)
        known = self._answered(actor, scoped, request, code, call) if coverage.symbols else None
        found = similar = None
        if known is None or request.raw:
            found = self.search(actor, scoped, _fallback(request), call)
        if known is not None:
            answer, places = known
        else:
            assert found is not None, "retrieval answers what the graph does not"
            answer, hits = None, found.hits
            if coverage.symbols and request.names_symbol:
                similar, hits = self._similar(actor, request.question, code, hits)
            places = retrieved(hits, request.question)
        groups = grouped(
            places, request.question.intent, request.limits, resolved=answer is not None
        )
        target = answer.target if answer else None
        shown = self._with_chunks(actor, groups, target or request.query)
        missing = unread(scoped.sources(request.shown))
        told = CodeMap(request.question, target, coverage, shown, found, missing, similar=similar)
        if answer is None:
            return told
        return replace(
            told,
            unlinked=answer.unlinked,
            namesakes=answer.namesakes,
            problems=answer.problems,
            form=request.form,
            summary=answer.summary,
        )

    def _answered(
        self,
        actor: Actor,
        scoped: ScopedSources,
        request: MapRequest,
        code: Sequence[int],
        call: Call,
    ) -> tuple[GraphAnswer, list[MapHit]] | None:
        """The graph's answer with its places; None if the graph does not know the symbol."""
        question, answer = request.question, None
        if request.form is not None:
            answer = self._graph.follow(actor, request.form, code)
        elif question.target is not None:
            answer = self._graph.answer(actor, question, code)
        if answer is None:
            return None
        places = self._known(actor, scoped, request, answer, call)
        if not places and request.form is None and answer.target != question.parts[-1]:
            # The name differs in case and the symbol is elsewhere: it is another symbol.
            return None
        return answer, places

    def _similar(
        self,
        actor: Actor,
        question: Question,
        code: Sequence[int],
        hits: Sequence[WorkspaceSearchHit],
    ) -> tuple[tuple[str, ...], tuple[WorkspaceSearchHit, ...]]:
        """Names like that of an unknown symbol, and the hits that mention the symbol."""
        alike = self._graph.similar_names(actor, question.parts[-1], code)
        names = similar_names([*alike, *symbol_paths(hits)], question)
        return names, tuple(one for one in hits if mentions(one.hit.chunk, question))

    def _known(
        self,
        actor: Actor,
        scoped: ScopedSources,
        request: MapRequest,
        answer: GraphAnswer,
        call: Call,
    ) -> list[MapHit]:
        """The places from the graph, and the documentation that mentions the name."""
        narrowing = request.counted
        sources = scoped.sources(narrowing)
        paths = scoped.paths(sources, narrowing)
        sightings = [one for one in answer.sightings if request.counts(one)]
        places = seen(sightings, sources, narrowing, paths)
        types = request.narrowing.knowledge_types
        if types is not None and KnowledgeType.DOCS not in types:
            return places
        mentions = self.search(actor, scoped, _mentions(request, answer), call)
        return [*places, *retrieved(mentions.hits, request.question)]

    def _with_chunks(self, actor: Actor, groups: Groups[MapHit], target: str) -> Groups[MapHit]:
        """Load the text of the places that are shown."""
        every = [place for group in groups.shown.values() for place in group]
        files = {place.sighting.file for place in every if place.sighting}
        if not files:
            return groups
        with self._store.read(actor) as tx:
            chunks = {
                file: tx.chunks.page(Owner(OwnerType.DOCUMENT, file), _MOST_CHUNKS_OF_FILE, 0)
                for file in files
            }
        return replace(
            groups,
            shown={r: _completed(group, chunks, target) for r, group in groups.shown.items()},
        )


def _ranking(query: str, worth: Mapping[int, SourceWeighting]) -> Rerank:
    name = _is_name(query)
    terms = query_terms(query)
    return partial(ranked, worth=worth, terms=terms, name=name, intent=query_intent(query))


def _is_name(query: str) -> bool:
    return len(query.split()) == 1


def _search_of(request: WorkspaceSearchRequest) -> SearchRequest:
    whole = LexicalLeg.EVERY_WORD_OR_NOTHING
    return SearchRequest(
        query=request.query,
        mode=request.mode,
        lexical=whole if request.whole_words else LexicalLeg.ANY_TERM,
        fusion=Fusion.UNSCALED,
        limit=request.limit,
        offset=request.offset,
        least_similarity=LEAST_SIMILARITY,
        depth=DEPTH,
        # A name belongs to a symbol, whatever else its file is about.
        wholes=0 if _is_name(request.query) else WHOLES,
        grain=Grain.CHUNK,
    )


def _hits(
    found: Sequence[Hit], sources: Sources, request: WorkspaceSearchRequest
) -> tuple[WorkspaceSearchHit, ...]:
    hits = [_placed(hit, sources) for hit in found]
    if request.content is None:
        return tuple(hits)
    texts = contents([one.hit.chunk.text for one in hits], request.content)
    return tuple(replace(one, content=text) for one, text in zip(hits, texts, strict=True))


def _placed(hit: Hit, sources: Sources) -> WorkspaceSearchHit:
    source = sources[hit.chunk.metadata.place.resource or 0]
    path = hit.chunk.metadata.path
    shown = shown_path(path, source.folder, source.roots) if path is not None else None
    return WorkspaceSearchHit(hit, source, shown)


def _fallback(request: MapRequest) -> WorkspaceSearchRequest:
    """The search for the name alone, because the words around it say nothing about it."""
    query = request.question.target or request.query
    return WorkspaceSearchRequest(query, request.shown, limit=_MOST_PLACES)


def _mentions(request: MapRequest, answer: GraphAnswer) -> WorkspaceSearchRequest:
    docs = frozenset({KnowledgeType.DOCS})
    narrowing = replace(request.narrowing, knowledge_types=docs)
    return WorkspaceSearchRequest(
        answer.target, narrowing, RetrievalMode.LEXICAL, whole_words=True, limit=_MOST_PLACES
    )


def _completed(
    group: Sequence[MapHit], chunks: dict[int, list[Chunk]], target: str
) -> tuple[MapHit, ...]:
    return tuple(
        with_chunk(place, chunks[place.sighting.file], target) if place.sighting else place
        for place in group
    )
