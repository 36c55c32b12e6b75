"""Nothing is lost between parts, none is too large, and symbols stay whole where they can."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.model.chunk import SymbolMark
from commonplace.workspace.indexing.cutting import MOST_TOKENS, CutSymbol, Part, parts_of


def body(words: int, indent: str = "    ") -> str:
    """Statements of about two tokens a word."""
    return "".join(f"{indent}call_number({n})\n" for n in range(words))


def function(name: str, statements: int) -> str:
    return f"def {name}():\n{body(statements)}\n"


def marks(parts: list[Part]) -> list[str | None]:
    return [part.symbol.path if part.symbol else None for part in parts]


def symbol(text: str, name: str, kind: str = "function", after: str = "\n\n") -> CutSymbol:
    start = text.index(f"{name}(") if f"{name}(" in text else text.index(name)
    end = text.index(after, start) if after in text[start:] else len(text)
    return CutSymbol(kind, name, text[:start].count("\n"), text[:end].count("\n"))


def test_each_function_is_a_part_with_its_lines() -> None:
    text = function("first", 12) + function("second", 12)
    parts = parts_of(text, [symbol(text, "first"), symbol(text, "second")])

    assert marks(parts) == ["first", "second"]
    assert [(part.first_line, part.last_line) for part in parts] == [(1, 13), (15, 27)]
    assert text[parts[1].start :].startswith("def second")


def test_a_comment_belongs_to_what_follows_it() -> None:
    text = f"import os\n{body(12, '')}\n# Why it is there.\n{function('only', 12)}"
    parts = parts_of(text, [symbol(text, "only")])

    assert marks(parts) == [None, "only"]
    assert text[parts[1].start : parts[1].end].startswith("# Why it is there.")


def test_a_large_function_is_several_parts_with_its_name() -> None:
    text = function("huge", 200)
    parts = parts_of(text, [CutSymbol("function", "huge", 0, 200)])

    assert len(parts) > 2
    assert set(marks(parts)) == {"huge"}
    assert all(part.tokens <= MOST_TOKENS for part in parts)


def test_a_small_class_is_one_part_and_a_large_one_is_its_methods() -> None:
    for statements, expected in ((3, {"Box"}), (60, {"Box.first", "Box.second"})):
        methods = "".join(
            f"    def {name}(self):\n{body(statements, ' ' * 8)}\n" for name in ("first", "second")
        )
        text = f"class Box:\n{methods}"
        size = statements + 2
        symbols = [
            CutSymbol("class", "Box", 0, 2 * size),
            CutSymbol("method", "Box.first", 1, size - 1),
            CutSymbol("method", "Box.second", size + 1, 2 * size - 1),
        ]
        assert {mark for mark in marks(parts_of(text, symbols)) if mark} == expected


def test_tiny_neighbours_are_one_part() -> None:
    text = "const a = 1\nconst b = 2\nconst c = 3\n"
    symbols = [CutSymbol("constant", name, n, n) for n, name in enumerate("abc")]

    parts = parts_of(text, symbols)

    assert len(parts) == 1
    assert parts[0].symbol == SymbolMark("constant", "a")


def test_a_value_inside_a_function_does_not_cut_it() -> None:
    text = function("outer", 80)
    inner = [CutSymbol("constant", "outer.x", n, n + 9) for n in range(5, 70, 10)]
    assert set(marks(parts_of(text, [CutSymbol("function", "outer", 0, 80), *inner]))) == {"outer"}


def test_other_text_is_cut_where_a_paragraph_ends() -> None:
    text = "\n".join("one two three four five\n" * 6 for _ in range(30))
    parts = parts_of(text)

    assert len(parts) > 1
    assert all(not text[part.end : part.end + 2].strip() for part in parts)


@pytest.mark.parametrize("text", ["", "\n\n", "   \n\t\n"])
def test_white_space_is_no_part(text: str) -> None:
    assert parts_of(text) == []


def test_a_line_that_no_person_wrote_is_cut_too() -> None:
    parts = parts_of("x = [" + "1234, " * 20_000 + "]\n")
    assert max(part.end - part.start for part in parts) < 10_000
    assert {(part.first_line, part.last_line) for part in parts} == {(1, 1)}


LINES = st.lists(st.sampled_from(["", "a = b(c)", "  deep.er(1)", "}", "word " * 60]), max_size=80)


@given(lines=LINES, data=st.data())
def test_whatever_the_symbols_are_nothing_is_lost_or_twice(
    lines: list[str], data: st.DataObject
) -> None:
    text = "\n".join(lines)
    number = st.integers(0, max(len(lines) - 1, 0))
    ranges = data.draw(st.lists(st.tuples(number, number), max_size=8))
    kinds = st.sampled_from(["function", "class", "constant"])
    symbols = [
        CutSymbol(data.draw(kinds), f"s{n}", min(pair), max(pair)) for n, pair in enumerate(ranges)
    ]

    parts = parts_of(text, symbols)

    at = 0
    for part in parts:
        assert not text[at : part.start].strip()
        assert part.start < part.end
        assert text[: part.start].count("\n") + 1 <= part.first_line
        at = part.end
    assert not text[at:].strip()


@pytest.mark.parametrize("line", ["&a=" * 2_000, "<p>" * 5_000, "a: " * 700])
def test_a_last_line_of_nothing_but_signs_is_cut(line: str) -> None:
    """It weighs more than a part may, and there is nothing behind it to look at."""
    parts = parts_of(f"first\n{line}x")
    assert "".join(line.split()) in "".join(
        "".join(f"first\n{line}x"[part.start : part.end].split()) for part in parts
    )
