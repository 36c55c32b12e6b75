"""Texts in pieces: nothing is lost, cuts fall between lines, and what is asked for is found."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.errors import NotFound
from commonplace.memory.pieces import Selection, TextPiece, excerpt, pieces_of_body, selected
from commonplace.model.references import Portion
from commonplace.text.context_tokens import estimate_context_tokens

BODY = "Opening.\n\n# One\nfirst\n## Inner\nsecond\n```\n# no heading\n```\n# Two\nthird"
lines = st.lists(st.text(alphabet="ab #é1`-", max_size=30), min_size=1, max_size=30)


def test_a_body_is_cut_at_its_headings_outside_of_code() -> None:
    pieces = pieces_of_body(BODY)
    assert [piece.headings for piece in pieces] == [(), ("One",), ("One", "Inner"), ("Two",)]
    assert [piece.first_line for piece in pieces] == [1, 3, 5, 10]
    assert "# no heading" in pieces[2].text


@given(lines)
def test_nothing_of_a_body_is_lost(text: list[str]) -> None:
    body = "\n".join(text)
    pieces = pieces_of_body(body)
    assert "\n".join(piece.text for piece in pieces) == body
    assert [p.last_line for p in pieces[:-1]] == [(p.first_line or 0) - 1 for p in pieces[1:]]


def read_on(pieces: list[TextPiece], budget: int) -> tuple[list[str], bool]:
    """All lines that one gets by asking for the rest until there is none; whether any was cut."""
    seen: list[str] = []
    chosen, clipped = pieces, False
    for _ in range(sum(piece.text.count("\n") + 1 for piece in pieces)):
        shown = excerpt(chosen, budget)
        assert estimate_context_tokens(shown.text) <= budget
        seen += shown.text.split("\n")
        clipped |= shown.clipped
        if shown.rest is None:
            return seen, clipped
        ahead = Selection(shown.rest)
        if shown.rest.passage is None:
            chosen = selected(pieces, ahead)
        else:
            chosen = [piece for piece in pieces if piece.ordinal >= shown.rest.passage]
    raise AssertionError("it never ends")


@given(st.lists(lines, min_size=1, max_size=4), st.integers(20, 200), st.booleans())
def test_reading_on_gives_every_line_once(
    texts: list[list[str]], budget: int, numbered: bool
) -> None:
    pieces, number = [], 1
    for ordinal, text in enumerate(texts):
        pieces.append(TextPiece(ordinal, "\n".join(text), number if numbered else None))
        number += len(text)
    seen, clipped = read_on(pieces, budget)
    every = [line for text in texts for line in text]
    if not clipped:
        assert seen == every
    elif numbered:
        assert len(seen) == len(every)
        assert all(
            a == b or b.startswith(a.removesuffix(" …")) for a, b in zip(seen, every, strict=True)
        )


def test_a_line_that_is_too_long_is_clipped_and_said_to_go_on() -> None:
    shown = excerpt([TextPiece(0, "word " * 500 + "\nend", 1)], 50)
    assert shown.text.endswith("…")
    assert estimate_context_tokens(shown.text) <= 50
    assert (shown.rest, shown.clipped) == (Portion(2, 2), True)


@pytest.mark.parametrize("first_line", [1, None])
def test_what_is_too_long_and_last_has_no_rest_to_ask_for(first_line: int | None) -> None:
    shown = excerpt([TextPiece(0, "1`a1`1`1`1111`a1`1", first_line)], 20)
    assert (shown.rest, shown.clipped) == (None, True)
    assert estimate_context_tokens(shown.text) <= 20


@pytest.mark.parametrize(
    ("wanted", "texts"),
    [
        (Selection(section="inner"), ["## Inner"]),
        (Selection(section="One"), ["# One", "## Inner"]),
        (Selection(section="inn"), ["## Inner"]),
        (Selection(Portion(passage=3)), ["# Two"]),
        (Selection(Portion(passage=3), around=1), ["## Inner", "# Two"]),
        (Selection(Portion(4, 5)), ["first", "## Inner"]),
        (Selection(), ["Opening.", "# One", "## Inner", "# Two"]),
    ],
)
def test_what_is_asked_for_is_selected(wanted: Selection, texts: list[str]) -> None:
    assert [p.text.split("\n")[0] for p in selected(pieces_of_body(BODY), wanted)] == texts


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        (Selection(section="Three"), "One, Inner, Two"),
        (Selection(Portion(page=2)), "no pages"),
        (Selection(Portion(passage=9)), "c0 to c3"),
        (Selection(Portion(50, 60)), "lines 1 to 11"),
    ],
)
def test_what_is_not_there_is_refused_with_what_is(wanted: Selection, told: str) -> None:
    with pytest.raises(NotFound, match=told):
        selected(pieces_of_body(BODY), wanted)


def test_pages_and_headings_are_marked_where_the_text_does_not_say_them() -> None:
    pieces = [
        TextPiece(0, "On lamps.", page=1, headings=("Lamps",)),
        TextPiece(1, "More of them.", page=1, headings=("Lamps",)),
        TextPiece(2, "# Oil\nOn oil.", page=2, headings=("Oil",)),
    ]
    told = excerpt(pieces, 500).text
    assert told == "[page 1, Lamps]\nOn lamps.\nMore of them.\n[page 2]\n# Oil\nOn oil."
    assert excerpt(pieces, 11).rest == Portion(passage=1)
