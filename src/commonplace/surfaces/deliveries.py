"""Records what an answer of `recall` showed, for the activity log."""

from __future__ import annotations

from commonplace.model.activity import Delivery, Outcome
from commonplace.recall.values import Recalled, RecallHit, Verdict

_OUTCOMES = {
    Verdict.ANSWERS: Outcome.ANSWERED,
    Verdict.RELATED: Outcome.RELATED,
    Verdict.NOTHING: Outcome.NOTHING,
}


def recall_delivery(answer: Recalled, hits: tuple[RecallHit, ...]) -> Delivery:
    """The question, its outcome, and the references of the hits that were shown."""
    references = tuple(hit.reference for hit in hits)
    return Delivery(answer.question, references, _OUTCOMES[answer.verdict])
