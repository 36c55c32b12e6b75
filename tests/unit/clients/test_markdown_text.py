"""Our section in a file of instructions: put, replaced and dropped, and nothing else touched."""

from __future__ import annotations

import pytest

from commonplace.clients.markdown_text import BEGIN, END, MarkdownUnreadable, drop, put


@pytest.mark.parametrize("text", ["", "# Rules\n", "# Rules\r\n\r\nBe kind.\r\n"])
def test_what_was_put_can_be_dropped_and_replaced(text: str) -> None:
    held = put(text, "Ask the memory.")
    assert drop(held).rstrip() == text.rstrip()
    assert put(held, "Ask the memory.") == held
    assert put(held, "Ask it.").count(BEGIN) == 1
    assert "Ask the memory." not in put(held, "Ask it.")


@pytest.mark.parametrize(
    "text", [BEGIN, END, f"{BEGIN}{BEGIN}{END}", f"{END} mine {BEGIN}", f"{BEGIN}{END}{END}"]
)
def test_marks_that_form_no_pair_are_left_alone(text: str) -> None:
    with pytest.raises(MarkdownUnreadable):
        put(text, "Ask.")
    with pytest.raises(MarkdownUnreadable):
        drop(text)
