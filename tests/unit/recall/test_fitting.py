"""How many hits are worth showing, and how much of the text of each."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from commonplace.recall.evidence import Evidence
from commonplace.recall.fitting import HitPassage, enough, fitted
from commonplace.recall.values import FoundAt, Recalled, RecalledKind, RecallHit, Verdict
from commonplace.text.context_tokens import estimate_context_tokens

NOW = datetime(2026, 3, 1, tzinfo=UTC)
LONG = "\n".join(f"Line {number} of a long file says something else." for number in range(200))


@pytest.mark.parametrize(
    ("probabilities", "shown"),
    [
        ([0.97, 0.5, 0.4, 0.3], 3),  # the answer is among the first ones
        ([0.3, 0.2, 0.1, 0.1, 0.05], 5),  # it may be further down
        ([0.07, 0.01, 0.001, 0.001, 0.0], 2),  # what is hopeless is not shown
        ([0.72, 0.004], 1),
        ([0.0, 0.0], 1),
        ([], 0),
    ],
)
def test_hits_are_shown_until_the_answer_is_among_them(
    probabilities: list[float], shown: int
) -> None:
    assert enough(probabilities) == shown


def passage(probability: float, text: str = LONG) -> HitPassage:
    hit = RecallHit(
        reference="note:1a2b3c4d5e",
        kind=RecalledKind.NOTE,
        title="A title",
        place=FoundAt(),
        changed_at=NOW,
        author="alice",
        probability=probability,
        parts=(),
        excerpt="",
        whole=True,
        evidence=Evidence(),
    )
    return HitPassage(hit, text)


def sizes(*probabilities: float, budget: int = 1_500) -> list[int]:
    """The tokens of each hit's excerpt."""
    answer = Recalled("?", Verdict.ANSWERS, probabilities[0], (), 0, 0, NOW)
    done = fitted(answer, [passage(one) for one in probabilities], {}, budget)
    assert done.tokens <= budget
    return [estimate_context_tokens(hit.excerpt) for hit in done.hits]


def test_a_hit_far_less_likely_than_the_first_gets_few_lines() -> None:
    first, second, third, fourth, last = sizes(0.8, 0.7, 0.16, 0.04, 0.01)
    assert first > 250
    assert second > 250
    assert 120 < third < 155
    assert 40 < fourth < 70
    assert last == 0, "its title has to do"


def test_equally_unlikely_hits_share_the_budget() -> None:
    assert min(sizes(0.1, 0.1, 0.1)) > 250


def test_a_short_text_is_whole_although_unlikely() -> None:
    answer = Recalled("?", Verdict.ANSWERS, 0.9, (), 0, 0, NOW)
    short = "Carts are kept in Redis for 45 minutes and emptied by a job then."
    done = fitted(answer, [passage(0.9), passage(0.05, short)], {}, 1_500)
    assert done.hits[1].excerpt == short
    assert done.hits[1].whole


def test_the_smallest_budget_shows_some_text() -> None:
    (only,) = sizes(0.9, budget=100)
    assert only > 15
