"""Bulk text on both stores: previewed first and completed later, in the order people ask for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from commonplace.embedding.port import Handling, make_previews
from commonplace.errors import EmbeddingRefused
from commonplace.model.chunk import ChunkCounts, ChunkDraft, Owner, OwnerType, PendingChunk, Urgency
from tests.features.embedders import GramEmbedder, Vector
from tests.features.house import House
from tests.generate import ALICE, chunk_draft, metadata

PROSE = "The keeper writes the level of the oil into the log book every evening. " * 30
TEXT_TOKENS = 500


def lamps(first: int, count: int = 12) -> str:
    return "".join(f"lamp{n} = Lamp(oil{n})\n" for n in range(first, first + count))


def draft(text: str, ordinal: int, urgency: Urgency) -> ChunkDraft:
    made = chunk_draft(text, ordinal=ordinal, urgency=urgency)
    return replace(made, token_count=max(200, len(text.split()) * 2))


def put(
    house: House,
    key: int,
    *texts: str,
    urgency: Urgency = Urgency.BULK,
    language: str | None = "python",
) -> None:
    drafts = [draft(text, number, urgency) for number, text in enumerate(texts)]
    with house.store.write(ALICE) as tx:
        tx.chunks.replace(
            Owner(OwnerType.DOCUMENT, key), metadata(kind="file", language=language), drafts
        )


def counts(house: House) -> ChunkCounts:
    return house.status.of_org(ALICE).chunks


@pytest.fixture
def frugal(house: House) -> House:
    return House(house.store, GramEmbedder(sketches=True), house.clock)


def step(house: House) -> None:
    worker = house.worker()
    assert worker.step()
    worker.stop()


def batches(house: House) -> list[list[str]]:
    assert isinstance(house.embedder, GramEmbedder)
    return house.embedder.batches


def test_everything_has_a_preview_before_anything_is_completed(frugal: House) -> None:
    put(frugal, 1, PROSE, language=None)
    put(frugal, 2, lamps(0, 8), lamps(20, 8), lamps(40, 8))
    step(frugal)
    assert counts(frugal) == ChunkCounts(total=4, previewed=4)
    (previews,) = batches(frugal)
    prose, code = previews
    assert PROSE.startswith(prose)
    assert 0 < len(prose) < len(PROSE) / 3
    assert code.startswith("lamp0 Lamp oil0 lamp1 oil1"), "one preview stands for neighbours"
    assert "lamp40" in code
    frugal.embed()
    assert counts(frugal) == ChunkCounts(total=4, ready=4)
    completed = [text for batch in batches(frugal)[1:] for text in batch]
    assert lamps(20, 8) in completed
    assert any(part in PROSE and part not in previews for part in completed)


def test_tests_share_a_vector_with_their_neighbours_for_good(frugal: House) -> None:
    put(frugal, 1, lamps(0), lamps(20), urgency=Urgency.ASIDE)
    put(frugal, 2, PROSE, urgency=Urgency.ASIDE, language=None)
    step(frugal)
    assert counts(frugal) == ChunkCounts(total=3, ready=2, previewed=1)
    frugal.embed()
    assert len(batches(frugal)) == 2, "the prose of tests is completed"


def test_a_short_text_is_its_own_preview(frugal: House) -> None:
    with frugal.store.write(ALICE) as tx:
        short = chunk_draft("lamp = Lamp(oil)", urgency=Urgency.BULK)
        tx.chunks.replace(Owner(OwnerType.DOCUMENT, 1), metadata(language="python"), [short])
    step(frugal)
    assert counts(frugal) == ChunkCounts(total=1, ready=1)


def test_what_somebody_waits_for_is_completed_at_once(frugal: House) -> None:
    put(frugal, 1, lamps(0), lamps(20), urgency=Urgency.FRESH)
    step(frugal)
    assert counts(frugal) == ChunkCounts(total=2, ready=2)


def test_a_search_brings_forward_what_it_lacked(frugal: House) -> None:
    for number in range(60):
        put(frugal, number, f"{lamps(number * 20)} tower{number}")
    (hit,) = frugal.search("tower57", limit=1, kinds=("file",)).hits
    frugal.retrieval.expediter.wait(10)
    step(frugal)
    assert [text for batch in batches(frugal) for text in batch] == [hit.chunk.text]
    again = frugal.search("tower57", limit=1, kinds=("file",))
    assert again.hits[0].chunk.key == hit.chunk.key
    assert (again.pending, again.previewed) == (59, 0)


def test_an_answer_says_how_much_of_it_is_previews(frugal: House) -> None:
    put(frugal, 1, lamps(0), lamps(20))
    step(frugal)
    found = frugal.search("lamp21", kinds=("file",))
    assert (found.pending, found.previewed) == (0, 2)
    frugal.embed()
    found = frugal.search("lamp21", kinds=("file",))
    assert (found.pending, found.previewed) == (0, 0)


class _RefusesStretches(GramEmbedder):
    """Takes one piece of code and no two of them together."""

    def embed_passages(self, texts: Sequence[str]) -> list[list[Vector]]:
        if any("lamp0" in text and "lamp20" in text for text in texts):
            raise EmbeddingRefused("Too strange.")
        return super().embed_passages(texts)


def test_a_preview_that_is_refused_costs_nothing_but_itself(house: House) -> None:
    house = House(house.store, _RefusesStretches(sketches=True), house.clock)
    put(house, 1, lamps(0), lamps(20))
    house.embed()
    assert counts(house) == ChunkCounts(total=2, ready=2)


def test_a_model_whose_time_is_not_dear_makes_no_previews(house: House) -> None:
    put(house, 1, lamps(0), lamps(20), urgency=Urgency.ASIDE)
    house.embed()
    assert batches(house) == [[lamps(0), lamps(20)]]


def test_stretches_end_with_their_file_and_are_no_longer_than_a_model_can_tell() -> None:
    embedder = GramEmbedder(sketches=True)
    assert embedder.handling == Handling(sketches=True)
    chunks = [
        PendingChunk(
            n, f"h{n}", f"name{n}", "", 1, TEXT_TOKENS // 2, None, "python", Urgency.BULK, n // 4
        )
        for n in range(8)
    ]
    made = make_previews(embedder, chunks)
    assert embedder.batches == [["name0 name1", "name2 name3", "name4 name5", "name6 name7"]]
    assert made.windows.keys() == made.previewed == {f"h{n}" for n in range(8)}
