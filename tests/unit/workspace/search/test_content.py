"""How much of the found texts is carried along."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from commonplace.text.context_tokens import estimate_context_tokens
from commonplace.workspace.search.content import Content, ContentLimits, clipped, contents

LONG = "alpha beta gamma delta " * 50


def test_without_limits_everything_is_carried() -> None:
    assert contents([LONG, "short"], ContentLimits()) == [Content(LONG), Content("short")]


def test_a_text_is_cut_between_words() -> None:
    cut = clipped(LONG, 20)
    assert cut.cut
    assert LONG.startswith(cut.text)
    assert cut.text.split()[-1] in {"alpha", "beta", "gamma", "delta"}
    assert 15 <= estimate_context_tokens(cut.text) <= 20


def test_the_budget_goes_to_the_best_first() -> None:
    first, second, third = contents([LONG, LONG, LONG], ContentLimits(budget=60, per_hit=40))
    assert 35 <= estimate_context_tokens(first.text) <= 40
    assert 10 <= estimate_context_tokens(second.text) <= 60 - estimate_context_tokens(first.text)
    assert all(content.cut for content in (first, second, third))
    assert estimate_context_tokens(third.text) <= 5


@given(st.text(), st.integers(0, 50))
def test_no_cut_is_too_long(text: str, most: int) -> None:
    content = clipped(text, most)
    assert text.startswith(content.text)
    assert estimate_context_tokens(content.text) <= most
    assert content.cut is (content.text != text)
