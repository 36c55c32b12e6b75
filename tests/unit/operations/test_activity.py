"""Durations on a scale, calls in stretches of time, and questions put together."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from commonplace.console.plots import bars, curves
from commonplace.model.activity import AskedQuestion, CallCount, Outcome
from commonplace.operations.activity.durations import LAST_STEP, milliseconds_of, quantile, step_of
from commonplace.operations.activity.periods import (
    Period,
    begins,
    by_tool,
    open_questions,
    stretches,
)

NOW = datetime(2031, 5, 14, 15, 20, tzinfo=UTC)


@pytest.mark.parametrize("seconds", [0, 0.0004, 0.001, 0.0042, 0.1, 1.0, 59.0, 900.0])
def test_a_step_is_never_shorter_and_hardly_longer_than_what_it_stands_for(seconds: float) -> None:
    told = milliseconds_of(step_of(seconds))
    assert max(1.0, seconds * 1000) <= told <= max(1.0, seconds * 1000 * 1.42)


def test_the_longest_durations_share_the_last_step() -> None:
    assert step_of(10**9) == LAST_STEP


def test_quantiles_come_from_counts() -> None:
    counts = {step_of(0.01): 94, step_of(1.0): 6}
    assert quantile(counts, 0.5) == milliseconds_of(step_of(0.01))
    assert quantile(counts, 0.95) == milliseconds_of(step_of(1.0))
    assert quantile({}, 0.5) is None


@pytest.mark.parametrize("period", list(Period))
def test_the_last_stretch_holds_this_moment(period: Period) -> None:
    start = begins(period, NOW)
    last = start + period.length - period.stretch
    assert last <= NOW < last + period.stretch
    hour = NOW.replace(minute=0)
    counts = [
        CallCount(hour, "recall", "ok", 4, 3),
        CallCount(hour, "open", "not_found", 8, 1),
        CallCount(start, "open", "ok", 4, 5),
        CallCount(start - timedelta(hours=1), "open", "ok", 4, 9),
    ]
    found = stretches(counts, period, NOW)
    assert len(found) == period.length // period.stretch
    assert (found[-1].calls, found[-1].failed) == (4, 1)
    assert (found[0].calls, found[0].median) == (5, milliseconds_of(4))
    assert found[1].slow is None
    assert [(one.tool, one.calls) for one in by_tool(counts)] == [("open", 15), ("recall", 3)]


def test_plots_stay_inside_their_frame() -> None:
    for counts in ([0, 0], [1, 0], [3, 17], [999, 1001]):
        plot = bars(counts, [0, 0], ["a", "b"], ["", ""])
        assert all(0 <= bar.y <= plot.floor >= bar.height for bar in plot.bars)
        assert len({label.y for label in plot.upwards}) == len(plot.upwards)
    plot = curves(
        [("median", [None, 3.0, None, 40.0]), ("slow", [None, 900.0, None, None])], "abcd"
    )
    assert all(0 <= y <= plot.floor for curve in plot.curves for _, y in curve.dots)
    assert plot.curves[0].path.count("M") == 2, "a line breaks where nothing was measured"
    assert curves([("median", [None])], "a").curves == ()


def test_questions_are_alike_whatever_their_case_and_marks() -> None:
    def asked(text: str, agent: str, minute: int) -> AskedQuestion:
        at = NOW.replace(minute=minute)
        return AskedQuestion(agent, "c", at, "recall", text, Outcome.NOTHING, (), key=minute)

    found = open_questions(
        [asked("Why?", "b", 1), asked("who  paints", "b", 2), asked("Who paints?", "a", 3)], 5
    )
    assert [(one.question, one.times, one.agents) for one in found] == [
        ("Who paints?", 2, ("a", "b")),
        ("Why?", 1, ("b",)),
    ]
