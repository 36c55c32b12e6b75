"""Sentences: the cases of the fixture file, and that nothing but blanks is lost."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.analysis.sentences import is_closed, sentences

CASES: dict[str, list[str]] = tomllib.loads(
    (Path(__file__).parent / "fixtures" / "sentences.toml").read_text(encoding="utf-8")
)["cases"]
TANGLED = st.text(st.sampled_from("aB1 .!?…。\n)\"'*e.g"), max_size=60)


@pytest.mark.parametrize(("text", "expected"), CASES.items())
def test_cases(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@pytest.mark.parametrize(
    ("sentence", "closed"),
    [("Done.", True), ("Done", False), ('"Done!")', True), ("Well...", True), ("", False)],
)
def test_a_closed_sentence_has_its_mark(sentence: str, closed: bool) -> None:
    assert is_closed(sentence) is closed


@given(TANGLED | st.text(st.characters(), max_size=60))
def test_every_word_is_kept_in_order(text: str) -> None:
    parts = sentences(text)
    assert re.findall(r"\w", "".join(parts)) == re.findall(r"\w", text)
    assert all(part == part.strip() and part for part in parts)


@given(TANGLED)
def test_a_text_of_several_sentences_has_words_in_each(text: str) -> None:
    parts = sentences(text)
    assert len(parts) < 2 or all(re.search(r"\w", part) for part in parts)
