"""Every file that the six walks go through exists."""

from __future__ import annotations

import re

from tests.docs.pages import REPOSITORY

WALKS = REPOSITORY / "docs" / "explain" / "walks.md"
FILE = re.compile(r"\b[a-z_]+(?:/[a-z_]+)+\.py\b")


def test_the_walks_go_through_files_that_exist() -> None:
    named = set(FILE.findall(WALKS.read_text(encoding="utf-8")))
    places = (REPOSITORY, REPOSITORY / "src" / "commonplace")
    missing = [file for file in sorted(named) if not any((at / file).exists() for at in places)]
    assert len(named) >= 30
    assert missing == []
