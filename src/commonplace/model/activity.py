"""What agents asked, what they were given, and how their calls ended."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Outcome(StrEnum):
    """How a question was answered. Only `recall` judges its hits; other searches just find some."""

    ANSWERED = "answered"
    RELATED = "related"
    FOUND = "found"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Delivery:
    """What a call returned to the caller, by references; `question` is None if it was no search.

    `counted` is set if the accesses to these entries have already been counted.
    """

    question: str | None
    references: tuple[str, ...] = ()
    outcome: Outcome = Outcome.FOUND
    counted: bool = False


def search_delivery(
    question: str, references: tuple[str, ...], *, counted: bool = False
) -> Delivery:
    """A delivery of a search that does not judge its hits."""
    outcome = Outcome.FOUND if references else Outcome.NOTHING
    return Delivery(question, references, outcome, counted)


@dataclass(frozen=True, slots=True)
class QuestionDraft:
    agent: str
    client: str
    at: datetime
    tool: str
    question: str
    outcome: Outcome
    given: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AskedQuestion(QuestionDraft):
    """A recorded question; keys increase with time."""

    key: int


@dataclass(frozen=True, slots=True)
class CallCount:
    """How many calls of a tool ended with a status in one hour; `step` is the duration bucket."""

    hour: datetime
    tool: str
    status: str
    step: int
    count: int
