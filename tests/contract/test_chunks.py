"""Chunks on every store: replacing what an owner has, reading it back, how far embedding is."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from commonplace.model.chunk import (
    ChunkCounts,
    ChunkTerms,
    EmbeddingState,
    Owner,
    OwnerType,
    Position,
    SymbolMark,
    TrustTier,
    Urgency,
)
from commonplace.model.entry import Place, Visibility
from commonplace.model.query import Filter
from commonplace.storage.port import LexicalQuery, Store
from commonplace.text.analyse import analyse
from tests.generate import (
    ALICE,
    EVE,
    MODEL,
    axis,
    chunk_draft,
    embed_all,
    metadata,
    put_chunk,
    text_of,
)
from tests.stores import START, Database

DOCUMENT = Owner(OwnerType.DOCUMENT, 7)
ANY = Filter(include_superseded=True, include_expired=True)
ALL_KEYS = range(1, 1000)


def found(store: Store, *terms: str, wanted: Filter = ANY) -> list[int]:
    with store.read(ALICE) as tx:
        return tx.chunks.lexical(LexicalQuery(terms=terms), wanted, 100)


def near(store: Store, number: int) -> list[int]:
    """Keys of chunks whose vector is that axis."""
    with store.read(ALICE) as tx:
        hits = tx.vectors.nearest(MODEL, axis(number), ANY, 10, 64).hits
    return [key for key, cosine in hits if cosine > 0.99]


def replace_texts(store: Store, *texts: str, owner: Owner = DOCUMENT) -> int:
    drafts = [chunk_draft(text, ordinal=ordinal) for ordinal, text in enumerate(texts)]
    with store.write(ALICE) as tx:
        return tx.chunks.replace(owner, metadata(), drafts)


def test_a_chunk_comes_back_as_it_was_written(store: Store) -> None:
    everything = metadata(
        agent="someone",
        kind="page",
        visibility=Visibility.NETWORK,
        place=Place("ws", "sp", "pr", 7),
        tags=("b", "a", "ünï"),
        superseded=True,
        expires_at=START + timedelta(days=1),
        trust=TrustTier.CANONICAL,
        language="python",
        path="src/a b.py",
    )
    mark = SymbolMark("function", "Class/method")
    plain = chunk_draft("def parseConfig(): 世界 🚀", context="Heading > Größe", ordinal=4)
    draft = replace(plain, symbol=mark)
    with store.write(ALICE) as tx:
        assert tx.chunks.replace(DOCUMENT, everything, [draft]) == 1
    with store.read(ALICE) as tx:
        (chunk,) = tx.chunks.fetch(ALL_KEYS, ANY)
        (terms,) = tx.chunks.terms(ALL_KEYS, ANY)
    assert (chunk.org, chunk.owner, chunk.ordinal) == ("acme", DOCUMENT, 4)
    assert (chunk.metadata, chunk.symbol) == (everything, mark)
    assert (chunk.text, chunk.context) == (draft.text, draft.context)
    assert chunk.position == Position(0, len(draft.text), 1, 2, 3)
    assert chunk.token_count == draft.token_count
    assert (terms.key, terms.owner) == (chunk.key, DOCUMENT)
    assert (terms.terms, terms.context_terms) == (draft.indexed.terms, draft.indexed.context_terms)
    assert chunk.state is EmbeddingState.PENDING


def test_position_may_be_unknown(store: Store) -> None:
    draft = replace(chunk_draft("text"), position=Position(5, 9))
    with store.write(ALICE) as tx:
        tx.chunks.replace(DOCUMENT, metadata(), [draft])
    with store.read(ALICE) as tx:
        (chunk,) = tx.chunks.fetch(ALL_KEYS, ANY)
    assert chunk.position == Position(5, 9)


def test_unchanged_text_keeps_its_row_and_vectors(store: Store) -> None:
    assert replace_texts(store, "alpha", "beta", "gamma") == 3
    embed_all(store, ALICE, lambda chunk: [axis(len(chunk.text))])
    kept = found(store, "beta")
    assert replace_texts(store, "new", "beta") == 1
    assert found(store, "beta") == kept
    with store.read(ALICE) as tx:
        chunks = tx.chunks.fetch(ALL_KEYS, ANY)
        assert [(c.text, c.ordinal, c.state) for c in chunks] == [
            ("beta", 1, EmbeddingState.READY),
            ("new", 0, EmbeddingState.PENDING),
        ]
    assert near(store, 4) == kept
    assert near(store, 5) == []
    assert found(store, "alpha", "gamma") == []


def test_the_same_text_twice_in_one_owner(store: Store) -> None:
    assert replace_texts(store, "twin", "twin") == 2
    assert len(found(store, "twin")) == 2
    assert replace_texts(store, "twin") == 0
    assert len(found(store, "twin")) == 1
    assert replace_texts(store, "twin", "twin", "twin") == 2


def test_an_unchanged_replacement_queues_nothing(store: Store) -> None:
    replace_texts(store, "alpha", "beta")
    embed_all(store, ALICE, lambda _: [axis(1)])
    assert replace_texts(store, "alpha", "beta") == 0
    assert store.due_work() == []


def test_new_metadata_reaches_filters_and_the_text_index(store: Store) -> None:
    with store.write(ALICE) as tx:
        put_chunk(tx, 1, "alpha", tags=("old",))
    with store.write(ALICE) as tx:
        put_chunk(tx, 1, "alpha", tags=("new",), kind="item", place=Place(workspace="ws"))
    assert found(store, "alpha", wanted=Filter(tags=("old",))) == []
    assert found(store, "alpha", wanted=Filter(kinds=("note",))) == []
    assert found(store, "alpha", wanted=Filter(place=Place(workspace="other"))) == []
    wanted = Filter(tags=("new",), kinds=("item",), place=Place(workspace="ws"))
    assert len(found(store, "alpha", wanted=wanted)) == 1


def test_visibility_reaches_other_orgs_and_leaves_them_again(database: Database) -> None:
    store, other = database.open(), database.open()
    with store.write(ALICE) as tx:
        put_chunk(tx, 1, "alpha")
    embed_all(store, ALICE, lambda _: [axis(1)])
    with store.write(EVE) as tx:
        put_chunk(tx, 2, "their own, stored later")
    embed_all(store, EVE, lambda _: [axis(2)])
    for visibility, seen in (
        (Visibility.ORG, False),
        (Visibility.NETWORK, True),
        (Visibility.PRIVATE, False),
        (Visibility.NETWORK, True),
        (Visibility.ORG, False),
    ):
        with store.write(ALICE) as tx:
            put_chunk(tx, 1, "alpha", visibility=visibility)
        for reading in (store, other):
            with reading.read(EVE) as tx:
                lexical = tx.chunks.lexical(LexicalQuery(terms=("alpha",)), Filter(), 5)
                nearest = tx.vectors.nearest(MODEL, axis(1), Filter(), 5, 20).hits
            assert (len(lexical), len(nearest)) == ((1, 2) if seen else (0, 1)), visibility
            with reading.read(ALICE) as tx:
                assert len(tx.vectors.nearest(MODEL, axis(1), Filter(), 5, 20).hits) == 1


def test_remove_takes_text_and_vectors_along(database: Database) -> None:
    store, other = database.open(), database.open()
    replace_texts(store, "alpha", "beta")
    replace_texts(store, "alpha", owner=Owner(OwnerType.ENTRY, 7))
    embed_all(store, ALICE, lambda _: [axis(1)])
    assert len(near(other, 1)) == 3
    with store.write(ALICE) as tx:
        assert tx.chunks.remove(DOCUMENT) == 2
        assert tx.chunks.remove(DOCUMENT) == 0
    for reading in (store, other):
        assert len(found(reading, "alpha")) == 1
        assert len(near(reading, 1)) == 1
        assert found(reading, "beta") == []


def test_fetch_is_in_key_order_and_filtered(store: Store) -> None:
    with store.write(ALICE) as tx:
        for number in range(1, 6):
            put_chunk(tx, number, text_of(number), kind="note" if number % 2 else "item")
    with store.read(ALICE) as tx:
        everything = tx.chunks.fetch(ALL_KEYS, ANY)
        keys = [chunk.key for chunk in everything]
        assert keys == sorted(keys)
        assert tx.chunks.fetch(keys[::-1], ANY) == everything
        assert tx.chunks.fetch([keys[0], keys[0], 999], ANY) == everything[:1]
        assert tx.chunks.fetch([], ANY) == []
        items = tx.chunks.fetch(keys, Filter(kinds=("item",)))
        terms = tx.chunks.terms(keys[::-1], Filter(kinds=("item",)))
    assert [chunk.owner.key for chunk in items] == [2, 4]
    assert [chunk.key for chunk in terms] == [chunk.key for chunk in items]


def test_terms_are_read_without_the_texts(store: Store) -> None:
    with store.write(ALICE) as tx:
        for number in range(1, 6):
            put_chunk(tx, number, text_of(number), kind="note" if number % 2 else "item")
    for wanted in (ANY, Filter(kinds=("item",))):
        with store.read(ALICE) as tx:
            assert tx.chunks.terms(ALL_KEYS, wanted) == [
                ChunkTerms(
                    chunk.key,
                    chunk.owner,
                    " ".join(analyse(chunk.text)),
                    "",
                    kind=chunk.metadata.kind,
                )
                for chunk in tx.chunks.fetch(ALL_KEYS, wanted)
            ]
            assert tx.chunks.terms([], wanted) == []
            bare = [replace(one, terms="") for one in tx.chunks.terms(ALL_KEYS, wanted)]
            assert tx.chunks.without_terms(ALL_KEYS, wanted) == bare
            assert tx.chunks.without_terms([], wanted) == []


def test_a_search_that_was_announced_reads_the_same_chunks(store: Store) -> None:
    with store.write(ALICE) as tx:
        for number in range(1, 6):
            put_chunk(tx, number, text_of(number), kind="note" if number % 2 else "item")
    items, query = Filter(kinds=("item",)), LexicalQuery(terms=("unique2", "unique3", "unique4"))
    with store.read(ALICE) as tx:
        found = tx.chunks.lexical(query, items, 5)
        assert len(found) == 2
        terms, bare = tx.chunks.terms(ALL_KEYS, items), tx.chunks.without_terms(ALL_KEYS, items)
        everything = tx.chunks.terms(ALL_KEYS, ANY)
    for with_terms in (True, False):
        with store.read(ALICE) as tx:
            tx.chunks.expect(items, terms=with_terms)
            assert tx.chunks.lexical(query, items, 5) == found
            for _ in range(2):
                assert tx.chunks.terms(ALL_KEYS[::-1], items) == terms
                assert tx.chunks.without_terms(ALL_KEYS[::-1], items) == bare
            assert tx.chunks.terms(ALL_KEYS, ANY) == everything


def test_pending_counts_the_own_org_up_to_a_limit(store: Store) -> None:
    replace_texts(store, "one", "two", "three")
    with store.write(EVE) as tx:
        put_chunk(tx, 1, "theirs", visibility=Visibility.NETWORK)
    with store.write(ALICE) as tx:
        (chunk,) = tx.vectors.claim(Urgency.FRESH, 1, START + timedelta(hours=1))
        assert [tx.chunks.unembedded(most).pending for most in (0, 2, 3, 100)] == [0, 2, 3, 3]
        tx.vectors.put(MODEL, chunk, [axis(1)])
        assert tx.chunks.unembedded(100).pending == 2


def test_state_is_the_least_finished(store: Store) -> None:
    with store.read(ALICE) as tx:
        assert tx.chunks.state(DOCUMENT) is None
    replace_texts(store, "one", "two", "three")
    states = []
    for number in range(3):
        with store.write(ALICE) as tx:
            states.append(tx.chunks.state(DOCUMENT))
            (chunk,) = tx.vectors.claim(Urgency.FRESH, 1, START + timedelta(hours=1))
            if number == 0:
                tx.vectors.record_failure(chunk, None, "no good")
            else:
                tx.vectors.put(MODEL, chunk, [axis(1)])
    with store.write(ALICE) as tx:
        states.append(tx.chunks.state(DOCUMENT))
        assert tx.chunks.counts() == ChunkCounts(total=3, ready=2, pending=0, failed=1)
        assert tx.chunks.failures(10) == [(DOCUMENT, "no good")]
        tx.vectors.retry_failed()
    embed_all(store, ALICE, lambda _: [axis(1)])
    with store.read(ALICE) as tx:
        states.append(tx.chunks.state(DOCUMENT))
        assert tx.chunks.failures(10) == []
    pending = [EmbeddingState.PENDING] * 3
    assert states == [*pending, EmbeddingState.FAILED, EmbeddingState.READY]


def test_counts_are_of_the_own_org(store: Store) -> None:
    with store.read(ALICE) as tx:
        assert tx.chunks.counts() == ChunkCounts()
    replace_texts(store, "one", "two")
    with store.write(EVE) as tx:
        put_chunk(tx, 1, "theirs", visibility=Visibility.NETWORK)
    with store.write(ALICE) as tx:
        (chunk,) = tx.vectors.claim(Urgency.FRESH, 1, START + timedelta(hours=1))
        tx.vectors.put(MODEL, chunk, [axis(1)])
    with store.read(ALICE) as tx:
        assert tx.chunks.counts() == ChunkCounts(total=2, ready=1, pending=1)


def test_sample_is_of_the_own_org_and_the_same_each_time(store: Store) -> None:
    with store.write(ALICE) as tx:
        for number in range(1, 41):
            put_chunk(tx, number, text_of(number))
    with store.write(EVE) as tx:
        put_chunk(tx, 1, "theirs", visibility=Visibility.NETWORK)
    with store.read(ALICE) as tx:
        whole, part = tx.chunks.sample(1000), tx.chunks.sample(10)
    assert len(whole) == 40
    assert part == whole[:10]
    assert not any("their" in terms for terms in whole)
