"""The tools auto_capture and provide_feedback, which answer in Markdown."""

from __future__ import annotations

from commonplace.application import Application
from commonplace.capture.finding import CaptureRequest
from commonplace.capture.report import Action, capture_report, feedback_report
from commonplace.errors import InvalidArgument
from commonplace.model.actor import Actor
from commonplace.model.call import Call
from commonplace.surfaces.elsewhere import hint_if_elsewhere
from commonplace.surfaces.institutional import learning_wire as wire
from commonplace.surfaces.tool import Markdown


def auto_capture(
    application: Application, actor: Actor, given: wire.AutoCaptureArguments, call: Call
) -> Markdown:
    if not given.text.strip():
        raise InvalidArgument("text must have at least one character that shows.", field="text")
    request = CaptureRequest(
        text=given.text,
        threshold=given.threshold,
        auto_save=given.auto_save,
        preset=given.preset,
        max_captures=given.max_captures,
    )
    outcome = application.capture.auto_capture(actor, request, call)
    return Markdown(capture_report(outcome, notify=given.notify))


def provide_feedback(
    application: Application, actor: Actor, given: wire.ProvideFeedbackArguments, call: Call
) -> Markdown:
    with hint_if_elsewhere(application, actor, given.item_id):
        # The contract's rejection deletes.
        outcome = application.reviewing.judge(
            actor, given.item_id, Action(given.action), given.comment, for_good=True, call=call
        )
    return Markdown(feedback_report(outcome))
