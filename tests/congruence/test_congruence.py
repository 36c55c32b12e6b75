"""The same data in both stores gives the same answers: matches, filters, order, scores."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from commonplace.model.actor import Actor
from commonplace.model.entry import Place
from commonplace.model.query import (
    NO_LANGUAGE,
    Filter,
    Fusion,
    Hit,
    RetrievalMode,
    SearchRequest,
    SearchResult,
)
from commonplace.retrieval.service.search import RetrievalService
from commonplace.storage.port import LexicalQuery, Store
from commonplace.text.analyse import exact_words, query_terms
from tests.congruence.population import (
    EMBEDDER,
    EVERYTHING,
    MODEL,
    READERS,
    all_keys,
    queries,
    texts_of,
)
from tests.models import always

Pair = tuple[Store, Store]
MORE_THAN_ALL = 5000
QUERIES = queries(40)
TOLERANCE = 1e-3
# For what reads no words: posting lists are only about them.
TEXT_INDEX = pytest.mark.parametrize("pair", ["text index"], indirect=True)

readers = some.sampled_from(list(READERS.values()))
filters = some.builds(
    Filter,
    kinds=some.lists(some.sampled_from(["note", "item", "skill", "page"]), max_size=2).map(tuple),
    tags=some.lists(
        some.sampled_from(["red", "green", "blue", "ünï code"]), max_size=2, unique=True
    ).map(tuple),
    place=some.builds(
        Place,
        some.sampled_from([None, None, "ws-1", "ws-2"]),
        some.sampled_from([None, None, "sp-1"]),
        some.sampled_from([None, None, "project-1"]),
    ),
    agent=some.sampled_from([None, None, "alice", "bob", "eve"]),
    languages=some.sampled_from([(), (), ("python",), ("python", "go"), (NO_LANGUAGE,)]),
    include_superseded=some.booleans(),
    include_expired=some.booleans(),
)


@TEXT_INDEX
@settings(max_examples=60)
@given(reader=readers, wanted=filters)
def test_pages_and_counts_are_the_same(pair: Pair, reader: Actor, wanted: Filter) -> None:
    answers = []
    for store in pair:
        with store.read(reader) as tx:
            page = [entry.id for entry in tx.entries.page(wanted, MORE_THAN_ALL, 0)]
            part = [entry.id for entry in tx.entries.page(wanted, 7, 3)]
            answers.append((page, tx.entries.count(wanted)))
        assert part == page[3:10]
        assert len(page) == answers[-1][1]
    assert answers[0] == answers[1]


@settings(max_examples=60)
@given(reader=readers, wanted=filters, query=some.sampled_from(QUERIES))
def test_match_sets_are_the_same(pair: Pair, reader: Actor, wanted: Filter, query: str) -> None:
    terms = LexicalQuery(terms=tuple(query_terms(query)))
    words = LexicalQuery(words=tuple(exact_words(query)))
    answers = []
    for store in pair:
        with store.read(reader) as tx:
            found = [tx.chunks.lexical(q, wanted, MORE_THAN_ALL) for q in (terms, words)]
            fetched = [chunk.text for chunk in tx.chunks.fetch(all_keys(tx), wanted)]
            answers.append((*(sorted(texts_of(tx, keys)) for keys in found), sorted(fetched)))
    assert answers[0] == answers[1]


@TEXT_INDEX
@settings(max_examples=30)
@given(reader=readers, wanted=filters, query=some.sampled_from(QUERIES))
def test_the_semantic_order_is_the_same(
    pair: Pair, reader: Actor, wanted: Filter, query: str
) -> None:
    vector = EMBEDDER.embed_query(query)
    answers = []
    for store in pair:
        with store.read(reader) as tx:
            hits = tx.vectors.nearest(MODEL, vector, wanted, 20, 200).hits
            texts = texts_of(tx, [key for key, _ in hits])
            answers.append(list(zip(texts, [cosine for _, cosine in hits], strict=True)))
    first, second = answers
    assert [cosine for _, cosine in first] == pytest.approx(
        [cosine for _, cosine in second], abs=TOLERANCE
    )
    assert without_ties(first) == without_ties(second)


def without_ties(hits: list[tuple[str, float]]) -> list[str]:
    """Those whose place nothing else could take; the last one might tie with what was cut."""
    alone = [True] * len(hits)
    for place, ((_, one), (_, next_one)) in enumerate(pairwise(hits)):
        if one - next_one < 2 * TOLERANCE:
            alone[place] = alone[place + 1] = False
    return [text for (text, _), kept in zip(hits[:-1], alone[:-1], strict=True) if kept]


@pytest.mark.parametrize("reader", READERS)
def test_samples_changes_and_states_are_the_same(pair: Pair, reader: str) -> None:
    answers = []
    for store in pair:
        with store.read(READERS[reader]) as tx:
            changes = tx.changes.since(0, MORE_THAN_ALL)
            answers.append(
                (
                    tx.chunks.sample(50),
                    tx.chunks.counts(),
                    [(c.operation, c.entity_id, c.revision, c.before) for c in changes],
                    [chunk.metadata for chunk in tx.chunks.fetch(all_keys(tx), EVERYTHING)],
                )
            )
    assert answers[0] == answers[1]


@pytest.mark.parametrize(
    ("mode", "fusion"),
    [
        (RetrievalMode.LEXICAL, Fusion.ABSOLUTE),
        (RetrievalMode.SEMANTIC, Fusion.ABSOLUTE),
        *((RetrievalMode.HYBRID, fusion) for fusion in Fusion),
    ],
)
def test_the_whole_pipeline_agrees(pair: Pair, mode: RetrievalMode, fusion: Fusion) -> None:
    """Same scores for the same candidates, and nine of the first ten, over all queries."""
    services = [RetrievalService(store, always(EMBEDDER)) for store in pair]
    overlaps = []
    for query in QUERIES:
        request = SearchRequest(query, mode=mode, fusion=fusion, limit=10)
        first, second = (service.search(READERS["alice"], request) for service in services)
        overlaps.append(overlap(first, second))
        if fusion is Fusion.ABSOLUTE:
            assert_same_scores(first, second)
    assert sum(overlaps) / len(overlaps) >= 0.9


def overlap(first: SearchResult, second: SearchResult) -> float:
    ids = [{_id(hit) for hit in result.hits} for result in (first, second)]
    return len(ids[0] & ids[1]) / max(1, len(ids[0]), len(ids[1]))


def assert_same_scores(first: SearchResult, second: SearchResult) -> None:
    scores = {_id(hit): hit for hit in first.hits}
    for hit in second.hits:
        if other := scores.get(_id(hit)):
            assert hit.score == pytest.approx(other.score, abs=2 * TOLERANCE)
            assert [part.name for part in hit.parts] == [part.name for part in other.parts]


def _id(hit: Hit) -> str:
    assert hit.entry is not None
    return hit.entry.id
