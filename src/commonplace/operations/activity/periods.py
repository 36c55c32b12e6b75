"""Groups calls into equal intervals, and questions that found nothing by their wording. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from commonplace.model.activity import AskedQuestion, CallCount, Outcome
from commonplace.operations.activity.durations import quantile

_OK = "ok"
_HOUR = timedelta(hours=1)


class Period(StrEnum):
    DAY = "day"
    WEEK = "week"
    MONTH = "month"

    @property
    def length(self) -> timedelta:
        return {"day": _HOUR * 24, "week": timedelta(days=7), "month": timedelta(days=30)}[self]

    @property
    def stretch(self) -> timedelta:
        """The interval that one bar of a chart covers."""
        return {"day": _HOUR, "week": _HOUR * 6, "month": timedelta(days=1)}[self]


@dataclass(frozen=True, slots=True)
class Stretch:
    """The calls in one interval; durations in milliseconds, None without calls."""

    start: datetime
    calls: int
    failed: int
    median: float | None
    slow: float | None


@dataclass(frozen=True, slots=True)
class ToolUse:
    tool: str
    calls: int
    failed: int
    median: float | None
    slow: float | None


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question that found nothing, with how often and by whom it was asked."""

    question: str
    times: int
    agents: tuple[str, ...]
    last_at: datetime


@dataclass(frozen=True, slots=True)
class Activity:
    """The activity in a period. `open` has the questions that found nothing, most frequent
    first."""

    period: Period
    stretches: tuple[Stretch, ...]
    tools: tuple[ToolUse, ...]
    median: float | None
    slow: float | None
    outcomes: dict[Outcome, int]
    open: tuple[OpenQuestion, ...]

    @property
    def calls(self) -> int:
        return sum(one.calls for one in self.stretches)

    @property
    def failed(self) -> int:
        return sum(one.failed for one in self.stretches)

    @property
    def questions(self) -> int:
        return sum(self.outcomes.values())

    @property
    def share_of_nothing(self) -> float | None:
        """The share of questions that found nothing; None if none were asked."""
        asked = self.questions
        return self.outcomes.get(Outcome.NOTHING, 0) / asked if asked else None


def begins(period: Period, now: datetime) -> datetime:
    """The start of the period that ends with the current interval."""
    day = now.replace(hour=0, minute=0, second=0, microsecond=0)
    passed = (now - day) // period.stretch + 1 if period is not Period.MONTH else 1
    return day + passed * period.stretch - period.length


def stretches(counts: Iterable[CallCount], period: Period, now: datetime) -> list[Stretch]:
    start = begins(period, now)
    sorted_in: list[list[CallCount]] = [[] for _ in range(period.length // period.stretch)]
    for one in counts:
        at = (one.hour - start) // period.stretch
        if 0 <= at < len(sorted_in):
            sorted_in[at].append(one)
    return [
        Stretch(start + number * period.stretch, *_figures(some))
        for number, some in enumerate(sorted_in)
    ]


def by_tool(counts: Sequence[CallCount]) -> list[ToolUse]:
    """The use of each tool, most called first."""
    tools = sorted({one.tool for one in counts})
    used = [ToolUse(tool, *_figures([c for c in counts if c.tool == tool])) for tool in tools]
    return sorted(used, key=lambda one: (-one.calls, one.tool))


def durations(counts: Sequence[CallCount]) -> tuple[float | None, float | None]:
    """The median duration, and the 95th percentile."""
    return _figures(counts)[2:]


def _figures(counts: Sequence[CallCount]) -> tuple[int, int, float | None, float | None]:
    steps: Counter[int] = Counter()
    for one in counts:
        steps[one.step] += one.count
    calls = sum(one.count for one in counts)
    failed = sum(one.count for one in counts if one.status != _OK)
    return calls, failed, quantile(steps, 0.5), quantile(steps, 0.95)


def open_questions(asked: Iterable[AskedQuestion], limit: int) -> list[OpenQuestion]:
    """Group questions, ignoring case and white space; most frequent first, then newest."""
    alike: dict[str, list[AskedQuestion]] = {}
    for one in asked:
        alike.setdefault(" ".join(one.question.casefold().split()).rstrip("?!. "), []).append(one)
    found = [
        OpenQuestion(
            max(some, key=lambda one: one.at).question,
            len(some),
            tuple(sorted({one.agent for one in some})),
            max(one.at for one in some),
        )
        for some in alike.values()
    ]
    found.sort(key=lambda one: (one.times, one.last_at), reverse=True)
    return found[:limit]
