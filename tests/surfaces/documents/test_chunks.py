"""How sources are cut: sizes, headings, and that nothing of them is lost."""

from __future__ import annotations

import pytest

from tests.surfaces.documents.desk import SENTENCE, Desk, actor_of


def chunks(desk: Desk, id: str) -> list[tuple[str, list[str]]]:
    actor = actor_of(desk.premises.settings)
    found = desk.application.documents.chunks(actor, id, 500)
    return [(chunk.text, list(chunk.headings)) for chunk in found]


def paragraphs(count: int, chars: int) -> str:
    lines = ((SENTENCE * 40)[: chars - 12].strip() + f" No {n:04}." for n in range(count))
    return "\n\n".join(lines)


@pytest.mark.requirement(
    "documents.chunking.size-upper",
    "documents.chunking.size-typical",
    "documents.chunking.nothing-lost",
    "documents.chunking.no-headings",
)
def test_plain_paragraphs_become_chunks_of_the_promised_size(desk: Desk) -> None:
    text = paragraphs(80, 498)
    assert 39_500 < len(text) < 40_500
    id = desk.file("plain.txt", text)
    desk.read()
    assert 10 <= desk.ready(id)["chunkCount"] <= 20
    found = chunks(desk, id)
    assert all(2000 <= len(content) <= 4000 for content, _ in found)
    assert all(headings == [] for _, headings in found)
    assert "\n\n".join(content for content, _ in found) == text
    (result, *_) = desk.search("oil")
    assert result["metadata"]["headings"] == []


@pytest.mark.requirement("documents.chunking.size-typical")
def test_a_section_is_a_chunk_however_short_its_neighbours(desk: Desk) -> None:
    """The difference: short sections are not filled up to 500 tokens, long ones are cut to it."""
    short = [f"## Short {n}\n\n{SENTENCE * 4}" for n in range(6)]
    id = desk.file("a.md", "\n\n".join(["# Handbook", *short, "## Long", paragraphs(24, 498)]))
    desk.read()
    found = chunks(desk, id)
    brief = [headings for content, headings in found if len(content) < 1000]
    assert brief == [["Handbook", f"Short {n}"] for n in range(6)]
    rest = [(content, headings) for content, headings in found if len(content) >= 1000]
    assert len(rest) > 1
    assert all(headings == ["Handbook", "Long"] for _, headings in rest)
    assert all(2000 <= len(content) <= 4000 for content, _ in rest)


@pytest.mark.requirement("documents.chunking.huge-paragraph", "documents.chunking.nothing-lost")
def test_one_huge_paragraph_is_divided(desk: Desk) -> None:
    sentences = [f"Sentence {n} is about the lamp and its oil." for n in range(470)]
    text = " ".join(sentences)
    assert len(text) > 20_000
    id = desk.file("huge.txt", text)
    desk.read()
    found = [content for content, _ in chunks(desk, id)]
    assert len(found) >= 5
    assert all(len(content) <= 4000 for content in found)
    assert all(any(sentence in content for content in found) for sentence in sentences)


@pytest.mark.requirement("documents.chunking.short-sections-merged")
def test_a_short_section_is_merged_not_dropped(desk: Desk) -> None:
    long = SENTENCE * 12
    line = "Call the harbour master first."
    assert len(line) == 30
    text = f"# A\n\n{long}\n\n# Tiny\n\n{line}\n\n# B\n\n{long}"
    id = desk.file("a.md", text)
    desk.read()
    found = [content for content, _ in chunks(desk, id) if line in content]
    assert len(found) == 1
    assert SENTENCE.strip() in found[0]
    assert any(line in content for content in desk.contents("harbour"))


@pytest.mark.requirement("documents.chunking.short-document")
def test_a_short_document_is_one_chunk(desk: Desk) -> None:
    id = desk.file("a.txt", "Twenty letters here.")
    desk.read()
    assert desk.ready(id)["chunkCount"] == 1
    assert desk.contents("letters") == ["Twenty letters here."]


@pytest.mark.requirement("documents.chunking.headings", "documents.chunking.continuation")
def test_headings_are_the_path_and_go_on(desk: Desk) -> None:
    text = (
        f"# Lighthouse\n\n{SENTENCE * 4}\n\n## Lamp\n\n### Oil\n\n{paragraphs(30, 500)}\n\n"
        f"## Horn\n\n{SENTENCE * 4}"
    )
    id = desk.file("a.md", text)
    desk.read()
    found = [headings for _, headings in chunks(desk, id)]
    assert found[0] == ["Lighthouse"]
    assert found[-1] == ["Lighthouse", "Horn"]
    assert len(found) > 5
    assert all(headings == ["Lighthouse", "Lamp", "Oil"] for headings in found[1:-1])


@pytest.mark.requirement("documents.chunking.heading-in-content")
def test_the_words_of_a_heading_find_its_section(library: Desk) -> None:
    sections = {
        "Fog signal maintenance": "Every thirty seconds, when one cannot see two miles.",
        "Provisions": "Bread, salted fish and coffee come with the boat on Mondays.",
        "Visitors": "Up to six people may climb the stairs together.",
    }
    text = "\n\n".join(f"## {title}\n\n{body} {SENTENCE}" for title, body in sections.items())
    library.file("a.md", text)
    library.read()
    for title in sections:
        assert library.search(title)[0]["metadata"]["headings"] == [title]
