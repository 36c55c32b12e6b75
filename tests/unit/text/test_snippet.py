"""Snippets: how long, centred on what, and where the ellipses stand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.text.snippet import ELLIPSIS, snippet

FILLER = "lorem ipsum dolor sit amet " * 40


def shown(text: str) -> str:
    return text.removeprefix(ELLIPSIS).removesuffix(ELLIPSIS)


@pytest.mark.parametrize("length", [0, 1, 239, 240])
def test_a_short_body_is_returned_whole(length: int) -> None:
    assert snippet("x" * length, "anything") == "x" * length


def test_a_match_far_inside_lies_in_the_middle_with_ellipses_on_both_sides() -> None:
    found = snippet(FILLER + "NEEDLE" + FILLER + "needle" + FILLER, "needle")
    assert found.startswith(ELLIPSIS)
    assert found.endswith(ELLIPSIS)
    assert len(shown(found)) == 240
    assert shown(found).index("NEEDLE") == 117
    assert "needle" not in found


def test_the_whole_query_counts_before_an_earlier_single_word() -> None:
    body = f"{FILLER}red {FILLER}Red Kite{FILLER}"
    assert "Red Kite" in snippet(body, "red kite")


def test_else_the_first_word_of_the_query_that_is_found() -> None:
    body = f"{FILLER}kite{FILLER}red{FILLER}"
    found = snippet(body, "green red kite")
    assert "red" in found
    assert "kite" not in found


def test_a_whole_word_counts_before_a_part_of_a_longer_one() -> None:
    body = f"{FILLER}redder{FILLER}(red){FILLER}"
    assert "(red)" in snippet(body, "red xylophone")
    assert "redder" in snippet(body, "redde xylophone")


def test_without_any_match_the_body_starts_the_snippet() -> None:
    assert snippet(FILLER, "xylophone") == FILLER[:240] + ELLIPSIS
    assert snippet(FILLER, " ?! ") == FILLER[:240] + ELLIPSIS
    assert snippet(FILLER, "") == FILLER[:240] + ELLIPSIS


def test_a_match_near_an_edge_is_contained() -> None:
    assert snippet("ab needle " + FILLER, "needle") == ("ab needle " + FILLER)[:240] + ELLIPSIS
    assert snippet(FILLER + "needle", "needle") == ELLIPSIS + (FILLER + "needle")[-240:]


@pytest.mark.parametrize("expanding", ["ß", "İ", "ﬃ", "ΐ"])
def test_letters_that_grow_when_folded_do_not_shift_the_place(expanding: str) -> None:
    found = snippet(expanding * 1000 + "Needle" + expanding * 1000, "nEEDLE")
    assert shown(found).index("Needle") == 117


def test_a_letter_that_grows_can_be_the_match_itself() -> None:
    assert "Straße" in snippet(FILLER + "Straße" + FILLER, "STRASSE")


def test_a_query_longer_than_the_width_shows_its_beginning() -> None:
    long = "needle " * 60
    assert shown(snippet(FILLER + long + FILLER, long)).startswith("needle ")


@given(st.text(max_size=300), st.text(max_size=10), st.integers(1, 60))
def test_a_snippet_is_a_stretch_of_the_body_with_honest_ellipses(
    body: str, query: str, width: int
) -> None:
    found = snippet(body, query, width)
    if len(body) <= width:
        assert found == body
        return
    candidates = {
        (ELLIPSIS if start else "")
        + body[start : start + width]
        + (ELLIPSIS if start + width < len(body) else "")
        for start in range(len(body) - width + 1)
    }
    assert found in candidates


@given(
    st.text("ab ßİ", max_size=60),
    st.text("xyİ", min_size=1, max_size=5),
    st.text("ab ßİ", max_size=60),
)
def test_a_contained_query_is_shown(before: str, query: str, after: str) -> None:
    body = before + query + after
    assert query.casefold() in snippet(body, query, 12).casefold()
