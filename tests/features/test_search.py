"""Search on both stores: what is found, what is hidden, and what the answer says of itself."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from commonplace.errors import CallStopped, InvalidArgument
from commonplace.model.call import Call
from commonplace.model.entry import EntryKind, Place, Visibility
from commonplace.model.query import Fusion, LexicalLeg, RetrievalMode, SearchRequest
from commonplace.retrieval.wording import COMMON, NAMED, USUAL, WordWeight
from tests.features.embedders import UnreachableEmbedder
from tests.features.house import House, id_of
from tests.generate import ALICE, BOB, EVE, SYSTEM, text_of
from tests.stores import START, SteppingClock

HOSTILE = [
    "well-known state-of-the-art",
    '"unbalanced',
    "it's",
    "NOT",
    "NOT zebra",
    "zebra AND OR NOT NEAR",
    "zebra*",
    "*",
    "(((",
    "{terms}: zebra ^ +",
    "NEAR(zebra lion, 2)",
    "'; DROP TABLE entries; --",
    "zebra\\' OR 1=1",
    "a & b | !c <-> d:*",
    "%s %(name)s :name $1 ?",
    "the and of",
    "...",
    "-",
    "🦓",
    "👩‍👩‍👧‍👦 🇫🇷",
    "斑马 的 知识",
    "ゼブラ",
    "ผู้ใช้",
    "zebra " * 1600,
    "z" * 10_000,
    "\u202e\u200b\ufeffzebra",
    "path/to/zebra.py:12",
    "\x1b[31m zebra \x1b[0m",
    "\t\n zebra \r\n",
]


@pytest.fixture
def zoo(house: House) -> House:
    for number in range(12):
        house.add(f"n-{number}", title=f"Note {number}", body=text_of(number))
    house.add("zebra", title="Zebra", body="A zebra has stripes.")
    house.embed()
    return house


@pytest.mark.parametrize("mode", [RetrievalMode.AUTO, RetrievalMode.LEXICAL])
def test_no_query_breaks_the_search(zoo: House, mode: RetrievalMode) -> None:
    for query in HOSTILE:
        found = zoo.found(query, mode=mode)
        if "zebra" in query:
            assert found[:1] == ["zebra"], query[:50]


@pytest.mark.parametrize("query", ["", " ", "\t\n", "\u3000", "x\0y", "\ud800", "z" * 10_001])
def test_what_is_no_query_is_refused(house: House, query: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        house.search(query)
    assert caught.value.field == "query"


def test_by_word(zoo: House) -> None:
    result = zoo.search("unique7", mode=RetrievalMode.LEXICAL)
    assert id_of(result.hits[0]) == "n-7", "others have only a part of the word"
    assert result.hits[0].score > 2 * result.hits[1].score
    hit = result.hits[0]
    assert "unique7" in hit.snippet
    assert [part.name for part in hit.parts] == ["lexical"]
    assert 0 < hit.score <= 1


def test_pending_entries_are_found_by_words(zoo: House) -> None:
    zoo.add("fresh", body="The okapi is related to the giraffe.")
    result = zoo.search("okapi")
    assert id_of(result.hits[0]) == "fresh"
    assert result.pending == 1
    zoo.embed()
    result = zoo.search("okapi")
    assert result.pending == 0
    assert {part.name for part in result.hits[0].parts} == {"lexical", "semantic"}


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("缓存失效策略需要在发布之后执行", "失效策略"),
        ("リリース後にキャッシュを破棄する", "キャッシュ"),
        ("캐시를 무효화하는 방법", "캐시를"),
        ("Ключ кэша обновляется при выпуске", "кэша"),
        ("La mémoire cache est vidée à la livraison", "memoire"),
        ("Der Preisspeicher für die Straße", "strasse"),
        ("emoji 🦓 here", "🦓"),
    ],
)
def test_other_scripts_are_found_by_words(house: House, text: str, query: str) -> None:
    house.add("wanted", body=text)
    house.add("other", body="Something else entirely, 全く別の話")
    assert house.found(query, mode=RetrievalMode.LEXICAL) == ["wanted"]


def test_the_end_of_a_long_note_is_found_and_shown_once(house: House) -> None:
    body = "\n\n".join([text_of(n, 200) for n in range(12)] + ["The password is xylophone."])
    house.add("long", body=body)
    house.add("short", body="A xylophone is an instrument.")
    house.embed()
    for mode in (RetrievalMode.LEXICAL, RetrievalMode.HYBRID):
        result = house.search("password xylophone", mode=mode)
        ids = [id_of(hit) for hit in result.hits]
        assert ids.count("long") == 1
        hit = result.hits[ids.index("long")]
        assert "xylophone" in hit.snippet
        assert hit.chunk.ordinal > 0


def test_filters_hold_together(house: House) -> None:
    common = "common words about parsers"
    house.add("a", body=common, tags=("red", "blue"), place=Place("ws", "sp", "pr"))
    house.add("b", body=common, tags=("red",), place=Place("ws"))
    house.add("c", BOB, body=common, tags=("blue",), kind=EntryKind.PAGE)
    house.embed()
    cases: list[tuple[dict[str, Any], set[str]]] = [
        ({}, {"a", "b", "c"}),
        ({"tags": ("red",)}, {"a", "b"}),
        ({"tags": ("red", "blue")}, {"a"}),
        ({"tags": ("RED",)}, set()),
        ({"kinds": ("page",)}, {"c"}),
        ({"kinds": ("page", "note")}, {"a", "b", "c"}),
        ({"agent": "bob"}, {"c"}),
        ({"place": Place("ws")}, {"a", "b"}),
        ({"place": Place("ws", "sp", "pr")}, {"a"}),
        ({"place": Place(project="nowhere")}, set()),
        ({"tags": ("red",), "agent": "bob"}, set()),
    ]
    for mode in (RetrievalMode.LEXICAL, RetrievalMode.SEMANTIC, RetrievalMode.HYBRID):
        for given, expected in cases:
            found = house.found("common parsers", ALICE, mode=mode, **given)
            assert set(found) == expected, (mode, given)


def test_expired_entries_are_hidden_unless_asked_for(house: House, clock: SteppingClock) -> None:
    house.add("a", body="zebra", expires_at=START + timedelta(seconds=10))
    house.embed()
    assert house.found("zebra") == ["a"]
    clock.advance(10)
    for mode in RetrievalMode:
        assert house.found("zebra", mode=mode) == []
        assert house.found("zebra", mode=mode, include_expired=True) == ["a"]


def test_who_finds_what(house: House) -> None:
    house.add("private", body="zebra one", visibility=Visibility.PRIVATE)
    house.add("org", body="zebra two")
    house.add("network", body="zebra three", visibility=Visibility.NETWORK)
    house.add("system", SYSTEM, body="zebra four")
    house.embed()
    expected = {
        ALICE: {"private", "org", "network", "system"},
        BOB: {"org", "network", "system"},
        EVE: {"network", "system"},
    }
    for actor, ids in expected.items():
        for mode in RetrievalMode:
            assert set(house.found("zebra", actor, mode=mode)) == ids, (actor, mode)


def test_what_becomes_private_is_gone_for_others(house: House) -> None:
    content = house.add("n-1", body="zebra", visibility=Visibility.NETWORK).content
    house.embed()
    assert house.found("zebra", EVE) == ["n-1"]
    house.knowledge.edit(ALICE, "n-1", replace(content, visibility=Visibility.PRIVATE))
    assert (house.found("zebra", EVE), house.found("zebra", BOB)) == ([], [])
    assert house.found("zebra") == ["n-1"]
    house.knowledge.edit(ALICE, "n-1", replace(content, visibility=Visibility.NETWORK))
    assert house.found("zebra", EVE, mode=RetrievalMode.SEMANTIC) == ["n-1"]


@pytest.mark.parametrize(
    ("asked", "used"),
    [
        (RetrievalMode.AUTO, RetrievalMode.HYBRID),
        (RetrievalMode.HYBRID, RetrievalMode.HYBRID),
        (RetrievalMode.SEMANTIC, RetrievalMode.SEMANTIC),
        (RetrievalMode.LEXICAL, RetrievalMode.LEXICAL),
    ],
)
def test_the_answer_says_how_it_was_found(
    zoo: House, asked: RetrievalMode, used: RetrievalMode
) -> None:
    result = zoo.search("zebra", mode=asked)
    assert (result.mode_requested, result.mode_used) == (asked, used)
    assert result.model == (None if used is RetrievalMode.LEXICAL else "grams-r1@64")
    assert result.notices == ()


@pytest.mark.parametrize(
    "asked", [RetrievalMode.AUTO, RetrievalMode.HYBRID, RetrievalMode.SEMANTIC]
)
def test_without_the_model_words_are_searched_and_it_is_said(
    zoo: House, asked: RetrievalMode
) -> None:
    zoo = House(zoo.store, UnreachableEmbedder(failures=1), zoo.clock)
    result = zoo.search("zebra", mode=asked)
    assert id_of(result.hits[0]) == "zebra"
    assert (result.mode_used, result.model) == (RetrievalMode.LEXICAL, None)
    assert result.notices == ("Searched by words only: The model is away.",)
    assert zoo.search("zebra", mode=asked).notices == ()


@pytest.mark.parametrize("fusion", Fusion)
def test_pages_do_not_overlap_and_leave_nothing_out(zoo: House, fusion: Fusion) -> None:
    def page(offset: int, limit: int) -> list[str]:
        return zoo.found("note worker lease", offset=offset, limit=limit, fusion=fusion)

    whole = page(0, 50)
    assert len(whole) == len(set(whole)) > 6
    assert [id for offset in range(0, len(whole), 3) for id in page(offset, 3)] == whole
    assert page(len(whole), 3) == []


def test_reciprocal_ranks_are_as_their_formula_says(house: House) -> None:
    house.add("both", title="zebra", body="zebra stripes")
    house.add("other", title="lion", body="lion mane")
    house.embed()
    result = house.search("zebra stripes", fusion=Fusion.RECIPROCAL_RANK)
    scores = {id_of(hit): hit.score for hit in result.hits}
    assert scores["both"] == pytest.approx(1.0)
    assert scores["other"] == pytest.approx(0.5 * 61 / 62)


def test_a_least_score_cuts_the_weak(zoo: House) -> None:
    everything = zoo.search("zebra stripes", limit=50)
    middle = everything.hits[len(everything.hits) // 2].score
    strong = zoo.search("zebra stripes", limit=50, min_score=middle)
    assert [h.chunk.key for h in strong.hits] == [
        h.chunk.key for h in everything.hits if h.score >= middle
    ]
    assert strong.total == len(strong.hits) < everything.total


def test_a_stopped_search_stops(zoo: House) -> None:
    def check() -> None:
        raise CallStopped

    with pytest.raises(CallStopped):
        zoo.retrieval.search(ALICE, SearchRequest("zebra"), Call(check=check))


def test_another_orgs_texts_do_not_change_a_score(house: House) -> None:
    """Rare is what is rare in the own org."""
    house.add("mine", body="zebra and lion")
    house.embed()
    before = House(house.store, house.embedder, house.clock).search(
        "zebra", mode=RetrievalMode.LEXICAL
    )
    for number in range(20):
        house.add(f"e-{number}", EVE, body="zebra zebra")
    house.embed()
    after = House(house.store, house.embedder, house.clock).search(
        "zebra", mode=RetrievalMode.LEXICAL
    )
    assert after.hits[0].score == before.hits[0].score


def test_what_is_stored_later_is_found_by_a_service_that_searched_before(house: House) -> None:
    house.add("first", body="zebra")
    house.embed()
    assert house.found("zebra lion") == ["first"]
    house.add("second", body="lion and zebra")
    house.embed()
    assert house.found("zebra lion") == ["second", "first"]


@pytest.mark.parametrize(
    "mode", [RetrievalMode.AUTO, RetrievalMode.LEXICAL, RetrievalMode.SEMANTIC]
)
def test_every_word_or_nothing(house: House, mode: RetrievalMode) -> None:
    house.add("whole", title="Payments", body="We retry the payment. Then we stop.")
    house.add("part", title="Retrying payments", body="We are retrying the payment.")
    house.add("one", title="Retry", body="We retry the upload.")
    house.embed()
    exact = LexicalLeg.EVERY_WORD_OR_NOTHING
    assert house.found("retry payment", mode=mode, lexical=exact) == ["whole"]
    assert set(house.found("Retry", mode=mode, lexical=exact)) == {"whole", "one"}
    assert house.found("!!!", mode=mode, lexical=exact) == []
    parts = {part.name for part in house.search("retry", mode=mode, lexical=exact).hits[0].parts}
    expected = {RetrievalMode.LEXICAL: {"lexical"}, RetrievalMode.SEMANTIC: {"semantic"}}
    assert parts == expected.get(mode, {"lexical", "semantic"})


def test_what_was_found_may_be_ranked_anew_before_a_page_is_cut(zoo: House) -> None:
    request = SearchRequest("note zebra", mode=RetrievalMode.LEXICAL, limit=2, offset=1)
    first = zoo.retrieval.search(ALICE, replace(request, limit=50, offset=0))
    turned = zoo.retrieval.search(ALICE, request, rerank=lambda found: list(reversed(found)))
    fewer = zoo.retrieval.search(ALICE, request, rerank=lambda found: found[:2])
    assert [hit.chunk.key for hit in turned.hits] == [
        hit.chunk.key for hit in reversed(first.hits[-3:-1])
    ]
    assert (turned.total, fewer.total, len(fewer.hits)) == (first.total, 2, 1)


def test_the_total_does_not_depend_on_the_page_where_the_depth_is_given(zoo: House) -> None:
    for limit, offset in ((1, 0), (10, 5), (5, 400)):
        found = zoo.search("note", mode=RetrievalMode.LEXICAL, depth=4, limit=limit, offset=offset)
        assert found.total == 4


def test_a_search_without_a_place_to_look_in_says_how_it_would_have_looked(house: House) -> None:
    result = house.retrieval.empty_result(SearchRequest("zebra"))
    assert (result.hits, result.total, result.mode_used) == ((), 0, RetrievalMode.HYBRID)
    with pytest.raises(InvalidArgument):
        house.retrieval.empty_result(SearchRequest(" "))


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("what did Mirabel say of zebras", NAMED),
        ("what is kept of `zebra`", NAMED),
        ("what did mirabel say", USUAL),
        ("note", USUAL),
        ("what is in a note of ours", COMMON),
    ],
)
def test_the_words_of_a_question_weigh_by_what_they_single_out(
    zoo: House, question: str, words: WordWeight
) -> None:
    for number in range(40):
        zoo.add(f"plain-{number}", body=f"A plain note, kept as number {number}.")
    zoo.add("told", title="What Mirabel said", body="Mirabel said of the zebra that it sleeps.")
    zoo.embed()
    parts = [part for hit in zoo.search(question, limit=50).hits for part in hit.parts]
    told = [part for part in parts if part.name == "lexical"]
    assert {part.reason for part in told} == {words.reason}
    assert 0 < max(part.value for part in told) <= words.weight + 1e-9
