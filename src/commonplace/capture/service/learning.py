"""Score texts with the org's weights, and adapt these to feedback."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from commonplace.analysis.confidence import DEFAULT_WEIGHTS, Assessment, Weights
from commonplace.analysis.learning import FactorEvidence, MovedThreshold, adapted, moved_threshold
from commonplace.analysis.likelihood import Likelihood
from commonplace.capture.service.analysing import AnalysisService
from commonplace.model.actor import Actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.capture import (
    Feedback,
    FeedbackTally,
    RecordedFeedback,
)
from commonplace.storage.port import Store


@dataclass(frozen=True, slots=True)
class Learned:
    """The current weights, the defaults, and the feedback that changed them."""

    weights: Weights
    defaults: Weights
    teaching: FeedbackTally
    factors: tuple[FactorEvidence, ...]

    def moved(self, threshold: float) -> MovedThreshold | None:
        """The moved threshold, if reviews have moved it."""
        return moved_threshold(threshold, self.factors)


class LearningService:
    """Scores texts, and learns from feedback on the scores."""

    def __init__(self, store: Store, analysis: AnalysisService) -> None:
        self._store = store
        self._analysis = analysis

    def assess(
        self,
        actor: Actor,
        text: str,
        preset: str | None,
        weights: Weights | None = None,
        call: Call = PLAIN_CALL,
    ) -> tuple[Assessment, Likelihood]:
        """Scores a text by the org's own weights, unless others are given; and how likely it is a
        moment, whatever the weights."""
        used = weights or self.learned(actor).weights
        assessment = self._analysis.assess(actor, text, preset, used, call)
        return assessment, self._analysis.likelihood(actor, text, call)

    def learned(self, actor: Actor) -> Learned:
        with self._store.read(actor) as tx:
            teaching = tx.feedback.tally(teaching=True)
            factors = factors_of(tx.feedback.by_factor())
        weights = adapted(DEFAULT_WEIGHTS, factors, teaching.total)
        return Learned(weights, DEFAULT_WEIGHTS, teaching, factors)

    def unlearn(self, actor: Actor) -> int:
        """Reset the weights to the defaults; the feedback stays on record."""
        with self._store.write(actor) as tx:
            return tx.feedback.unlearn()

    def record(
        self, actor: Actor, feedback: Feedback, *, call: Call = PLAIN_CALL
    ) -> tuple[RecordedFeedback, FeedbackTally]:
        with self._store.write(actor) as tx:
            said = tx.feedback.add(feedback)
            tally = tx.feedback.tally()
            call.check()
        return said, tally


def factors_of(said: Mapping[str, FeedbackTally]) -> tuple[FactorEvidence, ...]:
    return tuple(FactorEvidence(name, one.confirmed, one.rejected) for name, one in said.items())
