"""What the explanation promises: each row of its table, and tokens a real FTS5 leaves alone."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from commonplace.text.analyse import analyse, exact_words, trigrams

DOCUMENT = Path(__file__).parents[3] / "docs" / "explain" / "text-analysis.md"
ROWS = [
    tuple(re.findall(r"`([^`]+)`", cell) for cell in line.strip("|").split("|"))
    for line in DOCUMENT.read_text(encoding="utf-8").splitlines()
    if line.startswith("| `")
]


def test_the_table_is_there() -> None:
    assert len(ROWS) >= 10


@pytest.mark.parametrize(("text", "terms", "words"), ROWS)
def test_the_table_is_true(text: list[str], terms: list[str], words: list[str]) -> None:
    assert analyse(text[0]) == terms
    assert exact_words(text[0]) == words


def test_fts5_indexes_tokens_verbatim() -> None:
    text = DOCUMENT.read_text(encoding="utf-8") + "İ ẞ Ǆ ΐ ａＢ '\"*^ \x01\x7f\u2028\xa0"
    tokens = {*analyse(text), *exact_words(text), *trigrams(text)}
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE VIRTUAL TABLE found USING fts5(tokens, tokenize = 'ascii')")
        database.execute("CREATE VIRTUAL TABLE vocabulary USING fts5vocab(found, 'row')")
        database.execute("INSERT INTO found VALUES (?)", (" ".join(tokens),))
        indexed = {term for (term,) in database.execute("SELECT term FROM vocabulary")}
    assert indexed == tokens
