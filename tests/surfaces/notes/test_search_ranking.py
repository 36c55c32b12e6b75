"""Fusion of the two legs, to the digit: a model that tests can predict ranks by meaning."""

from __future__ import annotations

import pytest

from tests.surfaces.clients import Caller, Premises
from tests.surfaces.nearness import near
from tests.surfaces.notes.steps import found, search, store, stored_id

SCALE = 2 / 61
UNIT = "unshared"


def fused(*ranks: int) -> float:
    return sum(1 / (60 + rank) for rank in ranks) / SCALE


@pytest.mark.requirement(
    "notes.search.rrf-fusion",
    "notes.search.rrf-order",
    "notes.search.score-scale",
    "notes.search.score-one-leg",
)
def test_ranks_of_both_legs_are_fused(premises: Premises, alice: Caller) -> None:
    """By words: title, thrice, twice, once. By meaning: 90, 80, 70; one is unrelated."""
    made = {
        "title": stored_id(alice, title="The lever", body=f"lever {near(80)}"),
        "thrice": stored_id(alice, title="1", body="lever lever lever"),
        "twice": stored_id(alice, title="2", body=f"lever lever x {near(70)}"),
        "once": stored_id(alice, title="3", body="lever x y z"),
        "meaning": stored_id(alice, title="4", body=near(90)),
        "unrelated": stored_id(alice, title="5", body="nothing of it"),
    }
    premises.embed()
    scores = {hit["id"]: hit["score"] for hit in search(alice, "lever")}
    expected = {
        "title": fused(1, 2),
        "twice": fused(3, 3),
        "meaning": fused(1),
        "thrice": fused(2),
        "once": fused(4),
    }
    assert list(scores) == [made[name] for name in expected]
    assert list(scores.values()) == pytest.approx(list(expected.values()), abs=1e-6)
    assert scores[made["meaning"]] == 0.5


@pytest.mark.requirement(
    "notes.search.score-both-legs", "notes.search.two-lists", "notes.search.min-score-normalised"
)
def test_first_in_both_legs_is_one_and_no_more(premises: Premises, alice: Caller) -> None:
    best = stored_id(alice, title="lever", body=f"lever lever {near(90)}")
    store(alice, title="Other", body=f"lever x y {near(50)}")
    single = stored_id(alice, title="Third", body="lever x y z and so on")
    premises.embed()
    hits = search(alice, "lever")
    assert (hits[0]["id"], hits[0]["score"]) == (best, 1.0)
    assert found(alice, "lever", minScore=1) == [best]
    assert single in found(alice, "lever")
    assert single not in found(alice, "lever", minScore=0.6)


@pytest.mark.requirement("notes.search.score-one-leg", "notes.search.min-score-normalised")
def test_first_in_one_leg_is_a_half(premises: Premises, alice: Caller) -> None:
    store(alice, title="Lever", body="Waiting for its embedding.")
    assert [hit["score"] for hit in search(alice, "lever")] == [0.5]
    assert search(alice, "lever", minScore=0.6) == []
    assert len(search(alice, "lever", minScore=0.5)) == 1


@pytest.mark.requirement("notes.search.semantic-only-hits-low", "notes.search.semantic-leg")
def test_meaning_alone_never_passes_a_half(premises: Premises, alice: Caller) -> None:
    ids = [stored_id(alice, title=f"T{percent}", body=near(percent)) for percent in (95, 60, 30)]
    premises.embed()
    hits = search(alice, UNIT)
    assert [hit["id"] for hit in hits] == ids
    assert [hit["score"] for hit in hits] == pytest.approx([fused(1), fused(2), fused(3)])
    assert hits[0]["score"] == 0.5


@pytest.mark.requirement("notes.search.rrf-fusion")
def test_what_the_model_finds_unrelated_has_no_rank(premises: Premises, alice: Caller) -> None:
    store(alice, title="Unrelated", body=near(0))
    near_enough = stored_id(alice, title="Related", body=near(1))
    premises.embed()
    assert found(alice, UNIT) == [near_enough]


@pytest.mark.requirement("notes.search.title-bonus")
def test_a_title_match_comes_first(alice: Caller) -> None:
    plain = [stored_id(alice, title=title, body="lever") for title in ("Other", "Another")]
    titled = stored_id(alice, title="About the Lever", body="lever")
    dense = stored_id(alice, title="Dense", body="lever lever lever lever")
    hits = found(alice, "lever")
    assert hits[0] == titled
    assert hits.index(dense) < min(map(hits.index, plain))


@pytest.mark.requirement("notes.search.confidence-not-ranked")
def test_confidence_does_not_count(premises: Premises, alice: Caller) -> None:
    body = f"lever {near(80)}"
    ids = [stored_id(alice, title="T", body=body, confidence=level) for level in (0, 100, 50)]
    premises.embed()
    hits = search(alice, "lever")
    assert [hit["id"] for hit in hits] == ids, "in the order in which they were stored"
    assert [hit["score"] for hit in hits] == pytest.approx([fused(n, n) for n in (1, 2, 3)])


@pytest.mark.requirement(
    "notes.search.output-hit-fields",
    "notes.search.output-hit-values",
    "notes.search.output-superseded-by-null",
    "notes.search.snippet-present",
    "notes.search.output-envelope",
    "notes.search.output-count",
)
def test_a_hit_shows_the_entry(alice: Caller) -> None:
    given = {"tags": ["Net", "ops"], "confidence": 33.3, "expiresAt": "2031-06-01T12:00:00+02:00"}
    stored = store(alice, title="Ports", body="Port 22 is closed.", **given)
    plain = store(alice, title="Ports again", body="Open.")
    answer = alice.call("search_knowledge", query="ports")
    assert answer["count"] == 2
    hits = {hit["id"]: hit for hit in answer["hits"]}
    shown = {key: value for key, value in stored.items() if key != "embeddingStatus"}
    assert hits[stored["id"]] == {
        **shown,
        "snippet": "Port 22 is closed.",
        "score": hits[stored["id"]]["score"],
        "supersededById": None,
    }
    assert hits[plain["id"]]["expiresAt"] is None
    assert sorted(hit["score"] for hit in hits.values()) == pytest.approx([fused(2), fused(1)])
