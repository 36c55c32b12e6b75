"""Texts made to be slow: the whole analysis comes back, within the limit that any test has."""

from __future__ import annotations

import pytest

from commonplace.analysis.confidence import assess

SIZE = 200_000
REPEATED = [
    "a", "1", "!", ".", "…", "。", ")", " ", "\n", "'", "’", "_", "é", "\u0301", ". ", "!)", "1.\n",
    "e.g. ", "etc. ", "the ", "no ", "a ", "kind ", "wasted a ", "wasted\n", "error ", "n't ",
    "not solved ", "finally ", "solved ", "good ", "not ", "1.1", "1 ", "x'", "do not ", "Etc.(",
]  # fmt: skip


@pytest.mark.parametrize("part", REPEATED)
def test_one_part_over_and_over_is_scored(part: str) -> None:
    assert 0 <= assess(part * (SIZE // len(part)) + "x").score <= 1


@pytest.mark.parametrize("start", ["finally", "10", "wasted a", "no", "kind", "End."])
def test_blanks_without_end(start: str) -> None:
    assert 0 <= assess(start + " " * SIZE + "x").score <= 1


def test_a_million_characters() -> None:
    text = "The error was odd. Then it works now! " * 26_000 + "A breakthrough!"
    assessment = assess(text)
    assert assessment.detection.suggested_type == "win"
    assert assessment.detection.sentiment.has_problem_to_solution
