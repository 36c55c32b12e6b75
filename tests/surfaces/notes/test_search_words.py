"""The keyword leg: all words as they are written, or a title that holds the query."""

from __future__ import annotations

import pytest

from tests.surfaces.clients import Caller, Premises
from tests.surfaces.notes.steps import SEARCH, found, search, stored_id

# What other search engines would read as their syntax.
PLAIN_TEXTS = [
    "state-of-the-art",
    '"quoted"',
    "don't",
    "path/to/file.py",
    "f(x)",
    "key: value",
    "star*",
    "this AND that",
    "this OR that",
    "NOT this",
    "this NEAR that",
    "NEAR(this that)",
    "a & b | !c",
    "<->",
    "'; DROP TABLE entries; --",
    "\\",
    "^col:x",
    "C++ and C#",
    "50% off_season",
    "{}[]",
    "emoji 🦊",
]


@pytest.mark.requirement("notes.search.keyword-leg-body", "notes.expect.read-your-write")
def test_words_of_the_body_are_found_at_once(alice: Caller, bob: Caller) -> None:
    for number in range(5):
        id = stored_id(alice, body=f"The marker{number} stands in the body.")
        assert found(alice, f"marker{number}") == found(bob, f"marker{number}") == [id]


@pytest.mark.requirement("notes.search.keyword-all-words")
def test_every_word_must_be_there(alice: Caller) -> None:
    both = stored_id(alice, title="1", body="Amber, they say, floats; so does a lantern.")
    other = stored_id(alice, title="2", body="lantern of AMBER")
    stored_id(alice, title="3", body="amber only")
    stored_id(alice, title="4", body="lantern only")
    assert set(found(alice, "amber lantern")) == set(found(alice, "lantern amber")) == {both, other}
    assert found(alice, "amber lantern absent") == []


@pytest.mark.requirement("notes.search.keyword-all-words")
def test_a_word_in_the_title_does_not_stand_in_for_one_in_the_body(alice: Caller) -> None:
    stored_id(alice, title="Amber", body="lantern")
    assert found(alice, "amber lantern") == []


@pytest.mark.requirement("notes.search.keyword-all-words")
def test_all_words_of_a_long_body_count(alice: Caller) -> None:
    filler = "Some sentence about nothing in particular. " * 250
    id = stored_id(alice, body=f"Opening. {filler} In the middle. {filler} Closing.")
    assert found(alice, "opening middle closing") == [id]


@pytest.mark.requirement("notes.search.keyword-case-insensitive")
@pytest.mark.parametrize(
    ("body", "query"),
    [("Deploy on FRIDAY", "friday DEPLOY"), ("Über ÄRGER", "über ärger"), ("ПРИВЕТ", "привет")],
)
def test_case_does_not_matter(alice: Caller, body: str, query: str) -> None:
    id = stored_id(alice, body=body)
    assert found(alice, query) == [id]


@pytest.mark.requirement("notes.search.keyword-no-stemming")
def test_words_are_compared_whole(premises: Premises) -> None:
    cases = (("deploy", "deploys"), ("deploys", "deploy"), ("deployment", "deploy"), ("ran", "run"))
    for number, (body, query) in enumerate(cases):
        alice = premises.caller(org=f"org-{number}")
        id = stored_id(alice, title="T", body=f"We {body} it.")
        assert found(alice, query) == [], (body, query)
        assert found(alice, body) == [id], body


@pytest.mark.requirement("notes.search.keyword-no-stop-words")
def test_no_word_is_too_common(alice: Caller) -> None:
    id = stored_id(alice, title="T", body="To be, or not to be: that and the rest.")
    stored_id(alice, title="T", body="Something else.")
    for query in ("the", "and", "to be or not to be", "not"):
        assert found(alice, query) == [id], query


@pytest.mark.requirement("notes.search.title-substring", "notes.search.title-case-insensitive")
def test_a_part_of_the_title_is_enough(alice: Caller) -> None:
    id = stored_id(alice, title="Config notes, Straße 7", body="Nothing here.")
    stored_id(alice, title="Other", body="Other")
    for query in ("onfig", "Config notes", "fig no", "g", "CONFIG", "oNfIg", "ß", "STRASSE"):
        assert found(alice, query) == [id], query


@pytest.mark.requirement("notes.search.title-substring")
def test_the_title_must_hold_the_whole_query(alice: Caller) -> None:
    stored_id(alice, title="Config notes", body="Nothing here.")
    assert found(alice, "notes Config") == []
    assert found(alice, "Config  notes") == []


@pytest.mark.requirement("notes.search.not-yet-embedded-found")
def test_an_entry_is_found_before_it_is_embedded(alice: Caller) -> None:
    id = stored_id(alice, title="Beacon")
    answer = alice.call(SEARCH, query="beacon")
    assert [hit["id"] for hit in answer["hits"]] == [id]
    assert (answer["mode"], answer["pending"]) == ("hybrid", 1)


@pytest.mark.requirement("notes.search.whole-org", "notes.search.org-isolation")
def test_an_org_sees_all_of_its_own_and_nothing_else(
    premises: Premises, alice: Caller, bob: Caller, eve: Caller
) -> None:
    body = "shared words nearness 90"
    ours = {stored_id(who, title="Secret", body=body, tags=["x"]) for who in (alice, bob)}
    theirs = stored_id(eve, title="Secret", body=body, tags=["x"])
    premises.embed()
    everything = {"includeSuperseded": True, "includeExpired": True, "limit": 50, "minScore": 0}
    for query in ("secret", "shared words", "unrelated"):
        for given in ({}, everything, {"tags": ["x"]}, {"efSearch": 200}):
            assert set(found(alice, query, **given)) == set(found(bob, query, **given)) == ours
            assert found(eve, query, **given) == [theirs]


@pytest.mark.requirement("notes.search.empty-answer", "notes.search.output-envelope")
def test_nothing_found_is_an_empty_answer(alice: Caller) -> None:
    empty = {"hits": [], "count": 0, "mode": "hybrid", "pending": 0, "notices": []}
    assert alice.call(SEARCH, query="nothing") == empty
    stored_id(alice)
    assert alice.call(SEARCH, query="nothing")["hits"] == []


@pytest.mark.requirement("notes.expect.query-any-characters")
def test_a_query_is_plain_text(premises: Premises) -> None:
    for number, query in enumerate(PLAIN_TEXTS):
        org = f"org-{number}"
        alice = premises.caller(org=org)
        id = stored_id(alice, title="T", body=f"before {query} after")
        stored_id(alice, title="Other", body="this")
        assert found(alice, query) == ([id] if any(map(str.isalnum, query)) else []), query
        titled = stored_id(alice, title=f"Before {query} after", body="-")
        assert titled in found(alice, query), query
        assert premises.count(org) == 3, query


@pytest.mark.requirement("notes.search.title-substring")
def test_a_title_is_found_among_many_that_are_nearly_the_same(alice: Caller) -> None:
    """More of them than are looked at share the grams that a search asks for first."""
    title = "Notes on week {:03}: prices, stock, holidays, staff, visitors, repairs and journeys"
    ids = [stored_id(alice, title=title.format(number), body="-") for number in range(120)]
    assert found(alice, title.format(119)) == [ids[119]]


@pytest.mark.requirement("notes.expect.wildcards-literal")
def test_wildcards_are_literal_in_titles(alice: Caller) -> None:
    percent = stored_id(alice, title="We are 100% sure", body="-")
    users = stored_id(alice, title="1000 users", body="-")
    snake = stored_id(alice, title="snake_case", body="-")
    stored_id(alice, title="snakeXcase", body="-")
    assert found(alice, "100%") == [percent]
    assert found(alice, "snake_case") == [snake]
    assert set(found(alice, "100")) == {percent, users}
    assert found(alice, "%") == [percent]
    assert found(alice, "_") == [snake]


@pytest.mark.requirement("notes.expect.stable-order")
def test_the_same_search_gives_the_same_order(premises: Premises, alice: Caller) -> None:
    for number in range(12):
        stored_id(alice, title="Same title", body=f"same body nearness {50 + number % 3}")
    first = search(alice, "same", limit=50)
    premises.embed()
    embedded = search(alice, "same", limit=50)
    for _ in range(3):
        assert search(alice, "same", limit=50) == embedded
    assert {hit["id"] for hit in first} == {hit["id"] for hit in embedded}
    assert search(alice, "same", limit=5) == embedded[:5]
