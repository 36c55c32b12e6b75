"""Finding chunks by their tokens on every store, whatever the query looks like."""

from __future__ import annotations

from dataclasses import replace

import pytest

from commonplace.model.chunk import Indexed, Owner, OwnerType
from commonplace.model.entry import Place, Visibility
from commonplace.model.query import Filter
from commonplace.storage.port import LexicalQuery, Store
from commonplace.text.analyse import exact_words, query_terms
from tests.generate import ALICE, EVE, chunk_draft, metadata, put_chunk

ANY = Filter()
CROWD = 100
TEXTS = (
    "the quick brown fox",
    "brown bears sleep",
    "parseConfig reads src/config/parser.py",
    "東京都の天気は晴れ",
    "Crème brûlée für Gäste",
    "deploy 🚀 now",
    "C++ and C# and v1.2.3",
)
HOSTILE = (
    '"',
    "'",
    "''; DROP TABLE chunks; --",
    "%",
    "_",
    "\\",
    "\\'",
    "brown:*",
    ":*",
    "* ",
    "a & b | c ! d",
    "!brown",
    "(brown",
    ")",
    "<->",
    "brown <2> fox",
    "brown AND NOT fox",
    "NOT",
    "NEAR(brown fox)",
    "terms:brown",
    "{terms} : brown",
    "^brown",
    "-brown",
    "+",
    "$1",
    "%(org)s",
    ":org",
    "{}",
    "🚀",
    "👩‍👩‍👧",
    "東京",
    "x" * 5000,
    "東" * 3000,
    "\u202e",
    "\x01",
    " ",
    "",
)


def _short(text: str) -> str:
    return ascii(text)[:24]


@pytest.fixture
def filled(store: Store) -> Store:
    with store.write(ALICE) as tx:
        for number, text in enumerate(TEXTS):
            put_chunk(tx, number, text)
    return store


def owners(store: Store, query: LexicalQuery, wanted: Filter = ANY, limit: int = 100) -> set[int]:
    with store.read(ALICE) as tx:
        keys = tx.chunks.lexical(query, wanted, limit)
        assert len(set(keys)) == len(keys)
        return {chunk.owner.key for chunk in tx.chunks.fetch(keys, wanted)}


def any_of(text: str) -> LexicalQuery:
    return LexicalQuery(terms=tuple(query_terms(text)))


def all_of(text: str) -> LexicalQuery:
    return LexicalQuery(words=tuple(exact_words(text)))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("fox", {0}),
        ("brown", {0, 1}),
        ("fox bear", {0, 1}),
        ("unheard brown", {0, 1}),
        ("unheard", set()),
        ("config", {2}),
        ("parser", {2}),
        ("東京", {3}),
        ("天気", {3}),
        ("creme", {4}),
        ("Gäste", {4}),
        ("🚀", {5}),
        ("c++", {6}),
    ],
)
def test_any_of_the_terms(filled: Store, query: str, expected: set[int]) -> None:
    assert owners(filled, any_of(query)) == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("brown", {0, 1}),
        ("fox brown", {0}),
        ("brown bears sleep", {1}),
        ("fox bears", set()),
        ("bear", set()),
        ("東京都", {3}),
        ("京都の天", {3}),
        ("天京", set()),
        ("crème für", {4}),
        ("deploy 🚀", {5}),
    ],
)
def test_all_of_the_words(filled: Store, query: str, expected: set[int]) -> None:
    assert owners(filled, all_of(query)) == expected


def test_words_go_before_terms(filled: Store) -> None:
    assert owners(filled, LexicalQuery(terms=("fox",), words=("bears",))) == {1}


def test_an_empty_query_finds_nothing(filled: Store) -> None:
    assert owners(filled, LexicalQuery()) == set()


def test_context_is_searched_too_but_scopes_and_trigrams_are_not(store: Store) -> None:
    draft = replace(
        chunk_draft("body words", context="heading"),
        indexed=Indexed("body", "heading", "body words heading", title_grams="hea ead"),
    )
    with store.write(ALICE) as tx:
        tx.chunks.replace(Owner(OwnerType.DOCUMENT, 1), metadata(tags=("red",)), [draft])
    assert owners(store, LexicalQuery(terms=("heading",))) == {1}
    assert owners(store, LexicalQuery(words=("heading", "words"))) == {1}
    for token in ("hea", "ox61636d65", "kx6e6f7465", "tx726564", "red", "note", "acme", "words"):
        assert owners(store, LexicalQuery(terms=(token,))) == set(), token
    for token in ("hea", "ox61636d65", "kx6e6f7465", "red", "note", "acme"):
        assert owners(store, LexicalQuery(words=(token,))) == set(), token


@pytest.mark.parametrize("token", HOSTILE, ids=_short)
def test_no_token_is_syntax(filled: Store, token: str) -> None:
    """Raw tokens that the analyser never makes: never an error, never everything."""
    for query in (
        LexicalQuery(terms=(token,)),
        LexicalQuery(words=(token,)),
        LexicalQuery(terms=("fox", token)),
        LexicalQuery(words=(token, "unheard")),
    ):
        found = owners(filled, query)
        assert found != set(range(len(TEXTS)))
    assert 0 in owners(filled, LexicalQuery(terms=(token, "fox")))
    assert owners(filled, LexicalQuery(words=(token, "unheard"))) == set()


@pytest.mark.parametrize("text", HOSTILE, ids=_short)
def test_no_text_is_syntax_when_it_is_indexed(store: Store, text: str) -> None:
    with store.write(ALICE) as tx:
        put_chunk(tx, 1, f"before {text} after", tags=(text,))
    assert owners(store, all_of("before after"), Filter(tags=(text,))) == {1}
    assert owners(store, any_of(f"{text} before")) == {1}
    assert owners(store, any_of("before"), Filter(tags=(text + "?",))) == set()


def test_many_terms_at_once(filled: Store) -> None:
    terms = tuple(f"term{number}" for number in range(400))
    assert owners(filled, LexicalQuery(terms=(*terms, "fox"))) == {0}
    assert owners(filled, LexicalQuery(words=(*terms, "fox"))) == set()


def test_limit_keeps_the_best(store: Store) -> None:
    with store.write(ALICE) as tx:
        for number in range(30):
            put_chunk(tx, number, "common filler filler filler filler")
        put_chunk(tx, 100, "rare common")
    with store.read(ALICE) as tx:
        query = LexicalQuery(terms=("rare", "common"))
        keys = tx.chunks.lexical(query, Filter(), 5)
        assert len(keys) == 5
        (best,) = tx.chunks.fetch(keys[:1], Filter())
        assert len(tx.chunks.lexical(query, Filter(), 100)) == 31
    assert best.owner.key == 100


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({"kind": "item"}, Filter(kinds=("item",))),
        ({"tags": ("red",)}, Filter(tags=("red",))),
        ({"place": Place(workspace="ws")}, Filter(place=Place(workspace="ws"))),
        ({"agent": "bob"}, Filter(agent="bob")),
        ({"language": "go"}, Filter(languages=("go",))),
    ],
    ids=["kind", "tag", "place", "agent", "language"],
)
def test_one_match_behind_many_that_a_filter_drops(
    store: Store, given: dict[str, object], wanted: Filter
) -> None:
    with store.write(ALICE) as tx:
        for number in range(CROWD):
            put_chunk(tx, number, "common common common")
        put_chunk(tx, 999, "common and a long tail of other words that makes it rank last", **given)
    assert owners(store, LexicalQuery(terms=("common",)), wanted, limit=5) == {999}
    assert owners(store, LexicalQuery(words=("common",)), wanted, limit=5) == {999}


def test_a_small_org_finds_its_own_beside_a_large_one(store: Store) -> None:
    with store.write(EVE) as tx:
        for number in range(CROWD):
            put_chunk(tx, number, "common common common")
    with store.write(ALICE) as tx:
        put_chunk(tx, 999, "common and a long tail of other words that makes it rank last")
    assert owners(store, LexicalQuery(terms=("common",)), limit=5) == {999}


def test_network_chunks_of_others_are_found(store: Store) -> None:
    with store.write(EVE) as tx:
        put_chunk(tx, 5, "common knowledge", visibility=Visibility.NETWORK)
    assert owners(store, any_of("knowledge")) == {5}
