"""Which lines of a passage are shown."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as some

from commonplace.recall.excerpt import ELLIPSIS, excerpt
from commonplace.text.context_tokens import estimate_context_tokens

WEIGHTS = {"socket": 3.0, "pool": 2.0, "limit": 1.0}
FILLER = "Nothing of this is of any use to whoever asks."


def test_a_short_text_is_shown_whole() -> None:
    found = excerpt("one\ntwo", WEIGHTS, 50)
    assert (found.text, found.first, found.last, found.whole) == ("one\ntwo", 0, 1, True)


def test_the_best_lines_are_shown_wherever_they_stand() -> None:
    lines = [*[FILLER] * 30, "The pool has a limit.", "It is 17 sockets.", *[FILLER] * 30]
    found = excerpt("\n".join(lines), WEIGHTS, 40)
    assert "The pool has a limit.\nIt is 17 sockets." in found.text
    assert found.first <= 30
    assert found.last >= 31
    assert found.text.startswith(ELLIPSIS)
    assert found.text.endswith(ELLIPSIS)


def test_a_paragraph_is_taken_apart_by_sentences() -> None:
    text = f"{FILLER} " * 20 + "A worker has 17 sockets. " + f"{FILLER} " * 20
    found = excerpt(text, WEIGHTS, 40)
    assert "A worker has 17 sockets." in found.text


def test_rare_words_win_over_many_common_ones() -> None:
    lines = ["limit limit limit limit", *[FILLER] * 30, "socket", *[FILLER] * 30]
    assert "socket" in excerpt("\n".join(lines), WEIGHTS, 20).text


def test_without_any_of_the_words_the_beginning_is_shown() -> None:
    text = "\n".join(f"Line {number}." for number in range(200))
    assert excerpt(text, WEIGHTS, 30).text.startswith("Line 0.")


@given(some.text(max_size=3000), some.integers(5, 200))
def test_no_text_costs_more_than_it_may(text: str, most: int) -> None:
    found = excerpt(text, WEIGHTS, most)
    assert estimate_context_tokens(found.text) <= most + 4, "an ellipsis at each end"
