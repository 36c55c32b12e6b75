"""The Markdown answers of auto_capture and provide_feedback.

Builds strings only. What is quoted from a text is put on one line and escaped, so that it can
neither end the report's sections nor add one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from commonplace.capture.secrets import Secret
from commonplace.text.snippet import ELLIPSIS

QUOTED_LENGTH = 100
# Only what has a meaning where it stands, so that the rest can be read as it was written.
_MARKUP = re.compile(
    r"""
    [`*] | (?<![^\W_])_ | _(?![^\W_])        # code, emphasis; snake_case has no meaning
    | \](?=[(\[]) | <(?=[A-Za-z/!?])        # links and images, HTML
    | ~(?=~) | (?<=~)~ | &(?=\#?\w{1,32};)  # crossed out, entities
    | \\(?=[!-/:-@\[-`{-~])                # a backslash that would escape
    | ^[-+=>\#] | (?<=^\d)[.)] | (?<=^\d\d)[.)]  # lists, headings and quotes at the start
    """,
    re.VERBOSE,
)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


class Action(StrEnum):
    CONFIRM = "confirm"
    REJECT = "reject"
    MODIFY = "modify"


class CapturedBefore(StrEnum):
    """The reason why a moment was not captured again."""

    ECHO = "echo"
    DUPLICATE = "duplicate"
    REJECTED = "rejected"


class Reason(StrEnum):
    """The reason why a moment waits for review instead of being saved."""

    NOT_SAVING = "reaches the threshold, and auto_save is off"
    NEAR = "close to the threshold"
    TOO_MANY = "reaches the threshold, and max_captures is used up"


@dataclass(frozen=True, slots=True)
class Captured:
    """A moment that was saved."""

    id: str
    type: str
    summary: str
    score: float


@dataclass(frozen=True, slots=True)
class Flagged:
    """A moment that waits for review under an id of its own."""

    id: str
    type: str
    text: str
    score: float
    level: str
    reason: Reason


@dataclass(frozen=True, slots=True)
class Skipped:
    """A known moment; `known_as` is the id of the item that says the same."""

    text: str
    why: CapturedBefore
    known_as: str | None = None


@dataclass(frozen=True, slots=True)
class CaptureReport:
    """The results of one call of auto_capture."""

    text_length: int
    suggested_type: str
    project: str
    file_context: str
    threshold: float
    auto_save: bool
    processed: int
    moved: str | None = None
    captured: tuple[Captured, ...] = ()
    flagged: tuple[Flagged, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    secrets: tuple[Secret, ...] = ()


@dataclass(frozen=True, slots=True)
class FeedbackOutcome:
    """The result of a judgement of an item."""

    item_id: str
    summary: str
    action: Action
    comment: str | None = None
    moved: str | None = None
    """A sentence on how far reviews have moved the threshold."""


def capture_report(outcome: CaptureReport, *, notify: bool) -> str:
    """The whole report; its sections always come in this order."""
    sections = [
        _results(outcome),
        _mode(outcome),
        _captured(outcome.captured) if outcome.auto_save else [],
        _flagged(outcome.flagged),
        _secrets(outcome.secrets),
        _skipped(outcome.skipped),
        _summary(outcome),
        _notifications(outcome) if notify else [],
        _next_steps(outcome),
    ]
    return "\n\n".join("\n".join(section) for section in sections if section) + "\n"


def feedback_report(outcome: FeedbackOutcome) -> str:
    heading, done, next_step = _FEEDBACK[outcome.action]
    lines = [
        f"# Feedback: {heading}",
        "",
        f"- **Action:** {outcome.action.value}",
        f"- **Item:** {_code(outcome.item_id)}",
        f"- **Summary:** {quoted(outcome.summary)}",
    ]
    if outcome.comment and outcome.comment.strip():
        lines.append(f"- **Comment:** {escaped(outcome.comment)}")
    learned = [outcome.moved, ""] if outcome.moved else []
    return "\n".join([*lines, "", done, "", *learned, "## Next Steps", "", f"- {next_step}"]) + "\n"


_FEEDBACK: Mapping[Action, tuple[str, str, str]] = {
    Action.CONFIRM: (
        "Confirmed",
        "The item is confirmed as valuable and stays.",
        "Nothing more to do; similar moments will be judged in the light of this.",
    ),
    Action.REJECT: (
        "Rejected",
        "The item is rejected as noise and was deleted.",
        "It no longer appears in lists and searches.",
    ),
    Action.MODIFY: (
        "Marked for Editing",
        "The item is valuable but to be edited; it stays as it is until then.",
        "Edit it with `update_knowledge`.",
    ),
}


def quoted(text: str) -> str:
    """The first characters of a text, escaped, with an ellipsis if there are more."""
    line = _one_line(text)
    return escaped(line if len(line) <= QUOTED_LENGTH else line[:QUOTED_LENGTH] + ELLIPSIS)


def escaped(text: str) -> str:
    """The text on one line and without any meaning in Markdown or HTML."""
    return _MARKUP.sub(r"\\\g<0>", _one_line(text))


def _one_line(text: str) -> str:
    return _CONTROL.sub("", " ".join(text.split()))


def _code(value: str) -> str:
    return f"`{_one_line(value).replace('`', '')}`"


def _percent(score: float) -> str:
    """Cut, not rounded: no score is shown at a threshold that it does not reach."""
    return f"{math.floor(round(1000 * score, 6)) / 10:.1f}%"


def _results(outcome: CaptureReport) -> list[str]:
    return [
        "# Auto-Capture Results",
        "",
        f"- **Text length:** {outcome.text_length} characters",
        f"- **Suggested type:** {escaped(outcome.suggested_type)}",
        f"- **Project:** {escaped(outcome.project)}",
        f"- **File context:** {escaped(outcome.file_context)}",
    ]


def _mode(outcome: CaptureReport) -> list[str]:
    mode = "**Review mode:** nothing is saved. What is found waits for review."
    if outcome.auto_save:
        mode = f"**Auto-save:** on. What scores {_percent(outcome.threshold)} or more is saved."
    return [mode, *(["", outcome.moved] if outcome.moved else [])]


def _captured(captured: Sequence[Captured]) -> list[str]:
    items = [
        f"{number}. **{escaped(item.type)}** {quoted(item.summary)}\n"
        f"   - **ID:** {_code(item.id)}\n"
        f"   - **Confidence:** {_percent(item.score)}"
        for number, item in enumerate(captured, 1)
    ]
    return [f"## Captured ({len(captured)})", "", *(items or ["None."])]


def _flagged(flagged: Sequence[Flagged]) -> list[str]:
    items = [
        f"{number}. **{escaped(item.type)}** {quoted(item.text)}\n"
        f"   - **Review ID:** {_code(item.id)}\n"
        f"   - **Confidence:** {_percent(item.score)} ({escaped(item.level)})\n"
        f"   - **Reason:** {item.reason.value}"
        for number, item in enumerate(flagged, 1)
    ]
    return [f"## Flagged for Review ({len(flagged)})", "", *(items or ["None."])]


def _secrets(secrets: Sequence[Secret]) -> list[str]:
    if not secrets:
        return []
    total = sum(secret.count for secret in secrets)
    items = (f"- {escaped(secret.title)}: {secret.count}" for secret in secrets)
    return [
        f"## Secrets Removed ({total})",
        "",
        "They were masked before anything was kept.",
        "",
        *items,
    ]


def _skipped(skipped: Sequence[Skipped]) -> list[str]:
    if not skipped:
        return []
    return [f"## Already Known, Not Captured ({len(skipped)})", "", *map(_skipped_line, skipped)]


def _skipped_line(item: Skipped) -> str:
    if item.why is CapturedBefore.ECHO:
        why = "returned by this server before"
    elif item.why is CapturedBefore.REJECTED:
        why = "rejected before"
    else:
        why = f"says the same as {_code(item.known_as)}" if item.known_as else "is stored already"
    return f"- {quoted(item.text)} ({why})"


def _summary(outcome: CaptureReport) -> list[str]:
    return [
        "## Summary",
        "",
        f"- **Total processed:** {outcome.processed}",
        f"- **Captured:** {len(outcome.captured)}",
        f"- **Flagged:** {len(outcome.flagged)}",
    ]


def _notifications(outcome: CaptureReport) -> list[str]:
    return ["## Notifications", "", *(f"- {line}" for line in _news(outcome))]


def _news(outcome: CaptureReport) -> Iterator[str]:
    if outcome.captured:
        yield f"{_count(len(outcome.captured), 'item')} saved."
    if outcome.flagged:
        yield f"{_count(len(outcome.flagged), 'item')} waiting for review."
    if outcome.secrets:
        removed = sum(secret.count for secret in outcome.secrets)
        yield f"{_count(removed, 'secret')} removed; change what was exposed."
    if outcome.skipped:
        yield f"{_count(len(outcome.skipped), 'item')} known already."
    if not (outcome.captured or outcome.flagged or outcome.skipped):
        yield "Nothing worth keeping was found."


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _next_steps(outcome: CaptureReport) -> list[str]:
    return ["## Next Steps", "", *(f"- {step}" for step in _steps(outcome))]


def _steps(outcome: CaptureReport) -> Iterator[str]:
    if outcome.captured:
        yield "Confirm, reject or mark a captured item for editing with `provide_feedback`."
    if outcome.flagged:
        yield (
            "Confirm or reject what is flagged: with `provide_feedback` and its review id, "
            "or with `commonplace review`."
        )
    if outcome.skipped:
        yield "What is known is not kept twice; `update_knowledge` puts right what has changed."
    if not (outcome.captured or outcome.flagged or outcome.skipped):
        yield "If it is worth keeping, lower `threshold` or save it with `capture_knowledge`."
