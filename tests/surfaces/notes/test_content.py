"""Whatever is written comes back as it was; whatever goes wrong is said without giving away."""

from __future__ import annotations

from typing import Any

import pytest

from tests.surfaces.clients import GIVEN_AWAY, Caller, Premises
from tests.surfaces.notes.steps import SEARCH, STORE, SUPERSEDE, entry, found, search, store

TEXTS = [
    "Robert'); DROP TABLE entries; -- ' OR 1=1",
    "\"double\" 'single' `back` \\backslash\\ $1 :name %s {x} ${y}",
    "line one\nline two\r\n\ttabbed\u2028separated",
    "emoji 🦊👩‍👩‍👧 🇨🇭 and é, ñ, ß, İ",
    "日本語のテキスト العربية עברית हिन्दी ไทย",
    "<script>alert(1)</script> &amp; <!-- c -->",
    "\x1b[31mred\x1b[0m \x01\x7f",
    "  leading and trailing  ",
    '{"json": [null, true]}',
]


@pytest.mark.requirement("notes.expect.content-verbatim")
def test_content_is_kept_as_it_is(premises: Premises) -> None:
    for number, text in enumerate(TEXTS):
        org = f"org-{number}"
        alice = premises.caller(org=org)
        witness = store(alice, title="Witness")
        stored = store(alice, title=text, body=text)
        shown = entry(alice, stored["id"])
        assert stored["title"] == shown["title"] == shown["body"] == text
        (hit,) = [hit for hit in search(alice, text) if hit["id"] == stored["id"]]
        assert (hit["title"], hit["snippet"]) == (text, text)
        assert premises.count(org) == 2, text
        assert entry(alice, witness["id"])["title"] == "Witness"


@pytest.mark.requirement("notes.expect.content-verbatim")
def test_one_text_in_two_spellings_is_kept_in_one(alice: Caller) -> None:
    """Composed and decomposed letters look the same, so they are stored the same."""
    stored = store(alice, title="Cafe\u0301", body="re\u0301sume\u0301")
    assert (stored["title"], entry(alice, stored["id"])["body"]) == (
        "Caf\u00e9",
        "r\u00e9sum\u00e9",
    )
    assert found(alice, "re\u0301sume\u0301") == found(alice, "r\u00e9sum\u00e9") == [stored["id"]]


@pytest.mark.requirement("notes.expect.clean-errors")
def test_errors_name_the_reason_and_nothing_else(alice: Caller, eve: Caller) -> None:
    id, foreign = store(alice)["id"], store(eve, title="hunter2")["id"]
    wrong: list[tuple[str, dict[str, Any]]] = [
        (STORE, {}),
        (STORE, {"title": "t", "body": "b", "taskRef": "x", "clientToken": "x"}),
        (STORE, {"title": "a\0b", "body": "b"}),
        (STORE, {"title": "t", "body": "b", "expiresAt": "0001-01-01T00:00:00+10:00"}),
        (SEARCH, {"query": "a\0b"}),
        (SEARCH, {"query": "q", "tags": ["a\0b"]}),
        (SUPERSEDE, {"oldId": id, "newId": id}),
        (SUPERSEDE, {"oldId": id, "newId": foreign}),
    ]
    for tool, given in wrong:
        error = alice.refusal(tool, **given)
        assert error["code"] not in {"internal.error", "storage.failed"}, (tool, given)
        assert error["message"][-1] == ".", error
        assert not GIVEN_AWAY.search(str(error)), error


@pytest.mark.requirement("notes.expect.clean-errors")
def test_a_store_that_cannot_be_opened_is_a_clean_error(shut: Premises) -> None:
    alice = shut.caller()
    error = alice.refusal(STORE, title="t", body="b")
    assert error["code"] == "storage.unavailable"
    assert not GIVEN_AWAY.search(error["message"]), error
    refused = alice.read_refusal("commonplace://knowledge/0b5c1d0e-9f7a-4c3b-8d2e-1a2b3c4d5e6f")
    assert refused.data == {"code": "storage.unavailable"}
    assert not GIVEN_AWAY.search(refused.message)
