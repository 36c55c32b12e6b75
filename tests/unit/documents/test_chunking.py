"""Pieces of a document: sized, cut where the text allows it, and nothing of it lost."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.documents.chunking import MOST_CHARS, MOST_TOKENS, Piece, pieces_of
from commonplace.model.extract import Extract
from commonplace.reading.markdown import read_markdown
from commonplace.reading.plain import read_plain
from commonplace.text.count import estimate_tokens

SENTENCE = "The keeper writes the level of the oil into the log book every evening. "


def cut(extract: Extract) -> list[tuple[str, tuple[str, ...]]]:
    pieces = pieces_of(extract, estimate_tokens)
    return [(extract.text[piece.start : piece.end], piece.headings) for piece in pieces]


def paragraphs(chars: int, each: int = 600) -> str:
    paragraph = (SENTENCE * (each // len(SENTENCE) + 1))[:each].strip()
    return "\n\n".join([paragraph] * (chars // each))


def test_a_section_is_a_piece_with_the_path_to_it() -> None:
    text = f"# Guide\n\n{SENTENCE * 3}\n\n## Oil\n\n{SENTENCE * 3}\n\n## Horn\n\n{SENTENCE * 3}"
    assert [headings for _, headings in cut(read_markdown(text))] == [
        ("Guide",),
        ("Guide", "Oil"),
        ("Guide", "Horn"),
    ]


def test_a_heading_without_text_goes_with_what_follows() -> None:
    ((text, headings),) = cut(read_markdown(f"# Guide\n\n## Oil\n\n{SENTENCE * 3}"))
    assert (text.startswith("# Guide"), headings) == (True, ("Guide", "Oil"))


@pytest.mark.parametrize("place", ["first", "middle", "last"])
def test_a_short_section_joins_a_neighbour(place: str) -> None:
    long = f"{SENTENCE * 4}\n\n"
    parts = {"first": "", "middle": f"## A\n\n{long}", "last": f"## A\n\n{long}"}
    after = "" if place == "last" else f"## B\n\n{long}"
    found = cut(read_markdown(f"{parts[place]}## Tiny\n\nCall the harbour master.\n\n{after}"))
    (holder,) = [text for text, _ in found if "harbour master" in text]
    assert SENTENCE.strip() in holder


def test_plain_paragraphs_give_pieces_of_the_promised_size() -> None:
    found = cut(read_plain(paragraphs(40_000)))
    assert 10 <= len(found) <= 20
    assert all(500 <= estimate_tokens(text) <= MOST_TOKENS for text, _ in found)


def test_later_pieces_of_a_section_keep_its_headings() -> None:
    found = cut(read_markdown(f"# Guide\n\n## Oil\n\n{paragraphs(20_000)}"))
    assert len(found) > 4
    assert {headings for _, headings in found} == {("Guide", "Oil")}


def test_one_huge_paragraph_is_divided() -> None:
    found = cut(read_plain(SENTENCE * 280))
    assert len(found) >= 5
    assert all(text.endswith(".") for text, _ in found)


def test_code_and_tables_stay_whole_where_they_fit() -> None:
    code = "```\n" + "\n\n".join(f"step_{n}(oil, horn)" for n in range(60)) + "\n```"
    table = "| a | b |\n|---|---|\n" + "\n".join(f"| {n} | oil |" for n in range(80))
    text = f"# One\n\n{paragraphs(3000)}\n\n{code}\n\n{paragraphs(1200)}\n\n{table}"
    found = [text for text, _ in cut(read_markdown(text))]
    assert any(code in piece for piece in found)
    assert any(table in piece for piece in found)


def test_a_table_too_large_is_cut_between_rows() -> None:
    rows = [f"| row {n} | the lamp burns nine litres a night |" for n in range(400)]
    text = "| a | b |\n|---|---|\n" + "\n".join(rows)
    found = [line for piece, _ in cut(read_markdown(text)) for line in piece.splitlines()]
    assert found == text.splitlines()


def visible(text: str) -> str:
    return "".join(text.split())


markdownish = st.lists(
    st.one_of(
        st.text(max_size=300),
        st.sampled_from(["# A", "## B c", "### D", "---", "```", "- item", "| a | b |\n|---|---|"]),
        st.sampled_from([SENTENCE * 20, "word " * 900, "x" * 5000, "汉字" * 900, "| 1 | 2 |"]),
    ),
    max_size=25,
).map("\n\n".join)


@given(markdownish)
def test_nothing_but_white_space_is_lost_and_no_piece_is_too_large(text: str) -> None:
    for extract in (read_markdown(text), read_plain(text)):
        pieces = pieces_of(extract, estimate_tokens)
        texts = [extract.text[piece.start : piece.end] for piece in pieces]
        assert visible("".join(texts)) == visible(extract.text)
        assert all(len(text) <= MOST_CHARS for text in texts)
        assert all(piece.tokens <= MOST_TOKENS for piece in pieces)
        assert in_order(pieces)


def in_order(pieces: list[Piece]) -> bool:
    return all(a.end <= b.start for a, b in pairwise(pieces))


@pytest.mark.parametrize(
    "text", ["a" * 300_000, "word " * 60_000, "a b\n" * 75_000, "。" * 120_000]
)
def test_no_more_is_measured_at_once_than_a_piece_may_hold(text: str) -> None:
    """A tokenizer lets nobody else go on while it counts: megabytes in one line stop a server."""
    measured: list[int] = []

    def measure(part: str) -> int:
        measured.append(len(part))
        return estimate_tokens(part)

    extract = read_plain(text)
    pieces = pieces_of(extract, measure)

    assert max(measured) <= MOST_CHARS
    assert sum(measured) < 3 * len(text)
    kept = "".join(extract.text[piece.start : piece.end] for piece in pieces)
    assert "".join(kept.split()) == "".join(text.split())
    assert all(piece.end - piece.start <= MOST_CHARS for piece in pieces)
