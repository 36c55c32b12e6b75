"""Ratios are told apart from times, and only those that both results have are compared."""

from __future__ import annotations

from benchmarks.compare import Change, ratios_in

RESULT = {
    "tables": [
        {
            "title": "A whole search",
            "columns": ["ms", "p50", "ratio p50", "ratio of CPU time"],
            "rows": [["sqlite", 12.5, 2.5, 2.0], ["postgres", 20.0, 4.0, None]],
        }
    ]
}


def test_a_ratio_is_a_number_in_a_column_that_says_so() -> None:
    assert ratios_in(RESULT) == {
        ("A whole search", "sqlite", "ratio p50"): 2.5,
        ("A whole search", "sqlite", "ratio of CPU time"): 2.0,
        ("A whole search", "postgres", "ratio p50"): 4.0,
    }


def test_a_change_is_told_as_how_many_times_worse_it_is() -> None:
    assert Change("latency", "sqlite", "ratio p50", 2.0, 2.5).times == 1.25
