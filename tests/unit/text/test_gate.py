"""The text gate: what passes verbatim, what changes form, what is refused and how."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.errors import InvalidArgument
from commonplace.text.gate import clean


@pytest.mark.parametrize(
    "text",
    [
        "",
        "'; DROP TABLE notes; --",
        'line\r\nbreak\tand "quotes" \\ %s $1',
        "emoji 👩‍💻👍🏽 日本語 العربية",
        "\x1b[31mcolour\x1b[0m \x0c\x07\x7f",
        "zero\u200bwidth \u202eoverride",
    ],
)
def test_normal_text_passes_verbatim(text: str) -> None:
    assert clean(text, field="body", max_chars=1000) == text


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=50))
def test_text_becomes_normal_form_c(text: str) -> None:
    assert clean(text, field="body", max_chars=1000) == unicodedata.normalize("NFC", text)


@given(st.text("q\u0301\u0323\u0e31\u0344\U0001d165\U000110ba\U0001f600", max_size=60))
def test_floods_of_marks_become_normal_form_c_too(text: str) -> None:
    assert clean(text, field="body", max_chars=1000) == unicodedata.normalize("NFC", text)


def test_a_huge_flood_of_marks_is_normalised() -> None:
    flood = clean("q" + "\u0301\u0323" * 200_000, field="body", max_chars=1_000_000)
    assert flood == "q" + "\u0323" * 200_000 + "\u0301" * 200_000


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a\0b", "NUL character at position 1"),
        ("ab\ud800c", "half of a surrogate pair at position 2"),
        ("x" * 201, "201 characters; at most 200 are allowed"),
    ],
)
def test_refusals_name_the_field_and_the_reason(text: str, reason: str) -> None:
    with pytest.raises(InvalidArgument) as refusal:
        clean(text, field="title", max_chars=200)
    assert refusal.value.field == "title"
    assert refusal.value.message.startswith("title has ")
    assert reason in refusal.value.message


def test_the_limit_counts_characters_of_the_stored_form() -> None:
    assert clean("é" * 200, field="title", max_chars=200) == "é" * 200
    assert clean("e\u0301" * 200, field="title", max_chars=200) == "é" * 200
    assert len(clean("👍" * 200, field="title", max_chars=200)) == 200
