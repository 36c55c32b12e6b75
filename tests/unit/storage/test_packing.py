"""Packed tokens: what goes in comes out, in little room, whatever the text is."""

from __future__ import annotations

import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.storage.sqlite.packing import Packing
from commonplace.text.analyse import exact_words, title_grams

TEXT = "The replication band was also not stained, suggesting that the guanine is resolved. " * 8


def kinds_of(tokens: bytes, text: str) -> list[str]:
    """By another connection than the one that packed them."""
    packing = Packing()
    return [packing.unpacked(tokens, text, number) for number in range(3)]


SCOPES = st.lists(st.from_regex(r"[otk]x[0-9a-f]*", fullmatch=True))


@given(text=st.text(), title=st.text(), scope=SCOPES)
def test_what_is_packed_comes_out_again(text: str, title: str, scope: list[str]) -> None:
    kinds = [" ".join(exact_words(text)), " ".join(title_grams(title)), " ".join(scope)]
    words, grams, scopes = kinds
    assert kinds_of(Packing().packed(words, grams, scopes, text), text) == kinds


def test_one_connection_tells_passages_apart() -> None:
    packing = Packing()
    first = packing.packed("one", "", "ox61", "One.")
    second = packing.packed("two", "", "ox62", "Two.")
    assert packing.unpacked(first, "One.", 0) == "one"
    assert packing.unpacked(second, "Two.", 2) == "ox62"


def test_words_that_the_text_has_take_little_room() -> None:
    words, grams = " ".join(exact_words(TEXT)), " ".join(title_grams(TEXT[:80]))
    assert len(Packing().packed(words, grams, "ox61 kx62", TEXT)) < (len(words) + len(grams)) / 5


def test_another_text_does_not_pass_for_the_one_it_was_packed_with() -> None:
    tokens = Packing().packed("replication band", "", "ox61", TEXT)
    with pytest.raises(zlib.error):
        kinds_of(tokens, "Another text.")
