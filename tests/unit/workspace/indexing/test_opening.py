"""The comment that says what a file is for is found, and no other."""

from __future__ import annotations

import pytest

from commonplace.workspace.indexing.drafts import text_drafts
from commonplace.workspace.indexing.opening import opening_of

LICENCE = "/*\n * Copyright of somebody, under the terms of a licence.\n */\n"
ABOUT = "/** Keeps the books of a shop in order. */"


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        ("java", f"{LICENCE}package p;\n\n{ABOUT}\nclass Ledger {{}}\n", ABOUT),
        ("ts", f"// eslint-disable no-console at all here\n\n{ABOUT}\nlet x;\n", ABOUT),
        ("go", "// Package p keeps the books.\n// All of them.\npackage p\n",
         "// Package p keeps the books.\n// All of them."),
        ("python", '#!/usr/bin/env python\n"""Keeps the books in order."""\nimport os\n',
         '"""Keeps the books in order."""'),
        ("ruby", "# Keeps the books in order.\nclass Ledger\nend\n",
         "# Keeps the books in order."),
    ],
)  # fmt: skip
def test_the_first_comment_about_the_code_is_the_opening(
    language: str, text: str, said: str
) -> None:
    opening = opening_of(text, language)
    assert opening
    assert text[opening.start : opening.end] == said
    lines = text.splitlines()[opening.first_line - 1 : opening.last_line]
    assert "\n".join(lines) == said


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("java", f"{LICENCE}class Ledger {{}}\n"),
        ("c", "#include <stdio.h>\n#include <books/of/the/shop.h>\nint x;\n"),
        ("python", 'TEXT = """\nnothing that is said of the file\n"""\n'),
        ("python", "#!/usr/bin/env python with some words\nimport os\n"),
        ("ts", "class Ledger {\n  /** Only of this one method here. */\n  settle() {}\n}\n"),
        ("ts", "// too short\nlet x;\n"),
        ("ts", ""),
    ],
)
def test_others_are_not(language: str, text: str) -> None:
    assert opening_of(text, language) is None


def test_a_long_one_ends_with_a_line() -> None:
    text = "/*\n" + " * Keeps the books of a shop in order.\n" * 100 + " */\nint x;\n"
    opening = opening_of(text, "c")
    assert opening
    assert text[opening.end] == "\n"
    assert opening.end - opening.start <= 1_200


def test_it_is_a_chunk_beside_the_others() -> None:
    source = f"{LICENCE}package p;\n\n{ABOUT}\nclass Ledger {{ int sum; }}\n"
    *_, opening = text_drafts("Ledger.java", source.encode())
    assert (opening.text, opening.context, opening.symbol) == (ABOUT, "Ledger.java", None)
    assert (opening.position.line_start, opening.position.line_end) == (6, 6)


def test_what_is_a_chunk_anyway_is_not_told_twice() -> None:
    (only,) = text_drafts("p/__init__.py", b'"""Keeps the books of a shop in order."""\n')
    assert only.text == '"""Keeps the books of a shop in order."""'


def test_a_comment_and_much_code_are_looked_through_once() -> None:
    """A pattern that tries every way to divide them would not come to an end."""
    text = "# first\n" + "\n# more\nx = 1\n" * 500
    assert opening_of(text, "python") is None
