"""What the explanation promises: the rows of its tables of patterns and of scores."""

from __future__ import annotations

from pathlib import Path

import pytest

from commonplace.analysis.confidence import assess
from commonplace.analysis.lexicon import patterns
from commonplace.analysis.patterns import find_patterns

DOCUMENT = Path(__file__).parents[3] / "docs" / "explain" / "detection.md"
ROWS = [
    [cell.strip().strip("`") for cell in line.strip("|").split("|")]
    for line in DOCUMENT.read_text(encoding="utf-8").splitlines()
    if line.startswith("| `")
]
PATTERN_ROWS = [row for row in ROWS if len(row) == 4]
SCORE_ROWS = [row for row in ROWS if len(row) == 6]


def test_the_table_of_patterns_is_whole() -> None:
    told = [(id, float(confidence), suggests) for id, confidence, suggests, _ in PATTERN_ROWS]
    assert told == [(each.id, each.confidence, each.suggests) for each in patterns()]


@pytest.mark.parametrize("row", PATTERN_ROWS)
def test_the_examples_of_patterns_match(row: list[str]) -> None:
    id, _, _, example = row
    assert [match.pattern for match in find_patterns(example)] == [id]


def test_the_table_of_scores_is_there() -> None:
    assert len(SCORE_ROWS) == 4


@pytest.mark.parametrize("row", SCORE_ROWS)
def test_the_table_of_scores_is_true(row: list[str]) -> None:
    text, *told = row
    found = assess(text)
    values = (found.pattern, found.sentiment, found.text_length, found.structure, found.score)
    assert list(values) == [float(cell) for cell in told]
