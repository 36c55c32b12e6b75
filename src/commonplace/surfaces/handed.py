"""What an answer of `recall` handed out, for whoever keeps account of it."""

from __future__ import annotations

from commonplace.model.activity import GivenOut, Outcome
from commonplace.recall.values import Recalled, RecallHit, Verdict

_OUTCOMES = {
    Verdict.ANSWERS: Outcome.ANSWERED,
    Verdict.RELATED: Outcome.RELATED,
    Verdict.NOTHING: Outcome.NOTHING,
}


def judged(answer: Recalled, hits: tuple[RecallHit, ...]) -> GivenOut:
    """The question, how it ended, and the hits that were really shown."""
    references = tuple(hit.reference for hit in hits)
    return GivenOut(answer.question, references, _OUTCOMES[answer.verdict])
