"""Passages: nothing lost, sizes kept, good places to cut, hostile shapes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.text.count import estimate_tokens
from commonplace.text.split import Passage, split_passages

SENTENCE = "The quick brown fox jumps over the lazy dog near the old river bank. "
MARKDOWN_TEXT = st.lists(
    st.sampled_from(
        ["# Head\n", "## 頭\n", "\n", "\n\n", "```\n", "~~~~ py\n", "    code()\n", "word ",
         "Ende. ", "漢字。", "long" * 9, " ", "\t", "\r\n", "é\u0301", "👩‍💻", "\x1f", "A1-b_c "]
    ),
    max_size=60,
).map("".join)  # fmt: skip


def check_coverage(text: str, passages: list[Passage]) -> None:
    position = 0
    for passage in passages:
        assert passage.text == text[passage.start : passage.end]
        assert passage.text.strip()
        assert not text[position : passage.start].strip()
        assert passage.start >= position
        position = passage.end
    assert not text[position:].strip()


@given(MARKDOWN_TEXT | st.text(max_size=200), st.integers(1, 60))
def test_passages_cover_the_text_and_keep_the_limit(text: str, max_tokens: int) -> None:
    passages = split_passages(text, max_tokens=max_tokens)
    check_coverage(text, passages)
    for passage in passages:
        assert estimate_tokens(passage.text) <= max_tokens or len(passage.text) == 1


@given(MARKDOWN_TEXT)
def test_a_text_that_fits_is_one_passage(text: str) -> None:
    assert len(split_passages(text, max_tokens=10_000)) == (1 if text.strip() else 0)


@pytest.mark.parametrize(
    ("text", "max_tokens"),
    [
        (SENTENCE * 200, 100),
        ((SENTENCE * 3 + "\n\n") * 60, 120),
        ("x" * 100_000, 500),
        ("word " * 20_000, 500),
        ("知识服务器保存代理学到的内容" * 3_000, 500),
        ("知识服务器保存代理学到的内容。" * 3_000, 500),
        ("한국어" * 10_000, 500),
    ],
    ids=["one paragraph", "paragraphs", "one word", "words", "unspaced", "sentences", "hangul"],
)
def test_long_texts_give_well_filled_passages(text: str, max_tokens: int) -> None:
    passages = split_passages(text, max_tokens=max_tokens)
    check_coverage(text, passages)
    sizes = [estimate_tokens(passage.text) for passage in passages]
    assert max(sizes) <= max_tokens
    assert min(sizes) >= max_tokens // 4
    assert sum(sizes) / len(sizes) >= max_tokens * 0.6


def test_cuts_fall_before_headings_where_they_can() -> None:
    section = "## Title\n\n" + SENTENCE * 4
    passages = split_passages((section + "\n\n") * 10, max_tokens=100)
    assert all(passage.text.startswith("## Title") for passage in passages)


def test_a_heading_is_not_left_behind_at_the_end() -> None:
    text = SENTENCE * 4 + "\n\n## Title\n\n" + SENTENCE * 4
    assert not any(p.text.endswith("## Title") for p in split_passages(text, max_tokens=100))


def test_cuts_fall_after_sentences() -> None:
    passages = split_passages(SENTENCE * 40, max_tokens=60)
    assert all(passage.text.endswith("bank.") for passage in passages)


def test_fenced_code_stays_whole_and_hides_what_looks_like_headings() -> None:
    code = "```sh\n# not a heading\n\nmake all\n\n\n# nor this\nmake test\n```"
    text = f"{SENTENCE * 3}\n\n{code}\n\n{SENTENCE * 3}"
    passages = split_passages(text, max_tokens=70)
    assert len(passages) > 1
    assert any(code in passage.text for passage in passages)


def test_code_that_is_too_long_is_cut_between_lines_and_keeps_its_indentation() -> None:
    code = "```py\n" + "    value = compute(first, second)\n" * 40 + "```\n"
    passages = split_passages(code, max_tokens=60)
    assert all(passage.text.startswith("    value") for passage in passages[1:])


def test_a_fence_that_is_never_closed_runs_to_the_end() -> None:
    text = "intro\n\n```\n" + "# line\n\n" * 50
    check_coverage(text, split_passages(text, max_tokens=20))


def test_a_short_tail_is_shared_out() -> None:
    text = "\n\n".join([SENTENCE * 5, SENTENCE * 5, "The end."])
    passages = split_passages(text, max_tokens=estimate_tokens(SENTENCE * 5))
    assert all(len(passage.text) > 60 for passage in passages)


@pytest.mark.parametrize(
    "text",
    [
        "\n".join("`" * count for count in range(700, 2, -1)),
        "#\n# \n```\n" * 5_000,
        "a\n" + " " * 200_000 + "\n" + " " * 200_000 + "b",
        " \n" * 100_000 + "x",
        "a" + "\u0301" * 50_000,
    ],
    ids=["fences", "marks", "wide gaps", "blank lines", "combining"],
)
def test_hostile_shapes_are_split_without_loss(text: str) -> None:
    check_coverage(text, split_passages(text, max_tokens=200))


def test_a_limit_below_one_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        split_passages("text", max_tokens=0)
