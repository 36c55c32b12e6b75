"""What agents asked, what they were given, and how their calls went."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Outcome(StrEnum):
    """How a question ended. Only `recall` judges whether hits answer; a search just finds some."""

    ANSWERED = "answered"
    RELATED = "related"
    FOUND = "found"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class GivenOut:
    """What a call handed out, by references; `question` is None where none was asked.

    `counted` says that the entries were counted as handed out already.
    """

    question: str | None
    references: tuple[str, ...] = ()
    outcome: Outcome = Outcome.FOUND
    counted: bool = False


def unjudged(question: str, references: tuple[str, ...], *, counted: bool = False) -> GivenOut:
    """What a search found that does not judge its hits."""
    outcome = Outcome.FOUND if references else Outcome.NOTHING
    return GivenOut(question, references, outcome, counted)


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
    """One question as it is kept; the key says which came first."""

    key: int


@dataclass(frozen=True, slots=True)
class CallCount:
    """So many calls of a tool in an hour ended so and took about so long (`step`)."""

    hour: datetime
    tool: str
    status: str
    step: int
    count: int
