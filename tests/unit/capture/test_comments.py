"""Comments of code are read without their marks."""

from __future__ import annotations

import pytest

from commonplace.capture.comments import uncommented

TOLD = "Do not sort here:\nthe caller holds the lock."


@pytest.mark.parametrize(
    "marked",
    [
        "// Do not sort here:\n// the caller holds the lock.",
        "  /// Do not sort here:\n  /// the caller holds the lock.",
        "/* Do not sort here:\n   the caller holds the lock. */",
        "/*\n * Do not sort here:\n * the caller holds the lock.\n */",
        "/** Do not sort here:\n  * the caller holds the lock. */",
        "# Do not sort here:\n# the caller holds the lock.",
        "-- Do not sort here:\n-- the caller holds the lock.",
        "#!/bin/sh\n# Do not sort here:\n# the caller holds the lock.",
    ],
)
def test_the_marks_of_a_comment_go(marked: str) -> None:
    assert [line.strip() for line in uncommented(marked).splitlines()] == TOLD.splitlines()


def test_a_comment_stands_apart_from_its_code() -> None:
    assert uncommented("// Sort late.\nsort(rows);\n") == "Sort late.\n\nsort(rows);\n"


@pytest.mark.parametrize(
    "text",
    [
        "# A heading\nand its text",
        "## Two\n## headings",
        "* an item\n* another",
        "--- a/src/a.py\n-- \n--flag",
        "See https://example.com/a//b for more.",
        "//registry.example.com/ is the address",
        "Fixes #12\n#13 is another",
        "```js\n// code\nrun();\n```",
        "no mark at all",
        "",
    ],
)
def test_other_text_stays_as_it_is(text: str) -> None:
    assert uncommented(text) == text
