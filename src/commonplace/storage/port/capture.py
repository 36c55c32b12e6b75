"""The ports for feedback on detections and for the review queue."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from commonplace.model.capture import (
    Feedback,
    FeedbackTally,
    RecordedFeedback,
    Review,
    ReviewDraft,
    ReviewStatus,
)


class FeedbackRecord(Protocol):
    """Feedback that people and agents gave on detections."""

    def add(self, feedback: Feedback) -> RecordedFeedback: ...

    def tally(self, *, teaching: bool = False) -> FeedbackTally:
        """Counts of all feedback, or only of feedback that still affects detection."""
        ...

    def by_factor(self) -> dict[str, FeedbackTally]:
        """Counts of the feedback that still affects detection, by factor."""
        ...

    def recent(self, limit: int) -> list[RecordedFeedback]: ...

    def withdraw(self, subject: str, said_by: str) -> bool:
        """Withdraw an agent's latest feedback on a subject; False if there is none."""
        ...

    def unlearn(self) -> int:
        """Stop all feedback so far from affecting detection; returns how much that was."""
        ...


class Reviews(Protocol):
    """Detected moments that wait for a decision."""

    def add(self, draft: ReviewDraft) -> Review | None:
        """Queue a moment; None if one with the same fingerprint was ever queued."""
        ...

    def get(self, id: str) -> Review | None: ...

    def like(self, fingerprint: str) -> Review | None: ...

    def page(self, status: ReviewStatus, limit: int, offset: int) -> list[Review]:
        """Reviews with a status, newest first."""
        ...

    def count(self, status: ReviewStatus) -> int: ...

    def settle(
        self,
        review: Review,
        status: ReviewStatus,
        entry_id: str | None,
        *,
        forgotten: bool = False,
    ) -> Review | None:
        """Decide a waiting review, or reject a confirmed one; None if neither applies.

        The text of a rejected review is no longer shown; `forgotten` also erases it.
        """
        ...

    def reopen(self, review: Review) -> Review | None:
        """Return a decided review to the queue; None if its text was erased."""
        ...

    def forget_rejected(self, before: datetime, limit: int) -> int:
        """Erase the texts of reviews rejected before a time; returns how many."""
        ...
