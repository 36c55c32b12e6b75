"""What choosing candidates by words costs: posting lists, the store's text index, and tantivy.

python -m benchmarks words [--sizes 10000,100000] [--stores sqlite,postgres] [--queries 40]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import tantivy

from benchmarks.databases import DIALECTS
from benchmarks.latency.loading import ACTOR, prepared
from benchmarks.latency.texts import COMMON_TAG, SELECTIVE_TAG, read_source, vectors
from benchmarks.report import Cell, Report, Table, now
from commonplace.bootstrap import build_store, utc_now
from commonplace.embedding.bundled import BundledEmbedder
from commonplace.model.query import Filter
from commonplace.retrieval.keywords import sample_grams
from commonplace.retrieval.service.statistics import KnownStatistics
from commonplace.retrieval.terms import selective_terms
from commonplace.settings import Settings
from commonplace.storage.port import LexicalQuery, Store, Transaction
from commonplace.storage.postings.lists import PostingLists
from commonplace.storage.tables.chunks import scope_token
from commonplace.text.analyse import exact_words, query_terms, trigrams

LIMIT = 100
TAGS = {"none": (), "tag of 1 %": (SELECTIVE_TAG,), "tag of 33 %": (COMMON_TAG,)}
_FEED = 1_000


class _WithoutLists(PostingLists):
    """Leaves every search to the store's own text index."""

    def search(self, *_: Any) -> None:
        return None


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks words", description=__doc__)
    parser.add_argument("--sizes", default="10000,100000")
    parser.add_argument("--stores", default=",".join(DIALECTS))
    parser.add_argument("--queries", type=int, default=40)
    given = parser.parse_args(arguments)
    started = now()
    rows: list[tuple[Cell, ...]] = []
    for size in map(int, given.sizes.split(",")):
        for dialect in given.stores.split(","):
            rows += _measured(dialect, size, given.queries)
    columns = ("ms", *_QUANTILES, "found alike")
    Report("words", (Table("The best 100 chunks", columns, tuple(rows), digits=2),), _NOTES).save(
        started
    )


# What a server of its own computes is not in the process's time.
CLOCKS = {"sqlite": time.process_time, "postgresql": time.perf_counter}
_WAYS = ("lists", "text index", "tantivy")
_QUANTILES = tuple(f"{way} {q}" for way in _WAYS for q in ("p50", "p95"))


def _measured(dialect: str, size: int, count: int) -> list[tuple[Cell, ...]]:
    embedder, source = BundledEmbedder(), read_source()
    drawn = vectors(source, embedder, size)
    with prepared(dialect, source, drawn, embedder.identity.key) as settings:
        stores = [build_store(settings, utc_now), _without_lists(settings)]
        floor = _Floor(stores[0])
        rows: list[tuple[Cell, ...]] = []
        for filtered, tags in TAGS.items():
            for kind, asked in KINDS.items():
                name = f"{dialect} {size // 1000}k, {kind}, filter: {filtered}"
                rows.append((name, *_in_turn(stores, floor, asked, source.queries[:count], tags)))
                print(rows[-1], flush=True)
        for store in stores:
            store.close()
    return rows


def _without_lists(settings: Settings) -> Store:
    store = build_store(settings, utc_now)
    store._postings = _WithoutLists()  # type: ignore[attr-defined]  # noqa: SLF001
    return store


def _in_turn(
    stores: Sequence[Store],
    floor: _Floor,
    asked: Callable[[str, Transaction], LexicalQuery],
    questions: Sequence[str],
    tags: tuple[str, ...],
) -> list[float]:
    clock = CLOCKS[stores[0].health().dialect]
    times: list[list[float]] = [[], [], []]
    alike = []
    for question in questions:
        found = []
        with stores[0].search(ACTOR) as tx:
            query = asked(question, tx)
        for store, spent in zip(stores, times, strict=False):
            with store.search(ACTOR) as tx:
                started = clock()
                found.append(set(tx.chunks.lexical(query, Filter(tags=tags), LIMIT)))
                spent.append(clock() - started)
        started = clock()
        floor.search(query, tags)
        times[2].append(clock() - started)
        alike.append(len(found[0] & found[1]) / len(found[1]) if found[1] else 1.0)
    quantiles = [1000 * float(np.quantile(spent, q)) for spent in times for q in (0.5, 0.95)]
    return [*quantiles, float(np.mean(alike))]


def _terms(question: str, tx: Transaction) -> LexicalQuery:
    return LexicalQuery(selective_terms(query_terms(question), KnownStatistics().of(tx)))


def _words(question: str, _tx: Transaction) -> LexicalQuery:
    return LexicalQuery(words=tuple(dict.fromkeys(exact_words(_two_words(question)))))


def _title(question: str, _tx: Transaction) -> LexicalQuery:
    return LexicalQuery(grams=tuple(sample_grams(tuple(trigrams(_two_words(question))))))


def _two_words(question: str) -> str:
    return " ".join(sorted(question.split(), key=len)[-2:])


KINDS = {"any term": _terms, "all words": _words, "a part of the title": _title}


class _Floor:
    """The same tokens in a tantivy index; it knows no rights and is not kept up to date."""

    def __init__(self, store: Store) -> None:
        fields = tantivy.SchemaBuilder()
        fields.add_integer_field("key", stored=True)
        for name in ("terms", "words", "title_grams", "scope"):
            fields.add_text_field(name, tokenizer_name="whitespace", index_option="freq")
        self._schema = fields.build()
        index = tantivy.Index(self._schema)
        writer = index.writer(heap_size=128_000_000, num_threads=1)
        for row in _every_chunk(store):
            texts = {name: row[name] for name in ("words", "title_grams", "scope")}
            terms = f"{row['terms']} {row['context_terms']} {row['context_terms']}"
            writer.add_document(tantivy.Document(key=row["key"], terms=terms, **texts))
        writer.commit()
        writer.wait_merging_threads()
        index.reload()
        self._searcher = index.searcher()

    def search(self, query: LexicalQuery, tags: tuple[str, ...]) -> list[int]:
        asked = {"terms": query.terms, "words": query.words, "title_grams": query.grams}
        field, tokens = next((pair for pair in asked.items() if pair[1]), ("terms", ()))
        occur = tantivy.Occur.Should if field == "terms" else tantivy.Occur.Must
        term = tantivy.Query.term_query
        parts = [(occur, term(self._schema, field, token)) for token in tokens]
        wanted = tantivy.Query.boolean_query(parts)
        if tags:
            scopes = [term(self._schema, "scope", scope_token("t", tag)) for tag in tags]
            both = [wanted, *(tantivy.Query.const_score_query(scope, 0.0) for scope in scopes)]
            wanted = tantivy.Query.boolean_query([(tantivy.Occur.Must, one) for one in both])
        hits = self._searcher.search(wanted, LIMIT).hits
        return [self._searcher.doc(address)["key"][0] for _, address in hits]


def _every_chunk(store: Store) -> Any:
    last, until = 0, 1 << 62
    while True:
        with store.read(ACTOR) as tx:
            session = tx._session  # type: ignore[attr-defined]  # noqa: SLF001
            rows = session.rows("posting_feed", after=last, until=until, limit=_FEED)
        if not rows:
            return
        yield from rows
        last = rows[-1]["key"]


_NOTES = (
    (
        "Processor time of one query (on PostgreSQL: wall time), in turns: posting lists with the "
        "look at the database who may read what was found and what came since, the same store "
        "without lists (FTS5 or GIN), and tantivy with the same tokens, which knows no rights."
    ),
    (
        "`found alike` is the share of the text index's best 100 that the lists found too; of "
        "equally good ones either may be left out."
    ),
    (
        "Below 5,000 chunks an org has no lists, and below 50,000 only `any term` reads them: both "
        "columns are the text index then."
    ),
)
