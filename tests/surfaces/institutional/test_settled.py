"""What the contract leaves open and our readings settle, and ways on where an agent is stuck."""

from __future__ import annotations

from typing import Any

import pytest

from tests.surfaces.clients import Caller, Premises
from tests.surfaces.conftest import OpenPremises
from tests.surfaces.institutional.steps import (
    CAPTURE,
    DELETE,
    GET,
    NOT_FOUND,
    SEARCH,
    TEXT_TOOLS,
    TIERED,
    UNKNOWN_ID,
    UPDATE,
    capture,
    captured_id,
    data,
    get,
    refuse,
    search,
    tiered,
    update,
)
from tests.surfaces.nearness import near

LONG = f"{near(90)} " + "and so it goes on " * 1000
READ_ONLY = "knowledge:read"


@pytest.mark.requirement("institutional.capture.tags-empty")
def test_an_empty_list_of_tags_is_no_tags(alice: Caller) -> None:
    item = capture(alice, tags=[])
    assert item["tags"] is None
    assert get(alice, item["id"])["tags"] is None
    tagged = captured_id(alice, tags=["a"])
    assert update(alice, tagged, tags=[])["tags"] is None


@pytest.mark.requirement("institutional.errors.elsewhere")
@pytest.mark.parametrize(("tool", "more"), [(GET, {}), (UPDATE, {"summary": "x"}), (DELETE, {})])
def test_the_id_of_a_note_is_answered_with_where_it_is(
    alice: Caller, eve: Caller, tool: str, more: dict[str, Any]
) -> None:
    note = alice.call("store_knowledge", title="A note", body="A body.")["id"]
    answer = alice.failure(tool, id=note, **more)
    assert (answer["error"], answer["code"]) == (NOT_FOUND, "knowledge.not_found")
    assert f"commonplace://knowledge/{note}" in answer["hint"]
    assert alice.read(f"commonplace://knowledge/{note}")["title"] == "A note"
    for caller, id in ((alice, UNKNOWN_ID), (eve, note)):
        plain = {"success": False, "error": NOT_FOUND, "code": "knowledge.not_found"}
        assert caller.failure(tool, id=id, **more) == plain


@pytest.mark.requirement(
    "institutional.search.content-cut",
    "institutional.capture.content-cut",
    "institutional.update.content-cut",
)
def test_long_contents_are_cut_on_request(alice: Caller) -> None:
    item = capture(alice, content=LONG, max_content_chars=100)
    assert (len(item["content"]), item["content"][-1]) == (100, "…")
    assert (item["content_length"], item["content"][:99]) == (len(LONG), LONG[:99])
    whole = get(alice, item["id"])
    assert whole["content"] == LONG
    assert "content_length" not in whole
    (hit,) = search(alice, "anything", max_content_chars=100)
    assert (hit["content"], hit["content_length"]) == (item["content"], len(LONG))
    (hit,) = search(alice, "anything")
    assert hit["content"] == LONG, "whole unless it is asked for otherwise"
    assert "content_length" not in hit
    (hit,) = search(alice, "anything", max_content_chars=len(LONG))
    assert "content_length" not in hit
    again = update(alice, item["id"], summary="Other", max_content_chars=50)
    assert (len(again["content"]), again["content_length"]) == (50, len(LONG))
    assert get(alice, item["id"])["content"] == LONG, "what is kept is whole"
    for tool, given in ((SEARCH, {"query": "x"}), (TIERED, {"query": "x"})):
        for wrong in (0, -1, 2.5, "100", True):
            refuse(alice, tool, "max_content_chars", **given, max_content_chars=wrong)


@pytest.mark.requirement("institutional.tiered.nothing-fits", "institutional.tiered.content-cut")
def test_a_budget_that_nothing_fits_into_says_so(alice: Caller) -> None:
    captured_id(alice, content=LONG)
    captured_id(alice, content=LONG + LONG)
    answer = tiered(alice, "anything", token_budget=500)
    assert (answer["results"], answer["tier4"]["enforced"]) == ([], True)
    said = answer["tier4"]["notice"]
    assert "2 found" in said
    assert "500" in said
    smallest = int(said.partition("takes ")[2].split()[0])
    enough = tiered(alice, "anything", token_budget=smallest)
    assert (enough["total_results"], enough["total_tokens"]) == (1, smallest)
    assert "notice" not in enough["tier4"]
    short = tiered(alice, "anything", token_budget=500, max_content_chars=400)
    assert short["total_results"] == 2, "what is cut costs what is shown"
    assert short["total_tokens"] <= 500
    assert [len(item["content"]) for item in short["results"]] == [400, 400]


@pytest.mark.requirement("institutional.tools.markdown-without-schema")
def test_answers_for_people_have_no_schema(alice: Caller) -> None:
    tools = alice.tools()
    ours = {name for name in tools if name in TEXT_TOOLS}
    assert ours == TEXT_TOOLS
    assert all(tools[name].output_schema is None for name in ours)
    assert tools[GET].output_schema is not None


@pytest.mark.requirement("institutional.expect.own-kind")
def test_what_other_dialects_keep_is_neither_found_nor_counted(
    premises: Premises, alice: Caller
) -> None:
    alice.call("store_knowledge", title="A note", body=near(90))
    premises.embed()
    item = captured_id(alice, content=near(80))
    assert [hit["id"] for hit in search(alice, "anything")] == [item]
    answer = tiered(alice, "anything")
    assert answer["tier1"]["fingerprint"]["total_items"] == 1
    assert data(alice, "list_knowledge")["total"] == 1


@pytest.mark.requirement("institutional.errors.codes")
def test_errors_carry_the_codes_of_all_dialects(guarded: Premises) -> None:
    alice = guarded.caller()
    assert alice.failure(CAPTURE)["code"] == "validation.invalid_argument"
    assert alice.failure(GET, id=UNKNOWN_ID)["code"] == "knowledge.not_found"
    reader = guarded.caller(scopes=READ_ONLY)
    assert reader.failure(DELETE, id=UNKNOWN_ID)["code"] == "auth.insufficient_scope"
    capture(alice)
    assert alice.failure(
        CAPTURE, summary="s", content="c", type="win", project="p", file_context="f"
    )["code"] == "quota.exceeded"  # fmt: skip


@pytest.mark.requirement("institutional.search.similarity-described")
def test_the_description_says_what_a_similarity_means(open_premises: OpenPremises) -> None:
    """The words are those of benchmarks/results/passages.md; here they hold for one item."""
    alice = open_premises().caller()
    described = alice.tools()[SEARCH].description
    assert "above 0.5 similarity is mostly right, below 0.3 hardly ever" in described
    captured_id(
        alice,
        summary="Fix race condition in API",
        content="Added a mutex lock around access to shared state.",
    )
    (right,) = search(alice, "how was the race condition in the API fixed")
    assert right["similarity"] > 0.5
    (wrong,) = search(alice, "chocolate cake recipe")
    assert wrong["similarity"] < 0.3
