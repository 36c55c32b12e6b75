"""The page of goals says what the results say, and whether that is enough."""

from __future__ import annotations

import pytest

from benchmarks.goals import Goal, goals, page

DOCUMENTS = {
    "mcp": {
        "tables": [
            {
                "title": "A call",
                "columns": ["ms", "ratio p50"],
                "rows": [["sqlite, a", 1.5], ["sqlite, b", 2.5], ["postgres", None]],
            }
        ]
    }
}


def goal(row: str, least: float | None = None, most: float | None = None) -> Goal:
    return Goal("area", "goal", least, most, "mcp", "A call", row, "ratio p50")


def test_the_worst_of_several_rows_counts() -> None:
    assert goal("sqlite*", most=2.0).reached(DOCUMENTS) == 2.5
    assert goal("sqlite*", least=2.0).reached(DOCUMENTS) == 1.5
    assert not goal("sqlite*", most=2.0).met(2.5)
    assert goal("sqlite*", most=2.5).met(2.5)
    assert goal("sqlite*", least=1.5).met(1.5)


def test_a_cell_without_a_value_is_not_measured() -> None:
    assert goal("postgres", most=2.0).reached(DOCUMENTS) is None


@pytest.mark.parametrize("one", goals(), ids=lambda one: f"{one.area}: {one.goal}")
def test_a_goal_names_what_measures_it_or_says_why_nothing_does(one: Goal) -> None:
    assert (one.least is None) != (one.most is None)
    assert bool(one.result) != bool(one.why)


def test_the_page_has_a_line_for_every_goal() -> None:
    told = page()
    assert [one.goal for one in goals() if f"| {one.goal} |" not in told] == []
