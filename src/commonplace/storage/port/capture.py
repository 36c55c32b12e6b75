"""How entries are used, what was said of detections, and what waits for a decision."""

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
    """What people and agents said of detections."""

    def add(self, feedback: Feedback) -> RecordedFeedback: ...

    def tally(self, *, teaching: bool = False) -> FeedbackTally:
        """Counts of everything that was said, or of what still teaches."""
        ...

    def by_factor(self) -> dict[str, FeedbackTally]:
        """Counts of what still teaches, for each factor that was named."""
        ...

    def recent(self, limit: int) -> list[RecordedFeedback]: ...

    def withdraw(self, subject: str, said_by: str) -> bool:
        """Take back what an agent said last of a subject; False where it said nothing."""
        ...

    def unlearn(self) -> int:
        """Let nothing that was said so far teach any more; how much that was."""
        ...


class Reviews(Protocol):
    """Detected moments that wait for a decision."""

    def add(self, draft: ReviewDraft) -> Review | None:
        """None when a moment with the same fingerprint was put up before."""
        ...

    def get(self, id: str) -> Review | None: ...

    def like(self, fingerprint: str) -> Review | None: ...

    def page(self, status: ReviewStatus, limit: int, offset: int) -> list[Review]:
        """Newest first."""
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
        """Decide on a moment that waits, or reject a confirmed one; else None.

        The text of a rejected one is shown to nobody any more; `forgotten` erases it, too.
        """
        ...

    def reopen(self, review: Review) -> Review | None:
        """Let a decided moment wait again, with its text; None where that was forgotten."""
        ...

    def forget_rejected(self, before: datetime, limit: int) -> int:
        """Erase the texts of what was rejected before a time; how many."""
        ...
