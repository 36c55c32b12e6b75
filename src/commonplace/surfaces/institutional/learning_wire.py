"""The wire format of analysis, capture and feedback in the `institutional` dialect."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from commonplace.analysis.confidence import Assessment
from commonplace.analysis.detection import Detection
from commonplace.analysis.likelihood import Likelihood
from commonplace.analysis.sentiment import Sentiment
from commonplace.knowledge.rules import MAX_BODY
from commonplace.model.capture import FeedbackTally, RecordedFeedback
from commonplace.surfaces.answers import AnswerPart, iso
from commonplace.surfaces.arguments import NORMAL, OWN_LIMIT, WHOLE, Arguments
from commonplace.surfaces.institutional.arguments import Id, Share
from commonplace.surfaces.institutional.wire import Success

Preset = Literal["conservative", "moderate", "aggressive"]
Label = Literal["positive", "negative", "neutral"]
FactorName = Annotated[str, Field(max_length=200), OWN_LIMIT, NORMAL]
Analysed = Annotated[str, Field(min_length=1, max_length=MAX_BODY), OWN_LIMIT]


class DetectArguments(Arguments):
    text: Annotated[str, Field(min_length=10, max_length=MAX_BODY), OWN_LIMIT]
    require_both: bool = Field(False, description="pattern and turn of tone")


class SentimentArguments(Arguments):
    text: Analysed
    detect_shifts: bool = True
    min_delta: Annotated[float, Field(ge=0, le=2), OWN_LIMIT] = 0.3


class CustomWeights(Arguments):
    pattern: float = 0.35
    sentiment: float = 0.30
    text_length: float = Field(0.15, alias="textLength")
    structure: float = 0.20


class ConfidenceArguments(Arguments):
    text: Analysed
    preset: Preset | None = Field(None, description="default conservative")
    custom_weights: CustomWeights | None = None


class AutoCaptureArguments(Arguments):
    text: Annotated[str, Field(min_length=50, max_length=MAX_BODY), OWN_LIMIT, NORMAL]
    threshold: Share | None = Field(None, description="default 0.9, or the preset's")
    auto_save: bool = False
    notify: bool = True
    preset: Preset | None = None
    max_captures: Annotated[int, Field(ge=1, le=10), WHOLE] = 5


class ProvideFeedbackArguments(Arguments):
    item_id: Id
    action: Literal["confirm", "reject", "modify"]
    comment: Annotated[str, Field(max_length=10_000), OWN_LIMIT, NORMAL] | None = None


class RecordFeedbackArguments(Arguments):
    id: Id
    feedback: Literal["confirm", "reject"]
    confidence: Share
    factors: Annotated[list[FactorName], Field(max_length=64), OWN_LIMIT] | None = None


class MatchShown(AnswerPart):
    pattern: str
    confidence: float
    type: str


class ToneShown(AnswerPart):
    score: float
    label: Label
    shift_detected: bool


class DetectionShown(AnswerPart):
    detected: bool
    confidence: float
    pattern_matches: list[MatchShown]
    sentiment: ToneShown
    suggested_type: str


class OverallShown(AnswerPart):
    score: float
    label: Label
    positive_count: int
    negative_count: int


class SegmentShown(AnswerPart):
    text: str
    score: float
    label: Label


class ShiftShown(AnswerPart):
    before: str = Field(alias="from")
    after: str = Field(alias="to")
    delta: float
    at_index: int


class SentimentShown(AnswerPart):
    overall: OverallShown
    timeline: list[SegmentShown]
    shifts: list[ShiftShown]
    has_problem_to_solution: bool


class PatternFactor(AnswerPart):
    detected: bool
    confidence: float
    weight: float


class Factor(AnswerPart):
    score: float
    weight: float


class Factors(AnswerPart):
    pattern: PatternFactor
    sentiment: Factor
    text_length: Factor
    structure: Factor


class ThresholdsShown(AnswerPart):
    high: float
    medium: float
    low: float


class ConfidenceShown(AnswerPart):
    score: float
    probability: float
    level: Literal["high", "medium", "low"]
    factors: Factors
    thresholds: ThresholdsShown


class FeedbackShown(AnswerPart):
    id: str
    feedback: str
    confidence: float
    factors: list[str]
    timestamp: str


class Stats(AnswerPart):
    total: int
    confirmed: int
    rejected: int
    confirmation_rate: float


class Recorded(AnswerPart):
    recorded: Literal[True] = True
    feedback: FeedbackShown
    stats: Stats


class DetectAnswer(Success):
    data: DetectionShown


class SentimentAnswer(Success):
    data: SentimentShown


class ConfidenceAnswer(Success):
    data: ConfidenceShown


class RecordAnswer(Success):
    data: Recorded


def detection_shown(detection: Detection) -> DetectionShown:
    tone = detection.sentiment.overall
    return DetectionShown(
        detected=detection.detected,
        confidence=detection.confidence,
        pattern_matches=[
            MatchShown(pattern=match.pattern, confidence=match.confidence, type=match.suggests)
            for match in detection.matches
        ],
        sentiment=ToneShown.model_validate(
            {
                "score": tone.score,
                "label": tone.label,
                "shift_detected": bool(detection.sentiment.shifts),
            }
        ),
        suggested_type=detection.suggested_type,
    )


def sentiment_shown(sentiment: Sentiment) -> SentimentShown:
    overall = sentiment.overall
    return SentimentShown.model_validate(
        {
            "overall": {
                "score": overall.score,
                "label": overall.label,
                "positive_count": overall.positive_count,
                "negative_count": overall.negative_count,
            },
            "timeline": [
                {"text": segment.text, "score": segment.score, "label": segment.label}
                for segment in sentiment.timeline
            ],
            "shifts": [
                {
                    "from": shift.before,
                    "to": shift.after,
                    "delta": shift.delta,
                    "at_index": shift.at_index,
                }
                for shift in sentiment.shifts
            ],
            "has_problem_to_solution": sentiment.has_problem_to_solution,
        }
    )


def confidence_shown(assessment: Assessment, likely: Likelihood) -> ConfidenceShown:
    weights, thresholds = assessment.weights, assessment.thresholds
    return ConfidenceShown.model_validate(
        {
            "score": assessment.score,
            "probability": likely.probability,
            "level": assessment.level,
            "factors": Factors(
                pattern=PatternFactor(
                    detected=bool(assessment.detection.matches),
                    confidence=assessment.pattern,
                    weight=weights.pattern,
                ),
                sentiment=Factor(score=assessment.sentiment, weight=weights.sentiment),
                text_length=Factor(score=assessment.text_length, weight=weights.text_length),
                structure=Factor(score=assessment.structure, weight=weights.structure),
            ),
            "thresholds": ThresholdsShown(
                high=thresholds.high, medium=thresholds.medium, low=thresholds.low
            ),
        }
    )


def recorded(record: RecordedFeedback, tally: FeedbackTally) -> Recorded:
    feedback = record.feedback
    return Recorded(
        feedback=FeedbackShown(
            id=feedback.subject,
            feedback=feedback.verdict.value,
            confidence=feedback.confidence,
            factors=list(feedback.factors),
            timestamp=iso(record.at),
        ),
        stats=Stats(
            total=tally.total,
            confirmed=tally.confirmed,
            rejected=tally.rejected,
            confirmation_rate=tally.confirmation_rate,
        ),
    )
