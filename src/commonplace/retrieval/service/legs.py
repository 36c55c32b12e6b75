"""The keyword legs: each finds chunks by words in its own way, and scores the matches."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from typing_extensions import override

from commonplace.model.chunk import ChunkTerms
from commonplace.model.entry import Entry
from commonplace.model.query import LexicalLeg, SearchRequest
from commonplace.retrieval.keywords import LABEL_COVERAGE, contains, keyword_score, sample_grams
from commonplace.retrieval.scoring import CountedTerms, counted, coverage_of, weighed
from commonplace.retrieval.service.reads import SearchReads
from commonplace.retrieval.statistics import TermStatistics
from commonplace.retrieval.terms import selective_terms
from commonplace.storage.port import LexicalQuery
from commonplace.text.analyse import exact_words, gram_prefix, query_terms, trigrams


def leg_of(
    request: SearchRequest,
    query: str,
    statistics: Callable[[], TermStatistics],
    *,
    by_meaning: bool,
    by_words: bool,
) -> TermLeg | WordLeg | None:
    """The keyword leg for a request; a search by meaning needs none unless `by_words` is set."""
    if request.lexical is LexicalLeg.EVERY_WORD_OR_NOTHING:
        return EveryWordLeg(query, statistics(), counts=not by_meaning)
    if by_meaning and not by_words:
        return None
    if request.lexical is LexicalLeg.ALL_WORDS:
        return WordLeg(query)
    leg = PartLeg if request.lexical is LexicalLeg.ANY_TERM_OR_PART else TermLeg
    return leg(query, statistics())


class TermLeg:
    """Finds chunks by any analysed term; scores every candidate, whichever leg found it."""

    def __init__(self, query: str, statistics: TermStatistics) -> None:
        self._terms = query_terms(query)
        self._statistics = statistics
        # Term counts of scored chunks by key: counting is most of the cost of scoring.
        self.counts: dict[int, CountedTerms] = {}

    def find(self, reads: SearchReads, limit: int) -> list[int]:
        chosen = selective_terms(self._terms, self._statistics)
        return reads.tx.chunks.lexical(LexicalQuery(chosen), reads.wanted, limit)

    def scores(self, chunks: Sequence[ChunkTerms]) -> dict[int, float]:
        if not self._terms:
            return {}
        query = weighed(self._terms, self._statistics)
        self.counts = {chunk.key: counted(chunk, query) for chunk in chunks}
        return {key: coverage_of(found, query) for key, found in self.counts.items()}

    def found_rare(self) -> bool:
        """Whether something scored has a rare word of the query."""
        rare = [term for term in self._terms if self._statistics.is_rare(term)]
        return any(found.counts[term] for found in self.counts.values() for term in rare)


class PartLeg(TermLeg):
    """The leg by words that also finds labels that contain the query, even inside a word."""

    def __init__(self, query: str, statistics: TermStatistics) -> None:
        super().__init__(query, statistics)
        self._query = query
        self._labelled: set[int] = set()

    @override
    def find(self, reads: SearchReads, limit: int) -> list[int]:
        named = _by_grams(reads, limit, self._query)
        self._labelled = {
            key for key, entry in named.items() if contains(entry.content.label, self._query)
        }
        return [*super().find(reads, limit), *self._labelled]

    @override
    def scores(self, chunks: Sequence[ChunkTerms]) -> dict[int, float]:
        scores = super().scores(chunks)
        labelled = {c.key for c in chunks} & self._labelled
        return scores | dict.fromkeys(labelled, LABEL_COVERAGE)


class EveryWordLeg(TermLeg):
    """Finds chunks that have all words exactly; scores them only if `counts` is set."""

    def __init__(self, query: str, statistics: TermStatistics, *, counts: bool) -> None:
        super().__init__(query, statistics)
        self._words = tuple(dict.fromkeys(exact_words(query)))
        self._counts = counts

    @override
    def find(self, reads: SearchReads, limit: int) -> list[int]:
        query = LexicalQuery(words=self._words)
        return reads.tx.chunks.lexical(query, reads.wanted, limit) if self._words else []

    @override
    def scores(self, chunks: Sequence[ChunkTerms]) -> dict[int, float]:
        return super().scores(chunks) if self._counts else {}


class WordLeg:
    """Finds chunks that have all words exactly, or whose title contains the query."""

    def __init__(self, query: str) -> None:
        self._query = query
        self._words = tuple(dict.fromkeys(exact_words(query)))
        self._scores: dict[int, float] = {}

    def find(self, reads: SearchReads, limit: int) -> list[int]:
        chunks = reads.tx.chunks
        worded = chunks.lexical(LexicalQuery(words=self._words), reads.wanted, limit)
        named = _by_grams(reads, limit, self._query)
        titled = {key for key, entry in named.items() if contains(entry.content.title, self._query)}
        words = chunks.words([*worded, *titled])
        self._scores = {
            key: keyword_score(text.split(), self._words, titled=key in titled)
            for key, text in words.items()
        }
        return list(self._scores)

    def scores(self, _chunks: Sequence[ChunkTerms]) -> dict[int, float]:
        return self._scores


def _by_grams(reads: SearchReads, limit: int, query: str) -> dict[int, Entry]:
    """Chunks whose title or label may contain the query, with the entries that own them."""
    grams = tuple(trigrams(query))
    few = LexicalQuery(grams=tuple(sample_grams(grams)), gram_prefix=gram_prefix(query))
    lexical, wanted = reads.tx.chunks.lexical, reads.wanted
    keys = lexical(few, wanted, limit)
    if len(keys) == limit and len(few.grams) < len(grams):
        keys = lexical(LexicalQuery(grams=grams), wanted, limit)
    owners = {chunk.key: chunk.owner.key for chunk in reads.terms(keys)}
    entries = reads.entries(list(owners.values()))
    return {key: entries[owner] for key, owner in owners.items() if owner in entries}
