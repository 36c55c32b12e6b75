"""What a hit shows of a body, and where the whole of it is read."""

from __future__ import annotations

import pytest

from tests.surfaces.clients import Caller
from tests.surfaces.notes.steps import RESOURCE_NOT_FOUND, entry, search, stored_id

WIDTH = 240
MIDDLE = "…{}…"


def filler(length: int) -> str:
    """Text without any word that a test asks for."""
    return ("plain text without much in it " * (length // 30 + 1))[:length]


def snippet(caller: Caller, query: str, body: str, title: str = "Snippet") -> str:
    id = stored_id(caller, title=title, body=body)
    (hit,) = [hit for hit in search(caller, query, limit=50) if hit["id"] == id]
    return str(hit["snippet"])


def around(body: str, start: int) -> str:
    return body[start : start + WIDTH]


@pytest.mark.requirement(
    "notes.search.snippet-length", "notes.search.snippet-ellipsis", "notes.search.snippet-present"
)
@pytest.mark.parametrize("length", [6, 100, 239, 240])
def test_a_short_body_is_shown_whole(alice: Caller, length: int) -> None:
    body = ("needle " + filler(240))[:length]
    assert snippet(alice, "needle", body) == body


@pytest.mark.requirement(
    "notes.search.snippet-centred", "notes.search.snippet-length", "notes.search.snippet-ellipsis"
)
def test_the_first_match_stands_in_the_middle(alice: Caller) -> None:
    body = f"{filler(500)} needle {filler(500)} needle {filler(300)}"
    place = body.index("needle")
    shown = snippet(alice, "NEEDLE", body)
    assert shown == MIDDLE.format(around(body, place + 3 - WIDTH // 2))
    assert (len(shown.strip("…")), shown.count("needle")) == (WIDTH, 1)


@pytest.mark.requirement(
    "notes.search.snippet-near-edge", "notes.search.snippet-ellipsis", "notes.search.snippet-length"
)
@pytest.mark.parametrize("place", [0, 10, 110])
def test_a_match_near_the_start_keeps_the_start(alice: Caller, place: int) -> None:
    body = f"{filler(place)} needle {filler(600)}".strip()
    assert snippet(alice, "needle", body) == around(body, 0) + "…"


@pytest.mark.requirement(
    "notes.search.snippet-near-edge", "notes.search.snippet-ellipsis", "notes.search.snippet-length"
)
@pytest.mark.parametrize("left", [0, 10, 110])
def test_a_match_near_the_end_keeps_the_end(alice: Caller, left: int) -> None:
    body = f"{filler(600)} needle {filler(left)}".strip()
    shown = snippet(alice, "needle", body)
    assert shown == "…" + body[-WIDTH:]
    assert "needle" in shown


@pytest.mark.requirement("notes.search.snippet-length", "notes.search.snippet-ellipsis")
def test_one_character_too_many_is_cut(alice: Caller) -> None:
    body = "needle " + filler(234)
    assert len(body) == WIDTH + 1
    assert snippet(alice, "needle", body) == body[:WIDTH] + "…"


@pytest.mark.requirement("notes.search.snippet-whole-query-first")
def test_the_whole_query_goes_before_a_single_word(alice: Caller) -> None:
    body = f"red {filler(400)} Red\tWool; {filler(300)} RED wool {filler(400)}"
    shown = snippet(alice, "red wool", body)
    assert shown == MIDDLE.format(around(body, body.index("RED wool") + 4 - WIDTH // 2))


@pytest.mark.requirement("notes.search.snippet-word-next")
def test_else_the_first_word_of_the_query_that_is_there(alice: Caller) -> None:
    body = f"{filler(400)} wool {filler(400)} red {filler(400)}"
    assert "red" in snippet(alice, "red wool", body)
    titled = snippet(alice, "absent wool", body, title="About absent wool")
    assert titled == MIDDLE.format(around(body, body.index("wool") + 2 - WIDTH // 2))


@pytest.mark.requirement("notes.search.snippet-body-start", "notes.search.snippet-ellipsis")
def test_else_the_start_of_the_body(alice: Caller) -> None:
    body = filler(600)
    assert snippet(alice, "Zebra", body, title="A zebra") == body[:WIDTH] + "…"


@pytest.mark.requirement("notes.search.snippet-length", "notes.search.snippet-centred")
def test_characters_are_counted_not_bytes(alice: Caller) -> None:
    body = "狐" * 400 + " иголка " + "犬" * 400
    shown = snippet(alice, "Иголка", body)
    assert shown == MIDDLE.format(around(body, body.index("иголка") + 3 - WIDTH // 2))


@pytest.mark.requirement("notes.search.no-full-body", "notes.search.full-body-resource")
@pytest.mark.parametrize("scheme", ["commonplace", "drobek"])
def test_the_whole_body_is_a_resource(alice: Caller, bob: Caller, scheme: str) -> None:
    body = f"needle {filler(31_000)}\n\tEnd."
    id = stored_id(alice, body=body, title="Long")
    (hit,) = search(alice, "needle")
    assert "body" not in hit
    assert body not in str(hit)
    assert len(hit["snippet"]) == WIDTH + 1
    assert bob.read(f"{scheme}://knowledge/{id}")["body"] == body


@pytest.mark.requirement("notes.search.full-body-resource")
def test_the_resource_shows_all_of_an_entry(alice: Caller) -> None:
    task = {"taskId": "0b5c1d0e-9f7a-4c3b-8d2e-1a2b3c4d5e6f", "kind": "references"}
    id = stored_id(
        alice, title="T", body="B", tags=["a"], taskRef=task, expiresAt="2030-01-01T00:01:00Z"
    )
    assert entry(alice, id) == {
        "id": id,
        "title": "T",
        "body": "B",
        "tags": ["a"],
        "confidence": 80,
        "source": "agent",
        "createdByAgentId": "alice",
        "taskRefs": [task],
        "embeddingStatus": "pending",
        "supersededById": None,
        "expiresAt": "2030-01-01T00:01:00.000Z",
        "expired": False,
        "createdAt": "2030-01-01T00:00:00.000Z",
        "updatedAt": "2030-01-01T00:00:00.000Z",
    }


@pytest.mark.requirement("notes.search.full-body-resource-org")
def test_another_orgs_resource_does_not_exist(alice: Caller, eve: Caller) -> None:
    id = stored_id(alice, title="Secret")
    for scheme in ("commonplace", "drobek"):
        uri = f"{scheme}://knowledge/{id}"
        foreign = eve.read_refusal(uri)
        unknown = eve.read_refusal(uri[:-4] + "0000")
        assert foreign.code == unknown.code == RESOURCE_NOT_FOUND
        assert foreign.message == unknown.message
        assert foreign.data == {"uri": uri, "code": "knowledge.not_found"}
