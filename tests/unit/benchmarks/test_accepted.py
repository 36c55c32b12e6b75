"""Judged questions completed by what else was accepted as an answer."""

from __future__ import annotations

from benchmarks.recall.accepted import completed
from benchmarks.recall.asking import Given
from benchmarks.recall.plan import Asked, Sort


def test_further_answers_are_added_to_the_first() -> None:
    asked = Asked("What is the benefit of strict mode?", Sort.ANSWERABLE, "react", frozenset({"a"}))
    found = Given((frozenset({"js-66"}), frozenset({"a"})), 0)
    assert found.rank(asked) == 2
    assert found.rank(completed(asked)) == 1


def test_other_questions_stay_as_they_are() -> None:
    asked = Asked("What is strict mode?", Sort.ANSWERABLE, "react", frozenset({"a"}))
    assert completed(asked) == asked
