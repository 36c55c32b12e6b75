"""Search by meaning with the bundled model, on both stores, end to end."""

from __future__ import annotations

import pytest

from commonplace.embedding.bundled import BundledEmbedder
from commonplace.model.query import RetrievalMode
from commonplace.storage.port import Store
from tests.features.house import House, id_of
from tests.stores import SteppingClock

NOTES = {
    "cache": "After a price change the storefront cache is invalidated by tag, because customers "
    "were shown stale amounts for up to an hour.",
    "lunch": "The canteen serves soup on Tuesdays and closes early before public holidays.",
    "hiring": "Interview candidates in pairs, and write the feedback down on the same day.",
    "backup": "Nightly database dumps are copied to another region and restored once a month.",
    "style": "Functions are short, names explain themselves, comments say why.",
    "oncall": "Whoever is on call hands over every Monday morning with a short summary.",
}
FILLER = "The committee met, noted the minutes of the last meeting, and adjourned without votes. "
LONG = "\n\n".join([FILLER * 12] * 6 + ["Leaking refrigerant has damaged the server room ceiling."])


@pytest.fixture(scope="module")
def model() -> BundledEmbedder:
    return BundledEmbedder()


@pytest.fixture
def library(store: Store, clock: SteppingClock, model: BundledEmbedder) -> House:
    house = House(store, model, clock)
    for id, body in NOTES.items():
        house.add(id, title=f"About {id}", body=body)
    house.add("minutes", title="Minutes", body=LONG)
    house.embed()
    return house


@pytest.mark.parametrize("mode", [RetrievalMode.AUTO, RetrievalMode.SEMANTIC])
def test_a_question_in_other_words_finds_its_note(library: House, mode: RetrievalMode) -> None:
    for question, expected in {
        "how do we keep shoppers from seeing old prices": "cache",
        "where can I eat at midday": "lunch",
        "what happens if we lose our data centre": "backup",
        "who is woken up at night when something breaks": "oncall",
    }.items():
        result = library.search(question, mode=mode)
        assert id_of(result.hits[0]) == expected, question
        assert result.model == library.embedder.identity.key


def test_words_alone_do_not_find_other_words(library: House) -> None:
    assert "cache" not in library.found(
        "shoppers seeing outdated costs", mode=RetrievalMode.LEXICAL
    )


def test_the_end_of_a_long_note_is_found_by_meaning(library: House) -> None:
    result = library.search("coolant spill harmed the machines", mode=RetrievalMode.SEMANTIC)
    assert id_of(result.hits[0]) == "minutes"
    assert "refrigerant" in result.hits[0].chunk.text


def test_near_meaning_scores_above_half_and_far_meaning_below(library: House) -> None:
    hits = library.search(
        "invalidate the cache when prices change", mode=RetrievalMode.SEMANTIC
    ).hits
    scores = {id_of(hit): hit.score for hit in hits}
    assert scores["cache"] > 0.5
    assert all(score < 0.5 for id, score in scores.items() if id != "cache")
