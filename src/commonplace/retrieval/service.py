"""Search: embeds the query outside the transaction, gathers candidates, scores them in the core."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from commonplace.embedding.port import Embedder
from commonplace.errors import EmbeddingError, InvalidArgument
from commonplace.model.actor import Actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.chunk import ChunkTerms, OwnerType
from commonplace.model.query import Filter, Fusion, Hit, Mode, SearchRequest, SearchResult
from commonplace.retrieval.fusion import Candidate, Scored, fuse
from commonplace.retrieval.rollup import best_per_owner
from commonplace.retrieval.scoring import coverage, weighed
from commonplace.retrieval.statistics import TermStatistics, count_terms
from commonplace.retrieval.terms import selective_terms
from commonplace.storage.port import LexicalQuery, Store, Transaction
from commonplace.text.analyse import query_terms
from commonplace.text.gate import clean
from commonplace.text.snippet import snippet

if TYPE_CHECKING:
    from commonplace.embedding.port import Vector

MAX_QUERY = 10_000
MOST_PENDING_COUNTED = 10_000
_FAN_OUT = 100
_STATISTICS_SECONDS = 30.0
_INLINE_SAMPLE = 500


@dataclass(frozen=True, slots=True)
class QueryVector:
    """The embedded query, or why there is none."""

    vector: Vector | None = None
    model: str | None = None
    notice: str | None = None


class RetrievalService:
    """Finds chunks and rolls them up to what owns them."""

    def __init__(self, store: Store, embedder: Embedder) -> None:
        self._store = store
        self._embedder = embedder
        self._known: dict[str, tuple[float, TermStatistics]] = {}

    def search(self, actor: Actor, request: SearchRequest, call: Call = PLAIN_CALL) -> SearchResult:
        query = clean(request.query, field="query", max_chars=MAX_QUERY)
        if not query.strip():
            raise InvalidArgument("query must not be empty.", field="query")
        embedded = self._embed(query, request.mode)
        call.check()
        with self._store.read(actor) as tx:
            statistics = self._statistics(tx)
            found = _Candidates(tx, request, query_terms(query), statistics)
            candidates = found.gather(embedded, self._embedder)
            call.check()
            scored = fuse(best_per_owner(candidates), request.fusion)
            relevant = [s for s in scored if s.score > 0 and s.score >= request.min_score]
            page = relevant[request.offset : request.offset + request.limit]
            hits = _hits(tx, page, request.filter, query)
            pending = tx.chunks.pending(MOST_PENDING_COUNTED)
        return SearchResult(
            hits=hits,
            total=len(relevant),
            mode_requested=request.mode,
            mode_used=_mode_used(request.mode, embedded),
            model=embedded.model,
            exact=found.exact,
            pending=pending,
            notices=(embedded.notice,) if embedded.notice else (),
        )

    def _embed(self, query: str, mode: Mode) -> QueryVector:
        if mode is Mode.LEXICAL:
            return QueryVector()
        try:
            vector = self._embedder.embed_query(query)
        except EmbeddingError as error:
            return QueryVector(notice=f"Searched by words only: {error.message}")
        return QueryVector(vector, self._embedder.identity.key)

    def _statistics(self, tx: Transaction) -> TermStatistics:
        """Counted by the worker; where it has not come by yet, from a small sample now."""
        org = tx.actor.org
        expires, statistics = self._known.get(org, (0.0, TermStatistics()))
        if time.monotonic() < expires:
            return statistics
        stored = tx.statistics.load()
        statistics = (
            TermStatistics(stored.sampled, stored.average_length, stored.frequencies, stored.chunks)
            if stored and stored.sampled
            else count_terms(tx.chunks.sample(_INLINE_SAMPLE))
        )
        self._known[org] = (time.monotonic() + _STATISTICS_SECONDS, statistics)
        return statistics


class _Candidates:
    """Stage 2: asks both legs, and completes what one leg found with the other's view of it."""

    def __init__(
        self,
        tx: Transaction,
        request: SearchRequest,
        terms: Sequence[str],
        statistics: TermStatistics,
    ) -> None:
        self._tx = tx
        self._request = request
        self._terms = terms
        self._statistics = statistics
        self._fan_out = max(_FAN_OUT, 2 * (request.limit + request.offset))
        self.exact = True

    def gather(self, embedded: QueryVector, embedder: Embedder) -> list[Candidate]:
        lexical = set(self._lexical(embedded))
        cosines = self._nearest(embedded)
        chunks = self._tx.chunks.terms(sorted(lexical | cosines.keys()), self._request.filter)
        if self._request.fusion is Fusion.ABSOLUTE:
            cosines = self._completed(cosines, chunks, embedded)
            lexical = {chunk.key for chunk in chunks} if self._terms else set()
        coverages = self._coverages([chunk for chunk in chunks if chunk.key in lexical])
        similarities = {key: embedder.similarity(cosine) for key, cosine in cosines.items()}
        return [
            Candidate(chunk, coverages.get(chunk.key), similarities.get(chunk.key))
            for chunk in chunks
        ]

    def _lexical(self, embedded: QueryVector) -> list[int]:
        if self._request.mode is Mode.SEMANTIC and embedded.vector is not None:
            self._terms = ()
        chosen = selective_terms(self._terms, self._statistics)
        return self._tx.chunks.lexical(LexicalQuery(chosen), self._request.filter, self._fan_out)

    def _nearest(self, embedded: QueryVector) -> dict[int, float]:
        if embedded.vector is None or embedded.model is None:
            return {}
        nearest = self._tx.vectors.nearest(
            embedded.model,
            embedded.vector,
            self._request.filter,
            self._fan_out,
            self._request.width,
        )
        self.exact = nearest.exact
        return dict(nearest.hits)

    def _completed(
        self, cosines: dict[int, float], chunks: Sequence[ChunkTerms], embedded: QueryVector
    ) -> dict[int, float]:
        missing = [chunk.key for chunk in chunks if chunk.key not in cosines]
        if not missing or embedded.vector is None or embedded.model is None:
            return cosines
        return cosines | self._tx.vectors.cosines(embedded.model, embedded.vector, missing)

    def _coverages(self, chunks: Sequence[ChunkTerms]) -> dict[int, float]:
        query = weighed(self._terms, self._statistics)
        return {chunk.key: coverage(chunk, query) for chunk in chunks}


def _mode_used(requested: Mode, embedded: QueryVector) -> Mode:
    if embedded.vector is None:
        return Mode.LEXICAL
    return Mode.HYBRID if requested is Mode.AUTO else requested


def _hits(tx: Transaction, page: Sequence[Scored], wanted: Filter, query: str) -> tuple[Hit, ...]:
    chunks = {c.key: c for c in tx.chunks.fetch([s.chunk.key for s in page], wanted)}
    owners = [s.chunk.owner for s in page]
    entries = tx.entries.by_keys([o.key for o in owners if o.type is OwnerType.ENTRY])
    return tuple(
        Hit(
            chunk=chunks[scored.chunk.key],
            score=scored.score,
            parts=scored.parts,
            snippet=snippet(chunks[scored.chunk.key].text, query),
            entry=entries.get(owner.key) if owner.type is OwnerType.ENTRY else None,
        )
        for scored, owner in zip(page, owners, strict=True)
    )
