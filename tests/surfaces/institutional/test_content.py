"""What is written comes back as it was, stays within its org, and is judged the same each time."""

from __future__ import annotations

from typing import Any

import pytest

from tests.surfaces.clients import Caller, Premises
from tests.surfaces.conftest import OpenPremises
from tests.surfaces.institutional.conversation import STORY
from tests.surfaces.institutional.steps import (
    AUTO_CAPTURE,
    CONFIDENCE,
    DELETE,
    DETECT,
    EMBED,
    GET,
    NOT_FOUND,
    PROVIDE,
    RECORD,
    SENTIMENT,
    TIERED,
    UPDATE,
    capture,
    captured_id,
    data,
    error,
    found,
    get,
    listed,
    page,
    refuse,
    retrieved,
    search,
    tiered,
)
from tests.surfaces.nearness import near

TEXT_FIELDS = ("summary", "content", "project", "file_context", "decision_rationale")
LIST_FIELDS = ("tags", "alternatives_considered", "related_issues")
TEXTS = [
    "accents é ñ ß İ, emoji 🦊👩‍👩‍👧 🇨🇭",
    "日本語のテキスト العربية עברית हिन्दी ไทย",
    "\"double\" 'single' `back` \\backslash\\ $1 :name %s {x} ${y}",
    "line one\nline two\r\n\ttabbed\u2028separated",
    "def f(x):\n    return {'a': [x, None]}  # <script>alert(1)</script> &amp;",
    "Robert'); DROP TABLE entries; -- ' OR 1=1",
    "\x1b[31mred\x1b[0m \x01\x7f",
    "  leading and trailing  ",
]
QUERIES = [
    '"unclosed',
    "O'Reilly",
    "race-condition",
    "src/handlers/user.ts",
    "NOT",
    "a AND OR NEAR(b)",
    "*",
    "wild*",
    "(((",
    ") OR 1=1 --",
    "a:b ^c {d} [e] \\ % _",
    "日本 🦊",
    "x" * 10_000,
]


@pytest.mark.requirement("institutional.expect.unicode-round-trip")
def test_every_text_comes_back_as_it_was(premises: Premises, alice: Caller) -> None:
    for text in TEXTS:
        given: dict[str, Any] = dict.fromkeys(TEXT_FIELDS, text)
        given |= {name: [text] for name in LIST_FIELDS}
        item = capture(alice, **given)
        shown = get(alice, item["id"])
        assert {name: item[name] for name in given} == given
        assert {name: shown[name] for name in given} == given
        assert listed(alice, project=text) == listed(alice, tags=[text]) == [item["id"]]
    assert premises.count() == len(TEXTS)


@pytest.mark.requirement("institutional.expect.unicode-round-trip")
def test_one_text_in_two_spellings_is_kept_in_one(alice: Caller) -> None:
    """Composed and decomposed letters look the same, so they are stored and asked for the same."""
    item = capture(alice, summary="Cafe\u0301", project="Cafe\u0301", tags=["Cafe\u0301"])
    assert (item["summary"], item["project"], item["tags"]) == ("Café", "Café", ["Café"])
    for project in ("Cafe\u0301", "Café"):
        assert listed(alice, project=project, tags=[project]) == [item["id"]]


@pytest.mark.requirement("institutional.expect.query-characters")
def test_no_query_breaks_a_search(alice: Caller) -> None:
    id = captured_id(alice, content=near(90))
    for query in QUERIES:
        assert found(alice, query) == retrieved(alice, query) == [id], query


@pytest.mark.requirement("institutional.expect.long-content")
def test_a_long_item_is_kept_whole(alice: Caller) -> None:
    content = ("A line of some length, with é and 🦊.\n" * 6000)[:200_000]
    assert len(content) == 200_000
    id = captured_id(alice, content=content)
    assert get(alice, id)["content"] == content
    assert search(alice, "anything")[0]["content"] == content


@pytest.mark.requirement("institutional.expect.tenant-separation")
def test_another_org_sees_nothing(alice: Caller, eve: Caller) -> None:
    mine = capture(alice, id="shared-id", type="win", content=near(90))
    said = {"feedback": "confirm", "confidence": 0.9}
    data(alice, RECORD, id="detect-1", **said)
    for tool in (GET, DELETE):
        assert error(eve, tool, id="shared-id") == NOT_FOUND
    assert error(eve, UPDATE, id="shared-id", summary="Taken") == NOT_FOUND
    for action in ("confirm", "reject", "modify"):
        assert error(eve, PROVIDE, item_id="shared-id", action=action) == NOT_FOUND
    assert page(eve)["total"] == 0
    assert found(eve, "anything") == retrieved(eve, "anything") == retrieved(eve, "") == []
    assert tiered(eve, "x")["tier1"]["fingerprint"]["total_items"] == 0
    assert data(eve, EMBED, force=True)["total_processed"] == 0
    assert data(eve, RECORD, id="detect-2", **said)["stats"]["total"] == 1
    theirs = capture(eve, id="shared-id", summary="Theirs", content=near(50))
    assert (found(eve, "x"), found(alice, "x")) == (["shared-id"], ["shared-id"])
    assert get(eve, "shared-id")["summary"] == theirs["summary"]
    shown = get(alice, "shared-id")
    assert {name: shown[name] for name in mine} == mine


@pytest.mark.requirement("institutional.expect.stable-analysis")
def test_analysis_is_the_same_each_time_and_stores_nothing(open_premises: OpenPremises) -> None:
    first, second = open_premises(), open_premises()
    texts = [STORY, *(text * 2 for text in TEXTS)]
    for caller in (first.caller(), second.caller("bob")):
        for tool in (DETECT, SENTIMENT, CONFIDENCE):
            again = [[data(caller, tool, text=text) for text in texts] for _ in range(2)]
            assert again[0] == again[1]
            assert again[0] == [data(first.caller(), tool, text=text) for text in texts]
    assert first.count() == second.count() == 0


@pytest.mark.requirement("institutional.expect.preset-sets-threshold")
@pytest.mark.parametrize(
    ("given", "captured"),
    [
        ({"preset": "conservative"}, 0),
        ({"preset": "moderate"}, 1),
        ({"preset": "aggressive"}, 1),
        ({"preset": "aggressive", "threshold": 0.9}, 0),
        ({"preset": "conservative", "threshold": 0.7}, 1),
        ({"threshold": 0.7}, 1),
        ({}, 0),
    ],
)
def test_a_preset_sets_the_threshold_unless_one_is_given(
    premises: Premises, alice: Caller, given: dict[str, Any], captured: int
) -> None:
    """The story is a moment with a probability of 0.88; the presets ask for 0.9, 0.8 and 0.7."""
    alice.text(AUTO_CAPTURE, text=STORY, auto_save=True, **given)
    assert premises.count() == captured


@pytest.mark.requirement("institutional.expect.budget-positive")
def test_a_budget_is_a_positive_whole_number(alice: Caller) -> None:
    captured_id(alice, content=near(90))
    assert tiered(alice, "x", token_budget=1)["results"] == []
    wrong: list[Any] = [0, -1, 0.5, 1.5, "8000", True, 10**30]
    for value in wrong:
        refuse(alice, TIERED, "token_budget", query="x", token_budget=value)
