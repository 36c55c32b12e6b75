"""The search service: embeds the query, gathers candidates in one transaction, ranks them.

The query is embedded before the transaction begins, so that no connection waits for the model.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from commonplace.embedding.port import Embedder, ServingModel
from commonplace.errors import EmbeddingError, InvalidArgument
from commonplace.model.actor import Actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.chunk import MOST_UNEMBEDDED_COUNTED
from commonplace.model.query import (
    ANYTHING,
    USUAL_WIDTH,
    Filter,
    Fusion,
    Grain,
    RetrievalMode,
    SearchRequest,
    SearchResult,
)
from commonplace.retrieval.fusion import Candidate, Scored, best_by_words, fuse
from commonplace.retrieval.outcome import QueryVector, outcome, related, relevant
from commonplace.retrieval.rollup import best_per_owner
from commonplace.retrieval.service.candidates import Candidates
from commonplace.retrieval.service.expediting import Expediter
from commonplace.retrieval.service.hits import hits_of
from commonplace.retrieval.service.legs import TermLeg, leg_of
from commonplace.retrieval.service.reads import SearchReads
from commonplace.retrieval.service.statistics import KnownStatistics
from commonplace.retrieval.service.tiered import tiered
from commonplace.retrieval.statistics import TermStatistics
from commonplace.retrieval.tiers import TieredRequest, TieredResult
from commonplace.retrieval.wording import word_weight
from commonplace.storage.port import Store, Transaction
from commonplace.storage.port.searches import retry_lost_replica
from commonplace.text.gate import clean
from commonplace.tracing import span

MAX_QUERY = 10_000
_CLOSE_SECONDS = 2.0

# Reorders and rescores the hits before a page is cut from them; may drop some.
Rerank = Callable[[Sequence[Scored]], Sequence[Scored]]
# Builds the filter inside the search's transaction, as it depends on stored data. None if nothing
# can pass it.
Narrow = Callable[[Transaction], Filter | None]


class RetrievalService:
    """Finds chunks and groups them by their owners."""

    def __init__(self, store: Store, model: ServingModel) -> None:
        self._store = store
        self._model = model
        self._statistics = KnownStatistics()
        self.expediter = Expediter(store)
        self._problems: dict[str, str | None] = {}

    def close(self) -> None:
        """Wait briefly for pending expedite requests; later ones are lost, which is harmless."""
        self.expediter.wait(_CLOSE_SECONDS)

    def warm(self, actor: Actor) -> None:
        """Load what the first search would otherwise wait for: model, index, connection."""
        embedder = self._model.current()
        vector = embedder.embed_query("warm")
        with self._store.search(actor) as tx:
            tx.vectors.nearest(embedder.identity.key, vector, ANYTHING, 1, USUAL_WIDTH)
            self._statistics.of(tx)

    def search(
        self,
        actor: Actor,
        request: SearchRequest,
        call: Call = PLAIN_CALL,
        rerank: Rerank | None = None,
        narrow: Narrow | None = None,
    ) -> SearchResult:
        with span("search", mode=request.mode.value, limit=request.limit):
            return retry_lost_replica(partial(self._searched, actor, request, call, rerank, narrow))

    def _searched(
        self,
        actor: Actor,
        request: SearchRequest,
        call: Call,
        rerank: Rerank | None,
        narrow: Narrow | None,
    ) -> SearchResult:
        query = _checked(request)
        embedder = self._model.current()
        embedded = self._embed(embedder, query, request.mode)
        by_words = _needs_words(embedder, request)
        call.check()
        with self._store.search(actor) as tx:
            if narrow is not None:
                wanted = narrow(tx)
                if wanted is None:
                    return outcome(request, embedded)
                request = replace(request, filter=wanted)
            leg = leg_of(
                request,
                query,
                partial(self._statistics.of, tx),
                by_meaning=request.mode is RetrievalMode.SEMANTIC and embedded.vector is not None,
                by_words=by_words,
            )
            by_terms = isinstance(leg, TermLeg) or rerank is not None
            reads = SearchReads(tx, request.filter, by_terms=by_terms)
            found = Candidates(reads, request, embedded)
            candidates = found.gather(leg, embedder)
            call.check()
            ranked = _ranked(candidates, request, by_words=by_words)
            ranked = [candidate for candidate in ranked if related(candidate, request)]
            judged = found.with_file_similarities(ranked, embedder)
            rare = isinstance(leg, TermLeg) and leg.found_rare()
            words = word_weight(query, rare=rare, read=embedder.reads(query))
            scored = fuse(judged, request.fusion, request.fan_out, words)
            kept = [s for s in (rerank(scored) if rerank else scored) if relevant(s, request)]
            page = kept[request.offset : request.offset + request.limit]
            hits = hits_of(reads, page, request, query)
            unembedded = tx.chunks.unembedded(MOST_UNEMBEDDED_COUNTED, request.filter)
        self.expediter.note(actor, hits)
        return outcome(request, embedded, hits, len(kept), unembedded, exact=found.exact)

    def empty_result(self, request: SearchRequest) -> SearchResult:
        """The result of a search that has nothing to search in; the query is still validated."""
        embedded = self._embed(self._model.current(), _checked(request), request.mode)
        return outcome(request, embedded)

    def tiered(self, actor: Actor, request: TieredRequest, call: Call = PLAIN_CALL) -> TieredResult:
        """Search by meaning, boost used entries, diversify, and keep to a token budget."""
        return tiered(self._store, self.search, actor, request, call)

    def statistics(self, tx: Transaction) -> TermStatistics:
        """The term statistics of the actor's org that scoring uses."""
        return self._statistics.of(tx)

    def reads(self, query: str) -> bool:
        """Whether the model knows the query's language; words are the better evidence if not."""
        return self._model.current().reads(query)

    def _embed(self, embedder: Embedder, query: str, mode: RetrievalMode) -> QueryVector:
        """Embed the query, or say why not. A search by words embeds nothing, and reports the
        problem that the last search by meaning had with the model."""
        model = embedder.identity.key
        if mode is RetrievalMode.LEXICAL:
            return QueryVector(problem=self._problems.get(model))
        try:
            vector = embedder.embed_query(query)
        except EmbeddingError as error:
            self._problems[model] = error.code
            return QueryVector(None, None, f"Searched by words only: {error.message}", error.code)
        self._problems[model] = None
        return QueryVector(vector, model)


def _checked(request: SearchRequest) -> str:
    """Validate the query: surfaces did so already, the command line and other features did not."""
    query = clean(request.query, field="query", max_chars=MAX_QUERY)
    if not query.strip():
        raise InvalidArgument("query must not be empty.", field="query")
    return query


def _needs_words(embedder: Embedder, request: SearchRequest) -> bool:
    """Whether words must select the results, as the model does not know the query's language."""
    return request.fusion is Fusion.SIMILARITY and not embedder.reads(request.query)


def _ranked(
    candidates: Sequence[Candidate], request: SearchRequest, *, by_words: bool
) -> Sequence[Candidate]:
    if request.grain is Grain.OWNER:
        candidates = best_per_owner(candidates)
    return best_by_words(candidates, request.offset + request.limit) if by_words else candidates
