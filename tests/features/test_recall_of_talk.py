"""Turns of a conversation, with the bundled model: what was said just before counts with a turn."""

from __future__ import annotations

import pytest

from commonplace.embedding.bundled import BundledEmbedder
from commonplace.recall.evidence import Evidence
from commonplace.recall.service.recall import RecallService
from commonplace.recall.values import RecallRequest
from commonplace.storage.port import Store
from tests.features.house import House
from tests.generate import ALICE
from tests.stores import SteppingClock

QUESTION = "Which animal did Caroline get from the shelter and what is its name?"
TALK = (
    "Caroline: I finally went to the animal shelter on Saturday and got a cat.",
    "Melanie: A cat from the shelter! What name did you give the cat?",
    "Caroline: The cat has the name Biscuit.",
    "Melanie: That suits him very well.",
)


@pytest.fixture(scope="module")
def model() -> BundledEmbedder:
    return BundledEmbedder()


def evidence(house: House, apart: float) -> Evidence:
    """What speaks for the turn with the name, where turns are said so many seconds apart."""
    for number, text in enumerate(TALK):
        house.clock.advance(apart)
        house.add(f"t-{number}", title=f"Turn {number}", body=text)
    house.embed()
    found = RecallService(house.retrieval).everything(ALICE, RecallRequest(QUESTION))
    return next(hit.evidence for hit in found if hit.title == "Turn 2")


def test_a_turn_counts_with_what_was_said_just_before(
    store: Store, clock: SteppingClock, model: BundledEmbedder
) -> None:
    house = House(store, model, clock)
    together, days_apart = evidence(house, 20).similarity, similarity(model, TALK[2])
    assert together > days_apart + 0.02


def test_what_was_said_days_before_does_not_count(
    store: Store, clock: SteppingClock, model: BundledEmbedder
) -> None:
    house = House(store, model, clock)
    assert evidence(house, 86_400).similarity == pytest.approx(similarity(model, TALK[2]), abs=0.01)


def similarity(model: BundledEmbedder, text: str) -> float:
    """Of the turn by itself."""
    own = model.embed_passages([f"Turn 2\n\n{text}"])[0][0]
    return model.similarity(float(own @ model.embed_query(QUESTION)))
