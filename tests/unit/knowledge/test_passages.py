"""An entry as chunks: nothing of a body is lost, and equal texts have equal hashes."""

from __future__ import annotations

import json
from typing import Any

from commonplace.knowledge.offloading import cut_offloaded, drafts_in, question_of
from commonplace.knowledge.passages import MAX_PASSAGE_TOKENS, chunks_of, metadata_of, text_of
from commonplace.model.chunk import ChunkDraft, Urgency
from commonplace.model.entry import EntryContent, EntryKind, Place, Visibility
from commonplace.text.count import estimate_tokens
from tests.unit.knowledge.samples import NOW, entry

PARAGRAPH = "The release train leaves every second Tuesday and waits for nobody. " * 8
LONG = "\n\n".join([PARAGRAPH] * 20 + ["The very last word is xylophone."])


def made(urgency: Urgency, **given: Any) -> list[ChunkDraft]:
    shown = entry(1, **given)
    return chunks_of(shown.kind, shown.content, urgency)


def test_a_short_body_is_one_chunk_with_its_context() -> None:
    (chunk,) = made(Urgency.FRESH, title="Retry rules", tags=("net", "io"))
    assert (chunk.ordinal, chunk.text) == (0, "A body")
    assert chunk.context == "Retry rules"
    assert (chunk.position.char_start, chunk.position.char_end) == (0, 6)
    assert chunk.indexed.context_terms.split() == ["retri", "rule", "net", "io"]
    assert chunk.indexed.words == "a body"
    assert chunk.urgency is Urgency.FRESH


def test_a_long_body_becomes_several_chunks_that_fit_a_window() -> None:
    chunks = made(Urgency.BULK, body=LONG)
    assert len(chunks) > 3
    assert [chunk.ordinal for chunk in chunks] == list(range(len(chunks)))
    assert all(estimate_tokens(chunk.text) <= MAX_PASSAGE_TOKENS for chunk in chunks)
    assert {chunk.urgency for chunk in chunks} == {Urgency.BULK}


def test_chunks_stand_where_they_say_and_cover_every_word() -> None:
    chunks = made(Urgency.FRESH, body=LONG)
    for chunk in chunks:
        assert LONG[chunk.position.char_start : chunk.position.char_end] == chunk.text
    assert " ".join(chunk.text for chunk in chunks).split() == LONG.split()


def test_the_end_of_a_long_body_has_its_own_terms() -> None:
    chunks = made(Urgency.FRESH, body=LONG)
    having = [chunk.ordinal for chunk in chunks if "xylophon" in chunk.indexed.terms.split()]
    assert having == [len(chunks) - 1]


def test_every_chunk_carries_the_title_but_one_its_grams() -> None:
    chunks = made(Urgency.FRESH, title="Release train", body=LONG)
    assert all("train" in chunk.indexed.context_terms.split() for chunk in chunks)
    assert [bool(chunk.indexed.title_grams) for chunk in chunks[:2]] == [True, False]


def test_the_hash_follows_what_is_embedded() -> None:
    def hashed(**given: object) -> str:
        return made(Urgency.FRESH, **given)[0].text_hash

    assert hashed() == hashed(confidence=0.1, visibility=Visibility.PRIVATE)
    different = {hashed(), hashed(title="Other"), hashed(body="Other"), hashed(tags=("a",))}
    assert len(different) == 4


def test_title_and_text_cannot_be_shifted_into_each_other() -> None:
    first = made(Urgency.FRESH, title="ab", body="c")[0]
    second = made(Urgency.FRESH, title="a", body="bc")[0]
    assert first.text_hash != second.text_hash


def test_an_edit_in_the_middle_leaves_the_other_chunks_alone() -> None:
    before = [c.text_hash for c in made(Urgency.FRESH, body=LONG)]
    edited = LONG.replace("xylophone", "marimba")
    after = [c.text_hash for c in made(Urgency.FRESH, body=edited)]
    assert before[:-1] == after[:-1]
    assert before[-1] != after[-1]


def test_the_metadata_is_what_filters_look_at() -> None:
    place = Place("ws", "sp", "pr")
    given = entry(
        1, place=place, tags=("a",), visibility=Visibility.NETWORK, expires_at=NOW, head="e2"
    )
    metadata = metadata_of(given)
    assert (metadata.kind, metadata.agent, metadata.place) == ("note", "alice", place)
    assert (metadata.tags, metadata.visibility) == (("a",), Visibility.NETWORK)
    assert metadata.superseded
    assert metadata.expires_at == NOW


def test_what_an_item_says_beside_its_body_is_found_too() -> None:
    said = {"decision_rationale": "cheaper", "alternatives_considered": ["wait", "retry"]}
    names = {"file_context": "src/cache.py", "solution_verified": True}
    content = entry(1, attributes=said | names).content
    (chunk,) = chunks_of(EntryKind.ITEM, content, Urgency.FRESH)
    assert chunk.text == "A body\n\ncheaper\n\nwait\nretry"
    assert "cach" in chunk.indexed.context_terms.split()
    (note,) = chunks_of(EntryKind.NOTE, content, Urgency.FRESH)
    assert note.text == "A body"


def test_a_long_entry_is_cut_elsewhere_as_it_would_be_here() -> None:
    content = EntryContent(
        title="Long é",
        body="One sentence 中.\n\n" * 100,
        tags=("a", "b"),
        attributes={"decision_rationale": "Because.", "file_context": "src/a.py"},
    )
    text = text_of(EntryKind.ITEM, content)
    question = json.loads(json.dumps(question_of(text)))
    answer = json.loads(
        json.dumps(cut_offloaded(question, text.searched.encode("utf-8", "surrogatepass")))
    )
    assert drafts_in(answer) == chunks_of(EntryKind.ITEM, content, Urgency.FRESH)
