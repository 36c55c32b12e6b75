"""Analyse texts: short ones here, long ones in a child process."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from commonplace.analysis.confidence import DEFAULT_WEIGHTS, PRESETS, Assessment, Weights, assess
from commonplace.analysis.detection import Detection, detect
from commonplace.analysis.likelihood import Likelihood
from commonplace.analysis.sentiment import Sentiment
from commonplace.capture.finding import (
    DEFAULT_PRESET,
    Drafted,
    FoundInText,
    Sought,
    decide,
    draft,
    likeliest,
    tone,
)
from commonplace.capture.moments import Vector
from commonplace.capture.offloading import SHORT_ENOUGH, answer_of, question_of
from commonplace.capture.secrets import Masked, mask_secrets
from commonplace.capture.written import WrittenTexts, written
from commonplace.embedding.port import Embedder
from commonplace.model.actor import Actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.reading.port import TextProcess

Result = TypeVar("Result")
_TOGETHER = 16


class AnalysisService:
    """Analyses callers' texts; a long one delays nobody else."""

    def __init__(self, texts: TextProcess, embedder: Embedder, *, mask_written: bool) -> None:
        """`embedder` is the bundled model: the probability was trained on its vectors."""
        self._texts = texts
        self._embedder = embedder
        self._mask_written = mask_written

    def written(self, actor: Actor, texts: Sequence[str], call: Call = PLAIN_CALL) -> WrittenTexts:
        """The texts to store of those that an agent writes down, and warnings of secrets."""
        masked = [self._made_of(actor, text, Masked, mask_secrets, {}, call) for text in texts]
        return written(texts, masked, mask=self._mask_written)

    def find(self, actor: Actor, text: str, sought: Sought, call: Call = PLAIN_CALL) -> FoundInText:
        """The moments that come near the threshold, in a text without its secrets."""
        drafted = self._drafted(actor, text, sought.weights, call)
        return decide(drafted, self._vectors(drafted.spoken(), call), sought, call.check)

    def likelihood(self, actor: Actor, text: str, call: Call = PLAIN_CALL) -> Likelihood:
        """The probability that a text holds a moment, and its most likely type."""
        drafted = self._drafted(actor, text, DEFAULT_WEIGHTS, call)
        return likeliest(drafted, self._vectors(drafted.spoken(), call))

    def assess(
        self,
        actor: Actor,
        text: str,
        preset: str | None,
        weights: Weights,
        call: Call = PLAIN_CALL,
    ) -> Assessment:
        given = {"weights": weights, "thresholds": PRESETS[preset or DEFAULT_PRESET]}
        return self._made_of(actor, text, Assessment, assess, given, call)

    def detect(
        self, actor: Actor, text: str, *, require_both: bool, call: Call = PLAIN_CALL
    ) -> Detection:
        given = {"require_both": require_both}
        return self._made_of(actor, text, Detection, detect, given, call)

    def sentiment(
        self,
        actor: Actor,
        text: str,
        *,
        detect_shifts: bool,
        min_delta: float,
        call: Call = PLAIN_CALL,
    ) -> Sentiment:
        given = {"detect_shifts": detect_shifts, "min_delta": min_delta}
        return self._made_of(actor, text, Sentiment, tone, given, call)

    def _drafted(self, actor: Actor, text: str, weights: Weights, call: Call) -> Drafted:
        return self._made_of(actor, text, Drafted, draft, {"weights": weights}, call)

    def _vectors(self, sentences: Sequence[str], call: Call) -> list[Vector]:
        """The first window of each sentence; the call may end between batches."""
        found: list[Vector] = []
        for start in range(0, len(sentences), _TOGETHER):
            call.check()
            some = self._embedder.embed_passages(sentences[start : start + _TOGETHER])
            found += [windows[0].tolist() for windows in some]
        return found

    def _made_of(
        self,
        actor: Actor,
        text: str,
        kind: type[Result],
        work: Callable[..., Result],
        given: Mapping[str, Any],
        call: Call,
    ) -> Result:
        if len(text) <= SHORT_ENOUGH:
            return work(text, **given)
        question = question_of(work.__name__, given)
        return answer_of(kind, self._texts.ask(actor, question, text, call))
