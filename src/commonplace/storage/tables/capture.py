"""Feedback and the review queue, over named statements."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import datetime

from commonplace.model.capture import (
    Feedback,
    FeedbackTally,
    FeedbackVerdict,
    RecordedFeedback,
    Review,
    ReviewDraft,
    ReviewStatus,
)
from commonplace.model.change import Operation
from commonplace.model.times import from_micros, to_micros
from commonplace.storage.session import Codec, Row, Session
from commonplace.storage.tables.entries import record_change


class FeedbackTable:
    """Implements port.FeedbackRecord."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, feedback: Feedback) -> RecordedFeedback:
        session = self._session
        row = session.row(
            "insert_feedback",
            subject=feedback.subject,
            verdict=feedback.verdict.value,
            confidence=feedback.confidence,
            factors=session.codec.array(feedback.factors),
            comment=feedback.comment,
        )
        assert row is not None, "an insert returns its row"
        record_change(session, Operation.CREATE, "feedback", str(row["key"]), 1, None)
        return RecordedFeedback(feedback, session.actor.agent, from_micros(row["at"]))

    def tally(self, *, teaching: bool = False) -> FeedbackTally:
        rows = self._session.rows("tally_feedback")
        counted = [row for row in rows if row["teaches"] or not teaching]
        return _tally((row["verdict"], row["said"]) for row in counted)

    def by_factor(self) -> dict[str, FeedbackTally]:
        said: dict[str, list[tuple[str, int]]] = defaultdict(list)
        for row in self._session.rows("tally_factors"):
            said[row["factor"]].append((row["verdict"], row["said"]))
        return {factor: _tally(counts) for factor, counts in said.items()}

    def recent(self, limit: int) -> list[RecordedFeedback]:
        rows = self._session.rows("recent_feedback", limit=limit)
        return [_recorded(row, self._session.codec) for row in rows]

    def withdraw(self, subject: str, said_by: str) -> bool:
        session = self._session
        row = session.row("withdraw_feedback", subject=subject, said_by=said_by)
        if row is not None:
            record_change(session, Operation.DELETE, "feedback", str(row["key"]), 2, None)
        return row is not None

    def unlearn(self) -> int:
        unlearned = self._session.run("unlearn_feedback")
        if unlearned:
            record_change(self._session, Operation.EDIT, "feedback", "all", 1, None)
        return unlearned


class ReviewTable:
    """Implements port.Reviews."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, draft: ReviewDraft) -> Review | None:
        session = self._session
        row = session.row(
            "insert_review",
            id=draft.id,
            fingerprint=draft.fingerprint,
            moment=session.codec.document(draft.moment),
            confidence=draft.confidence,
            level=draft.level,
            reason=draft.reason,
        )
        if row is None:
            return None
        record_change(session, Operation.CREATE, "review", draft.id, 1, None)
        return self._review(row)

    def get(self, id: str) -> Review | None:
        row = self._session.row("get_review", id=id)
        return self._review(row) if row else None

    def like(self, fingerprint: str) -> Review | None:
        row = self._session.row("review_like", fingerprint=fingerprint)
        return self._review(row) if row else None

    def page(self, status: ReviewStatus, limit: int, offset: int) -> list[Review]:
        rows = self._session.rows(
            "page_of_reviews", status=status.value, limit=limit, offset=offset
        )
        return [self._review(row) for row in rows]

    def count(self, status: ReviewStatus) -> int:
        row = self._session.row("count_reviews", status=status.value)
        return row["reviews"] if row else 0

    def settle(
        self,
        review: Review,
        status: ReviewStatus,
        entry_id: str | None,
        *,
        forgotten: bool = False,
    ) -> Review | None:
        session = self._session
        row = session.row(
            "settle_review",
            key=review.key,
            status=status.value,
            decided_by=session.actor.agent,
            entry_id=entry_id,
            forgotten=forgotten,
        )
        return self._recorded(review, row)

    def reopen(self, review: Review) -> Review | None:
        row = self._session.row("reopen_review", key=review.key, status=review.status.value)
        return self._recorded(review, row)

    def forget_rejected(self, before: datetime, limit: int) -> int:
        return self._session.run("forget_rejected", before=to_micros(before), limit=limit)

    def _recorded(self, review: Review, row: Row | None) -> Review | None:
        if row is None:
            return None
        before = {"status": review.status.value}
        record_change(self._session, Operation.EDIT, "review", review.id, 2, before)
        return self._review(row)

    def _review(self, row: Row) -> Review:
        """The text of a rejected review stays stored for a while but is not shown."""
        status = ReviewStatus(row["status"])
        hidden = status is ReviewStatus.REJECTED
        return Review(
            key=row["key"],
            id=row["id"],
            fingerprint=row["fingerprint"],
            agent=row["agent"],
            moment={} if hidden else self._session.codec.read_document(row["moment"]),
            confidence=row["confidence"],
            level=row["level"],
            reason=row["reason"],
            status=status,
            created_at=from_micros(row["created_at"]),
            decided_at=from_micros(row["decided_at"]),
            decided_by=row["decided_by"],
            entry_id=row["entry_id"],
        )


def _tally(said: Iterable[tuple[str, int]]) -> FeedbackTally:
    counted: Counter[str] = Counter()
    for verdict, count in said:
        counted[verdict] += count
    return FeedbackTally(counted[FeedbackVerdict.CONFIRM], counted[FeedbackVerdict.REJECT])


def _recorded(row: Row, codec: Codec) -> RecordedFeedback:
    feedback = Feedback(
        subject=row["subject"],
        verdict=FeedbackVerdict(row["verdict"]),
        confidence=row["confidence"],
        factors=tuple(codec.read_array(row["factors"])),
        comment=row["comment"],
    )
    return RecordedFeedback(feedback, row["agent"], from_micros(row["at"]))
