"""Records what an answer of `recall` showed, for the activity log."""

from __future__ import annotations

from commonplace.model.activity import GivenOut, Outcome
from commonplace.recall.values import Recalled, RecallHit, Verdict

_OUTCOMES = {
    Verdict.ANSWERS: Outcome.ANSWERED,
    Verdict.RELATED: Outcome.RELATED,
    Verdict.NOTHING: Outcome.NOTHING,
}


def given_out_by_recall(answer: Recalled, hits: tuple[RecallHit, ...]) -> GivenOut:
    """The question, its outcome, and the references of the hits that were shown."""
    references = tuple(hit.reference for hit in hits)
    return GivenOut(answer.question, references, _OUTCOMES[answer.verdict])
