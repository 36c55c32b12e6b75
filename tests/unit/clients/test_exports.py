"""Conversations exported as text are read turn by turn."""

from __future__ import annotations

import pytest

from commonplace.clients.transcripts import turns_of

TURNS = [
    "User: why is it slow?\nand since when?",
    "Assistant: One query for each row.\n\nI joined them.",
    "User: thanks",
]
TERMINAL = """ Welcome back!

> why is it slow?
> and since when?

⏺ Bash(grep -rn query src)
  ⎿  src/a.py:12: query(row)
     and more

⏺ One query for each row.

  I joined them.

> thanks
"""
HEADINGS = """# A slow page
_Exported from Cursor_

---

**User**

why is it slow?
and since when?

---

**Cursor**

One query for each row.

I joined them.

---

**User**

thanks
"""
AIDER = """
# aider chat started at 2026-05-01 10:00:00

> Aider v0.80

#### why is it slow?
#### and since when?

One query for each row.

I joined them.

> Tokens: 2k sent

#### thanks
"""


def plainly(turns: list[str]) -> list[str]:
    return ["\n".join(line.strip() for line in turn.splitlines()) for turn in turns]


@pytest.mark.parametrize("exported", [TERMINAL, HEADINGS, HEADINGS.replace("**", "## ", 1)])
def test_the_turns_are_found_and_what_programs_said_is_not(exported: str) -> None:
    assert plainly(turns_of(exported)) == TURNS


def test_the_history_of_aider_is_read() -> None:
    assert plainly(turns_of(AIDER))[-3:] == TURNS


@pytest.mark.parametrize(
    "text",
    [
        "> a quotation\n\n● an item\n● another",
        "## User\n\nThe table of users.\n\n## Role\n\nThe table of roles.",
        "#### A heading\n\n> a quotation\n\nand text",
        "⏺ recorded\nnobody asked",
    ],
)
def test_other_text_is_one_turn(text: str) -> None:
    assert turns_of(text) == [text]
