"""Turn a person's judgement of a moment or an item into feedback."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from commonplace.capture.report import Action
from commonplace.model.capture import Feedback, FeedbackVerdict


@dataclass(frozen=True, slots=True)
class _Counted:
    """The recorded form of a judgement: verdict, confidence and factors."""

    verdict: FeedbackVerdict
    confidence: float
    factors: tuple[str, ...]


_COUNTED = {
    Action.CONFIRM: _Counted(FeedbackVerdict.CONFIRM, 0.9, ("auto-capture", "user-confirmed")),
    Action.REJECT: _Counted(FeedbackVerdict.REJECT, 0.5, ("auto-capture",)),
    Action.MODIFY: _Counted(FeedbackVerdict.CONFIRM, 0.8, ("auto-capture", "user-modified")),
}


def feedback_of(
    subject: str, action: Action, detected_by: Sequence[str], comment: str | None
) -> Feedback:
    counted = _COUNTED[action]
    factors = (*counted.factors, *detected_by)
    return Feedback(subject, counted.verdict, counted.confidence, factors, comment or None)
