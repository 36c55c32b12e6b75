"""Search: embeds the query outside the transaction, gathers candidates, scores them in the core."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from typing_extensions import override

from commonplace.embedding.port import Embedder, ServingModel
from commonplace.errors import EmbeddingError, InvalidArgument
from commonplace.model.actor import Actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.capture import Access
from commonplace.model.chunk import Chunk, ChunkTerms, Owner, OwnerType
from commonplace.model.entry import Entry
from commonplace.model.query import (
    Filter,
    Fusion,
    Grain,
    Hit,
    LexicalLeg,
    RetrievalMode,
    SearchRequest,
    SearchResult,
)
from commonplace.retrieval.fusion import Candidate, Scored, best_worded, fuse
from commonplace.retrieval.keywords import LABEL_COVERAGE, contains, keyword_score, telling
from commonplace.retrieval.outcome import QueryVector, outcome, related, relevant
from commonplace.retrieval.rollup import best_per_owner
from commonplace.retrieval.scoring import coverage, weighed
from commonplace.retrieval.statistics import TermStatistics, count_terms
from commonplace.retrieval.terms import selective_terms
from commonplace.retrieval.tiers import (
    Capped,
    TieredRequest,
    TieredResult,
    WeighedEntry,
    boosted,
    capped,
    diversified,
)
from commonplace.retrieval.wholes import files_to_judge, with_wholes
from commonplace.storage.port import LexicalQuery, Store, Transaction
from commonplace.text.analyse import exact_words, gram_prefix, query_terms, trigrams
from commonplace.text.gate import clean
from commonplace.text.snippet import snippet
from commonplace.tracing import span

MAX_QUERY = 10_000
MOST_UNEMBEDDED_COUNTED = 1_000
_FAN_OUT = 100
_FURTHEST = 5_000
_STATISTICS_SECONDS = 30.0
_INLINE_SAMPLE = 500
# So few, spread over a file, say what it is about as well as all of them do.
_VECTORS_OF_FILE = 8
_UNSEARCHED = "Some items have no embedding yet and could not be found."

# Orders and scores anew what was found, before a page is cut from it; may leave some out.
Rerank = Callable[[Sequence[Scored]], Sequence[Scored]]


class RetrievalService:
    """Finds chunks and rolls them up to what owns them."""

    def __init__(self, store: Store, model: ServingModel) -> None:
        self._store = store
        self._model = model
        self._known: dict[str, tuple[float, TermStatistics]] = {}
        self._problems: dict[str, str | None] = {}

    def search(
        self,
        actor: Actor,
        request: SearchRequest,
        call: Call = PLAIN_CALL,
        rerank: Rerank | None = None,
    ) -> SearchResult:
        with span("search", mode=request.mode.value, limit=request.limit):
            return self._searched(actor, request, call, rerank)

    def _searched(
        self, actor: Actor, request: SearchRequest, call: Call, rerank: Rerank | None
    ) -> SearchResult:
        query = _checked(request)
        embedder = self._model.current()
        embedded = self._embedded(embedder, query, request.mode)
        by_words = _words_tell_more(embedder, request)
        call.check()
        with self._store.search(actor) as tx:
            found = _Candidates(tx, request, embedded)
            leg = self._leg(tx, request, query, embedded, by_words=by_words)
            candidates = found.gather(leg, embedder)
            call.check()
            ranked = _ranked(candidates, request, by_words=by_words)
            ranked = [candidate for candidate in ranked if related(candidate, request)]
            scored = fuse(found.judged(ranked, embedder), request.fusion, request.fan_out)
            kept = [s for s in (rerank(scored) if rerank else scored) if relevant(s, request)]
            page = kept[request.offset : request.offset + request.limit]
            hits = _hits(tx, page, request, query)
            unembedded = tx.chunks.unembedded(MOST_UNEMBEDDED_COUNTED, request.filter)
        return outcome(request, embedded, hits, len(kept), unembedded, exact=found.exact)

    def search_nowhere(self, request: SearchRequest) -> SearchResult:
        """What a search says that has no place to look in."""
        embedded = self._embedded(self._model.current(), _checked(request), request.mode)
        return outcome(request, embedded)

    def tiered(self, actor: Actor, request: TieredRequest, call: Call = PLAIN_CALL) -> TieredResult:
        """Search by meaning, lift what is used, spread it, and keep to a budget of tokens."""
        search = request.search
        scored, notice = self._near_or_recent(actor, search, call) if search else ([], "")
        entries = [entry for entry, _ in scored]
        with self._store.read(actor) as tx:
            accesses, now = tx.accesses.of([entry.key for entry in entries]), tx.now
        found = [
            WeighedEntry(entry, score, accesses.get(entry.key, Access()), request.tokens_of(entry))
            for entry, score in scored
        ]
        lifted = found if request.boost is None else boosted(found, request.boost, now)
        if request.budget is None:
            kept = Capped(tuple(lifted), enforced=False)
        else:
            kept = capped(diversified(lifted, request.diversify), request.budget)
        used = sum(one.access.count > 0 for one in found) if request.boost is not None else 0
        too_large = [one.tokens for one in lifted if one not in kept.found]
        smallest = min(too_large, default=None)
        return TieredResult(kept.found, len(found), used, kept.enforced, notice, smallest)

    def _near_or_recent(
        self, actor: Actor, search: SearchRequest, call: Call
    ) -> tuple[list[tuple[Entry, float]], str]:
        """The nearest entries; where nothing is asked or no model answers, the newest, and why."""
        notice = "The query is blank: these are the most recent items."
        if search.query.strip():
            result = self.search(actor, search, call)
            if result.mode_used is RetrievalMode.SEMANTIC:
                notice = _UNSEARCHED if result.pending or result.given_up else ""
                return [(hit.entry, hit.score) for hit in result.hits if hit.entry], notice
            notice = "No search by meaning: these are the most recent items. " + " ".join(
                result.notices
            )
        with self._store.read(actor) as tx:
            newest = tx.entries.page(search.filter, search.limit, 0)
        return [(entry, 1.0) for entry in newest], notice

    def _embedded(self, embedder: Embedder, query: str, mode: RetrievalMode) -> QueryVector:
        """A search by words embeds nothing; it knows of the model what the last other one found."""
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

    def _leg(
        self,
        tx: Transaction,
        request: SearchRequest,
        query: str,
        embedded: QueryVector,
        *,
        by_words: bool,
    ) -> _TermLeg | _WordLeg | None:
        by_meaning = request.mode is RetrievalMode.SEMANTIC and embedded.vector is not None
        if request.lexical is LexicalLeg.EVERY_WORD_OR_NOTHING:
            return _EveryWordLeg(query, self._statistics(tx), counts=not by_meaning)
        if by_meaning and not by_words:
            return None
        if request.lexical is LexicalLeg.ALL_WORDS:
            return _WordLeg(query)
        leg = _PartLeg if request.lexical is LexicalLeg.ANY_TERM_OR_PART else _TermLeg
        return leg(query, self._statistics(tx))

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


def _checked(request: SearchRequest) -> str:
    query = clean(request.query, field="query", max_chars=MAX_QUERY)
    if not query.strip():
        raise InvalidArgument("query must not be empty.", field="query")
    return query


def _words_tell_more(embedder: Embedder, request: SearchRequest) -> bool:
    """Whether the query is in a language that the model was not made for."""
    return request.fusion is Fusion.SIMILARITY and not embedder.reads(request.query)


def _ranked(
    candidates: Sequence[Candidate], request: SearchRequest, *, by_words: bool
) -> Sequence[Candidate]:
    if request.grain is Grain.OWNER:
        candidates = best_per_owner(candidates)
    return best_worded(candidates, request.offset + request.limit) if by_words else candidates


class _TermLeg:
    """Matches by any analysed term; scores every candidate, whoever found it."""

    def __init__(self, query: str, statistics: TermStatistics) -> None:
        self._terms = query_terms(query)
        self._statistics = statistics

    def ask(self, tx: Transaction, wanted: Filter, limit: int) -> list[int]:
        chosen = selective_terms(self._terms, self._statistics)
        return tx.chunks.lexical(LexicalQuery(chosen), wanted, limit)

    def scores(self, chunks: Sequence[ChunkTerms]) -> dict[int, float]:
        query = weighed(self._terms, self._statistics)
        return {chunk.key: coverage(chunk, query) for chunk in chunks} if self._terms else {}


class _PartLeg(_TermLeg):
    """Also matches by a label that contains the query, even inside a word."""

    def __init__(self, query: str, statistics: TermStatistics) -> None:
        super().__init__(query, statistics)
        self._query = query
        self._labelled: set[int] = set()

    @override
    def ask(self, tx: Transaction, wanted: Filter, limit: int) -> list[int]:
        named = _by_grams(tx, wanted, limit, self._query)
        self._labelled = {
            key for key, entry in named.items() if contains(entry.content.label, self._query)
        }
        return [*super().ask(tx, wanted, limit), *self._labelled]

    @override
    def scores(self, chunks: Sequence[ChunkTerms]) -> dict[int, float]:
        scores = super().scores(chunks)
        labelled = {c.key for c in chunks} & self._labelled
        return scores | dict.fromkeys(labelled, LABEL_COVERAGE)


class _EveryWordLeg(_TermLeg):
    """Chooses by all words as they are written; whether it also `counts` is for others to say."""

    def __init__(self, query: str, statistics: TermStatistics, *, counts: bool) -> None:
        super().__init__(query, statistics)
        self._words = tuple(dict.fromkeys(exact_words(query)))
        self._counts = counts

    @override
    def ask(self, tx: Transaction, wanted: Filter, limit: int) -> list[int]:
        query = LexicalQuery(words=self._words)
        return tx.chunks.lexical(query, wanted, limit) if self._words else []

    @override
    def scores(self, chunks: Sequence[ChunkTerms]) -> dict[int, float]:
        return super().scores(chunks) if self._counts else {}


class _WordLeg:
    """Matches by all words as they are written, or by a title that contains the query."""

    def __init__(self, query: str) -> None:
        self._query = query
        self._words = tuple(dict.fromkeys(exact_words(query)))
        self._scores: dict[int, float] = {}

    def ask(self, tx: Transaction, wanted: Filter, limit: int) -> list[int]:
        worded = tx.chunks.lexical(LexicalQuery(words=self._words), wanted, limit)
        named = _by_grams(tx, wanted, limit, self._query)
        titled = {key for key, entry in named.items() if contains(entry.content.title, self._query)}
        words = tx.chunks.words([*worded, *titled])
        self._scores = {
            key: keyword_score(text.split(), self._words, titled=key in titled)
            for key, text in words.items()
        }
        return list(self._scores)

    def scores(self, _chunks: Sequence[ChunkTerms]) -> dict[int, float]:
        return self._scores


def _by_grams(tx: Transaction, wanted: Filter, limit: int, query: str) -> dict[int, Entry]:
    """Chunks whose title or label may contain the query, with the entries that own them."""
    grams = tuple(trigrams(query))
    few = LexicalQuery(grams=tuple(telling(grams)), gram_prefix=gram_prefix(query))
    keys = tx.chunks.lexical(few, wanted, limit)
    if len(keys) == limit and len(few.grams) < len(grams):
        keys = tx.chunks.lexical(LexicalQuery(grams=grams), wanted, limit)
    owners = {chunk.key: chunk.owner.key for chunk in tx.chunks.terms(keys, wanted)}
    entries = tx.entries.by_keys(list(owners.values()))
    return {key: entries[owner] for key, owner in owners.items() if owner in entries}


class _Candidates:
    """Stage 2: asks both legs, and completes what one leg found with the other's view of it."""

    def __init__(self, tx: Transaction, request: SearchRequest, embedded: QueryVector) -> None:
        self._tx = tx
        self._request = request
        self._embedded = embedded
        self._reach = request.depth or max(_FAN_OUT, 2 * (request.limit + request.offset))
        by_owner = request.grain is Grain.OWNER
        self._owners = (request.fan_out or request.limit + request.offset) if by_owner else 0
        self.exact = True

    def gather(self, leg: _TermLeg | _WordLeg | None, embedder: Embedder) -> list[Candidate]:
        found = set(leg.ask(self._tx, self._request.filter, self._reach)) if leg else set()
        cosines, chunks = self._with_nearest(found)
        if self._request.fusion is not Fusion.RECIPROCAL_RANK:
            cosines = self._completed(cosines, chunks)
            found = {chunk.key for chunk in chunks}
        lexical = leg.scores([c for c in chunks if c.key in found]) if leg else {}
        similarities = {key: embedder.similarity(cosine) for key, cosine in cosines.items()}
        return [
            Candidate(chunk, lexical.get(chunk.key), similarities.get(chunk.key))
            for chunk in chunks
        ]

    def judged(self, candidates: Sequence[Candidate], embedder: Embedder) -> Sequence[Candidate]:
        """Candidates judged with what their files say as a whole, where that is asked for."""
        embedded, most = self._embedded, self._request.wholes
        if not most or embedded.vector is None or embedded.model is None:
            return candidates
        files = files_to_judge(candidates, self._request.fusion, most)
        means = self._tx.vectors.means(embedded.model, embedded.vector, files, _VECTORS_OF_FILE)
        return with_wholes(candidates, {f: embedder.similarity(c) for f, c in means.items()})

    def _with_nearest(self, found: set[int]) -> tuple[dict[int, float], list[ChunkTerms]]:
        """Reach further while the nearest chunks belong to too few owners: long ones crowd."""
        while True:
            cosines = self._nearest()
            chunks = self._tx.chunks.terms(sorted(found | cosines.keys()), self._request.filter)
            owners = {chunk.owner for chunk in chunks if chunk.key in cosines}
            enough = len(owners) >= self._owners or len(cosines) < self._reach
            if enough or self._reach >= _FURTHEST:
                return cosines, chunks
            self._reach *= 4

    def _nearest(self) -> dict[int, float]:
        embedded, request = self._embedded, self._request
        by_words_only = request.lexical is LexicalLeg.EVERY_WORD_OR_NOTHING
        if embedded.vector is None or embedded.model is None or by_words_only:
            return {}
        nearest = self._tx.vectors.nearest(
            embedded.model, embedded.vector, request.filter, self._reach, request.width
        )
        self.exact = nearest.exact
        return dict(nearest.hits)

    def _completed(
        self, cosines: dict[int, float], chunks: Sequence[ChunkTerms]
    ) -> dict[int, float]:
        embedded = self._embedded
        missing = [chunk.key for chunk in chunks if chunk.key not in cosines]
        if not missing or embedded.vector is None or embedded.model is None:
            return cosines
        return cosines | self._tx.vectors.cosines(embedded.model, embedded.vector, missing)


def _hits(
    tx: Transaction, page: Sequence[Scored], request: SearchRequest, query: str
) -> tuple[Hit, ...]:
    chunks = {c.key: c for c in tx.chunks.fetch([s.chunk.key for s in page], request.filter)}
    owners = [s.chunk.owner for s in page]
    entries = tx.entries.by_keys([o.key for o in owners if o.type is OwnerType.ENTRY])
    sources = tx.sources.of_documents([o.key for o in owners if o.type is OwnerType.DOCUMENT])
    known = {Owner(OwnerType.ENTRY, key): entry for key, entry in entries.items()}
    read = {Owner(OwnerType.DOCUMENT, key): source for key, source in sources.items()}
    return tuple(
        Hit(
            chunk=(chunk := chunks[scored.chunk.key]),
            score=scored.score,
            parts=scored.parts,
            snippet=snippet(_shown(chunk, known.get(chunk.owner), request.lexical), query),
            similarity=scored.similarity,
            entry=known.get(chunk.owner),
            source=read.get(chunk.owner),
        )
        for scored in page
    )


def _shown(chunk: Chunk, entry: Entry | None, lexical: LexicalLeg) -> str:
    """An exact match is one of the whole entry, so the snippet is taken from its whole body."""
    return entry.content.body if entry and lexical is LexicalLeg.ALL_WORDS else chunk.text
