"""The tools that analyse text and record feedback on the results."""

from __future__ import annotations

from commonplace.analysis.confidence import Weights
from commonplace.application import Application
from commonplace.model.actor import Actor
from commonplace.model.call import Call
from commonplace.model.capture import Feedback, FeedbackVerdict
from commonplace.surfaces.institutional import learning_wire as wire


def auto_detect(
    application: Application, actor: Actor, given: wire.DetectArguments, call: Call
) -> wire.DetectAnswer:
    detection = application.analysis.detect(
        actor, given.text, require_both=given.require_both, call=call
    )
    return wire.DetectAnswer(data=wire.detection_shown(detection))


def analyze_sentiment(
    application: Application, actor: Actor, given: wire.SentimentArguments, call: Call
) -> wire.SentimentAnswer:
    sentiment = application.analysis.sentiment(
        actor,
        given.text,
        detect_shifts=given.detect_shifts,
        min_delta=given.min_delta,
        call=call,
    )
    return wire.SentimentAnswer(data=wire.sentiment_shown(sentiment))


def evaluate_confidence(
    application: Application, actor: Actor, given: wire.ConfidenceArguments, call: Call
) -> wire.ConfidenceAnswer:
    custom = given.custom_weights
    weights = None
    if custom:
        weights = Weights(custom.pattern, custom.sentiment, custom.text_length, custom.structure)
    assessed = application.learning.assess(actor, given.text, given.preset, weights, call)
    return wire.ConfidenceAnswer(data=wire.confidence_shown(*assessed))


def record_feedback(
    application: Application, actor: Actor, given: wire.RecordFeedbackArguments, call: Call
) -> wire.RecordAnswer:
    feedback = Feedback(
        subject=given.id,
        verdict=FeedbackVerdict(given.feedback),
        confidence=given.confidence,
        factors=tuple(given.factors or ()),
    )
    record, tally = application.learning.record(actor, feedback, call=call)
    return wire.RecordAnswer(data=wire.recorded(record, tally))
