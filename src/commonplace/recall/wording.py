"""An answer as text, as short as it can be said; the budget counts what is written here. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from commonplace.recall.values import Recalled, RecallHit, Verdict

_DAY = 86_400
_AGES = ((365 * _DAY, "year"), (30 * _DAY, "month"), (_DAY, "day"), (3600, "hour"), (60, "minute"))
_LEGS = {"lexical": "words", "semantic": "meaning"}


def recalled_text(answer: Recalled) -> str:
    """The whole answer: what can be said of it, the hits, what is missing."""
    return "\n".join([opening(answer), *map(_block, answer.hits, _times(answer)), *closing(answer)])


def opening(answer: Recalled) -> str:
    """One sentence on whether this answers the question, with the probability that it does."""
    likely = f"({answer.probability:.2f})"
    if answer.verdict is Verdict.ANSWERS:
        return f"Answered below {likely}."
    if answer.verdict is Verdict.RELATED:
        return f"Related only: the subject is here, the answer may not be {likely}."
    return "Nothing relevant is known here."


def head(hit: RecallHit, now: datetime) -> str:
    """Everything about a hit but its text, on one line."""
    kind = f"{hit.category} ({hit.kind.value})" if hit.category else hit.kind.value
    about = [f"p {hit.probability:.2f}", *_standing(hit), _age(hit.changed_at, now), hit.author]
    legs = [_LEGS.get(part.name, part.name) for part in hit.parts if part.value > 0]
    about.append("by " + " and ".join(dict.fromkeys(legs)) if legs else "")
    where = hit.place.shown
    title = f"{hit.title} · {where}" if hit.title and where else hit.title or where
    told = ", ".join(filter(None, about))
    return f"[{hit.reference}] {kind}: {title} ({told}){_marks(hit)}"


def closing(answer: Recalled) -> list[str]:
    """What was left out and what could not be looked at."""
    lines = []
    if answer.left_out:
        lines.append(f"{answer.left_out} weaker hits left out; raise budget or limit for them.")
    if answer.pending:
        lines.append(f"{answer.pending} passages are not embedded yet: found by words only.")
    if answer.given_up:
        lines.append(f"{answer.given_up} passages could not be embedded: found by words only.")
    if answer.unread:
        lines.append(f"Attached and not read yet: {', '.join(answer.unread)}.")
    return [*lines, *answer.notices]


def _block(hit: RecallHit, now: datetime) -> str:
    return f"{head(hit, now)}\n{hit.excerpt}" if hit.excerpt else head(hit, now)


def _times(answer: Recalled) -> Iterable[datetime]:
    return [answer.asked_at] * len(answer.hits)


def _standing(hit: RecallHit) -> list[str]:
    if hit.trust is not None:
        return [hit.trust]
    return [f"trust {hit.quality:.2f}"] if hit.quality is not None else []


def _age(changed: datetime | None, now: datetime) -> str:
    if changed is None:
        return ""
    seconds = (now - changed).total_seconds()
    for size, name in _AGES:
        count = int(seconds // size)
        if count >= 1:
            return f"{count} {name}{'s' if count > 1 else ''} old"
    return "new"


def _marks(hit: RecallHit) -> str:
    marks = []
    if hit.superseded_by:
        marks.append(f"SUPERSEDED by {hit.superseded_by}")
    if hit.expired_at:
        marks.append(f"EXPIRED {hit.expired_at:%Y-%m-%d}")
    if hit.copies:
        marks.append(f"{hit.copies} more copies")
    if hit.is_pending:
        marks.append("not embedded yet")
    return "".join(f" [{mark}]" for mark in marks)
