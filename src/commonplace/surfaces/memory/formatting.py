"""Formats answers of the `memory` dialect as short lines, which cost fewer tokens than JSON."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from commonplace.memory.opened import HistoryLine, Opened
from commonplace.memory.pieces import CutText, Selection, excerpt, selected
from commonplace.model.references import Portion
from commonplace.safety.warnings import warnings_of
from commonplace.text.context_tokens import estimate_context_tokens

DOT = " · "
_MINUTE, _HOUR, _DAY = 60, 3600, 86_400
_MONTHS_AFTER = 60 * _DAY
_LEAST_TEXT = 20
# The longest possible reference to a remainder, to reserve room for it.
_FURTHEST = CutText("", rest=Portion(9_999_999, 9_999_999))


def age(moment: datetime, now: datetime) -> str:
    """How long ago a moment was, such as `3 h ago`."""
    seconds = max(0, int((now - moment).total_seconds()))
    for unit, name, until in (
        (_DAY, "d", _MONTHS_AFTER),
        (_HOUR, "h", _DAY),
        (_MINUTE, "min", _HOUR),
    ):
        if seconds >= _MONTHS_AFTER:
            return f"{moment:%Y-%m-%d}"
        if unit <= seconds < until:
            return f"{seconds // unit} {name} ago"
    return "just now"


def joined(parts: Iterable[str | None]) -> str:
    return DOT.join(part for part in parts if part)


def warned(line: str, *texts: str | None) -> list[str]:
    """A line of an answer, followed by warnings about the texts in it."""
    return [line, *(f"  ! warning: {reason}" for reason in warnings_of(*texts))]


def opened_text(opened: Opened, wanted: Selection, budget: int) -> str:
    """An opened thing within a token budget: metadata, text, and the reference of the rest."""
    pieces = selected(opened.pieces, wanted) if opened.pieces or wanted != Selection() else []
    head, tail = _head(opened), _history(opened)

    def fitting(rest: CutText) -> CutText:
        around = [*head, "", *_rest(opened, rest), *tail]
        spent = estimate_context_tokens("\n".join(around)) + len(around)
        return excerpt(pieces, max(_LEAST_TEXT, budget - spent))

    cut = fitting(_FURTHEST)
    if cut.clipped:
        cut = fitting(replace(_FURTHEST, clipped=True))
    shown = (opened.title, cut.text, joined([opened.place, *opened.tags]), opened.author)
    warnings = [f"! warning: {reason}" for reason in warnings_of(*shown)]
    return "\n".join([*head, *warnings, "", cut.text, *_rest(opened, cut), *tail]).rstrip()


def _head(opened: Opened) -> list[str]:
    title = joined([str(opened.reference), opened.sort, _one_line(opened.title)])
    metadata = joined(
        [
            opened.place,
            f"by {opened.author}" if opened.author else None,
            age(opened.changed_at, opened.read_at) if opened.changed_at else None,
            f"trust {opened.trust:.2f}" if opened.trust is not None else None,
            f"tags {', '.join(opened.tags)}" if opened.tags else None,
        ]
    )
    notices = [f"! {notice}" for notice in opened.notices]
    return [title, *([metadata] if metadata else []), *notices]


def _rest(opened: Opened, cut: CutText) -> list[str]:
    clipped = ["(too long for this budget: a larger one shows more of it)"] if cut.clipped else []
    if cut.rest is None:
        return clipped
    plain = str(opened.reference).partition("#")[0].replace("symbol:", "file:", 1)
    return [*clipped, f"(cut here; go on with {plain}#{cut.rest})"]


def _history(opened: Opened) -> list[str]:
    lines = [f"  {fact}" for fact in opened.provenance]
    lines += [_history_line(line) for line in opened.history]
    return ["", "history:", *lines] if lines else []


def _history_line(line: HistoryLine) -> str:
    parts = f" {', '.join(line.parts)}" if line.parts else ""
    who = f"{line.agent} ({line.client})"
    return f"  {line.number} {line.operation}{parts} by {who} {line.at:%Y-%m-%d %H:%M}Z"


def _one_line(text: str) -> str:
    return " ".join(text.split())
