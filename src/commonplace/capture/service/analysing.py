"""What is found in a text: here where it is short, in a process apart where it is long."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from commonplace.analysis.confidence import PRESETS, Assessment, Weights, assess
from commonplace.analysis.detection import Detection, detect
from commonplace.analysis.sentiment import Sentiment
from commonplace.capture.apart import SHORT_ENOUGH, answer_of, question_of
from commonplace.capture.finding import DEFAULT_PRESET, CaptureRequest, FoundInText, find, tone
from commonplace.model.actor import Actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.reading.port import TextsApart

Result = TypeVar("Result")


class AnalysisService:
    """Looks at texts of callers, and holds up nobody else with long ones."""

    def __init__(self, texts: TextsApart) -> None:
        self._texts = texts

    def find(
        self, actor: Actor, request: CaptureRequest, weights: Weights, call: Call = PLAIN_CALL
    ) -> FoundInText:
        """The moments of a text without its secrets, those that come near enough."""
        given = {"sought": request.sought(weights)}
        return self._made_of(actor, request.text, FoundInText, find, given, call)

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
