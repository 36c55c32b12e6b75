"""What capturing stores besides entries: access counts, feedback, and the review queue."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any


class FeedbackVerdict(StrEnum):
    CONFIRM = "confirm"
    REJECT = "reject"


class ReviewStatus(StrEnum):
    WAITING = "waiting"
    CONFIRMED = "confirmed"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Access:
    """How often an entry was handed out, and when."""

    count: int = 0
    first_at: datetime | None = None
    last_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Feedback:
    """One agent's judgement of a detection; `subject` is the id of the detection or of an entry."""

    subject: str
    verdict: FeedbackVerdict
    confidence: float
    factors: tuple[str, ...] = ()
    comment: str | None = None


@dataclass(frozen=True, slots=True)
class RecordedFeedback:
    feedback: Feedback
    agent: str
    at: datetime


@dataclass(frozen=True, slots=True)
class FeedbackTally:
    """Counts of feedback: of an org, or of one factor in it."""

    confirmed: int = 0
    rejected: int = 0

    @property
    def total(self) -> int:
        return self.confirmed + self.rejected

    @property
    def confirmation_rate(self) -> float:
        return self.confirmed / self.total if self.total else 0.0


@dataclass(frozen=True, slots=True)
class ReviewDraft:
    """A detected moment that somebody should review before it becomes an entry.

    Equal texts have equal fingerprints, so that nothing is queued for review twice.
    """

    id: str
    fingerprint: str
    moment: Mapping[str, Any]
    confidence: float
    level: str
    reason: str


@dataclass(frozen=True, slots=True)
class Review:
    """A moment in the review queue. The text of a rejected one is no longer shown to anybody."""

    key: int
    id: str
    fingerprint: str
    agent: str
    moment: Mapping[str, Any]
    confidence: float
    level: str
    reason: str
    status: ReviewStatus
    created_at: datetime
    decided_at: datetime | None = None
    decided_by: str | None = None
    entry_id: str | None = None
