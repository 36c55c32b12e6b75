"""Tokens as text search takes them: every token of any shape and length, within its limits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.model.query import Filter
from commonplace.storage.port import LexicalQuery
from commonplace.storage.postgres.connections import connect
from commonplace.storage.postgres.tokens import matches_of, scope_of, search_vector
from commonplace.storage.postings.tokens import LONGEST_LEXEME, lexeme
from tests.stores import PostgresDatabases

EMPTY = {"scope": "", "terms": "", "context_terms": "", "words": "", "title_grams": ""}
PARSE = b"SELECT length(%s::tsvector) AS lexemes, %s::tsvector @@ %s::tsquery AS found"


@pytest.fixture(scope="module")
def server(postgres_databases: PostgresDatabases) -> str:
    return postgres_databases.bare()


def _parsed(server: str, vector: str, query: str) -> tuple[int, bool]:
    with connect(server) as connection:
        row = connection.execute(PARSE, (vector, vector, query)).fetchone()
    assert row is not None
    return row["lexemes"], row["found"]


def test_fields_do_not_mix() -> None:
    fields = {
        "scope": "ox61",
        "terms": "red fox red",
        "context_terms": "red",
        "words": "reds",
        "title_grams": "red",
    }
    assert search_vector(fields) == "'@ox61' 'red':1A,2D,4D 'fox':3D '=reds':1D '~red'"


@pytest.mark.parametrize("token", ["it's", "back\\slash", "a:b", "x" * 5000, "é" * 900, "'", "&|!"])
def test_any_token_is_found_again(server: str, token: str) -> None:
    vector = search_vector({**EMPTY, "terms": token, "words": token})
    for query in (LexicalQuery(terms=(token,)), LexicalQuery(words=(token,))):
        (match,) = matches_of(query)
        assert _parsed(server, vector, match) == (2, True)


@pytest.mark.parametrize(
    "terms",
    [
        "same " * 40_000,
        " ".join(f"word{number}" for number in range(40_000)),
        " ".join(f"{number:x}{'y' * 240}" for number in range(8_000)),
    ],
    ids=["one word often", "many words", "many long words"],
)
def test_limits_cut_what_is_indexed_and_never_fail(server: str, terms: str) -> None:
    vector = search_vector({**EMPTY, "scope": "ox61", "terms": terms, "words": terms})
    lexemes, found = _parsed(server, vector, "'@ox61'")
    assert found
    assert lexemes > 2


def test_terms_are_asked_for_one_by_one_and_words_together() -> None:
    assert matches_of(LexicalQuery(terms=("a", "b", "a"))) == ["'a'", "'b'"]
    assert matches_of(LexicalQuery(words=("a", "b"))) == ["('=a' & '=b')"]


@given(st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=400))
def test_a_lexeme_stays_short_and_tells_tokens_apart(token: str) -> None:
    assert len(lexeme("@", token).encode()) <= LONGEST_LEXEME
    assert lexeme("@", token) != lexeme("@", token + "x")


def test_scope_names_readers_tags_and_kinds() -> None:
    wanted = Filter(kinds=("note", "page"), tags=("a", "b"))
    assert scope_of(wanted, "o", network=True) == (
        "('@ox6f' | '@ox73797374656d' | '@vx6e6574776f726b') & ('@tx61') & ('@tx62') & "
        "('@kx6e6f7465' | '@kx70616765')"
    )


def test_nothing_asked_is_no_match() -> None:
    assert matches_of(LexicalQuery()) == []
    assert matches_of(LexicalQuery(terms=("",))) == []
