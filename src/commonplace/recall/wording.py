"""Formats an answer as compact text; the token budget applies to this text. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from commonplace.model.chunk import MOST_UNEMBEDDED_COUNTED
from commonplace.model.entry import EntryKind
from commonplace.model.references import Portion
from commonplace.recall.values import MOST_LISTED, Recalled, RecalledKind, RecallHit, Verdict
from commonplace.text.plural import plural

DOT = " · "
_DAY = 86_400
_AGES = ((365 * _DAY, "y"), (60 * _DAY, ""), (_DAY, "d"), (3600, "h"), (60, "min"))
_MONTH = 30 * _DAY
# Kinds whose title is shown even if the text begins with it, as a file name says more.
_OF_FILES = frozenset({RecalledKind.CODE, RecalledKind.DOCS, RecalledKind.DOCUMENT})
_OF_ENTRIES = frozenset(kind.value for kind in EntryKind)
_LONGEST_NAME = 80
_LEGS = {"lexical": "words", "semantic": "meaning"}


def recalled_text(answer: Recalled) -> str:
    """The whole answer: the verdict, the hits, and what is missing."""
    return "\n".join([opening(answer), *blocks(answer), *closing(answer)])


def blocks(answer: Recalled) -> list[str]:
    """One text for each hit: a line about it, then its excerpt."""
    return [_block(hit, answer.asked_at, is_list=answer.is_list) for hit in answer.hits]


def opening(answer: Recalled) -> str:
    """One sentence that says whether the hits answer the question, with the probability."""
    if answer.nothing_stored:
        return "Nothing is kept here yet: remember keeps a thought, add brings in sources."
    if answer.is_list:
        return _list_opening(len(answer.hits) + answer.left_out)
    if answer.verdict is Verdict.NOTHING:
        return "Nothing relevant is known here."
    if not answer.hits:
        return f"There are hits (p {answer.probability:.2f}), none of which may be shown:"
    if answer.verdict is Verdict.ANSWERS:
        return f"These answer (p {answer.probability:.2f}):"
    likely = f"p {answer.probability:.2f}"
    return f"Related only: the subject is here, the answer may not be ({likely})."


def _list_opening(count: int) -> str:
    if not count:
        return "Nothing of that kind is kept here."
    more = " or more" if count >= MOST_LISTED else ""
    return "1 entry:" if count == 1 else f"{count:,} entries{more}, newest first:"


def head(hit: RecallHit, now: datetime, *, is_list: bool = False) -> str:
    """All metadata of a hit on one line; an entry of a list has no probability."""
    legs = [_LEGS.get(part.name, part.name) for part in hit.parts if part.value > 0]
    fields = [
        hit.reference,
        sort_of(hit),
        _title(hit),
        _place(hit),
        "" if is_list else f"p {hit.probability:.2f}",
        _metadata(hit),
        _age(hit.changed_at, now),
        f"by {hit.author}",
        "+".join(dict.fromkeys(legs)),
        *_marks(hit),
    ]
    return DOT.join(field for field in fields if field)


def _place(hit: RecallHit) -> str:
    """Where a hit is, without what its reference says: for a file, the lines of its excerpt."""
    place = hit.place
    if hit.kind.value in _OF_ENTRIES:
        return place.project or ""
    if place.path is None:
        return place.shown
    lines = Portion(place.line_start, place.line_end) if place.line_start is not None else None
    shown = "" if lines is None or hit.reference.endswith(f"#{lines}") else str(lines)
    return f"{shown} page {place.page}".strip() if place.page is not None else shown


def sort_of(hit: RecallHit) -> str:
    """The category or kind of a hit, in a word or two."""
    return hit.category or hit.kind.value.replace("_", " ")


def closing(answer: Recalled) -> list[str]:
    """Lines on what was left out, and what could not be searched."""
    lines = []
    if answer.left_out and answer.is_list:
        ones = plural(answer.left_out, "older one")
        lines.append(f"({ones} left out; a larger limit or budget lists more)")
    elif answer.left_out:
        lines.append(f"({answer.left_out} less likely left out)")
    if not answer.hits and answer.verdict is not Verdict.NOTHING:
        lines.append("(a larger budget or a smaller least shows more)")
    if answer.nearest is not None:
        lines.append(f"(nearest, if it helps: {_named(answer.nearest)})")
    if answer.verdict is Verdict.NOTHING and answer.narrowed:
        within = ", ".join(answer.narrowed)
        lines.append(f"(looked only at {within}; without that more may be found)")
    if answer.pending:
        lines.append(f"({passages(answer.pending)} not embedded yet: found by words only)")
    if answer.given_up:
        unfit = passages(answer.given_up)
        lines.append(f"({unfit} that cannot be embedded: found by words only)")
    if answer.unread:
        lines.append(f"(not read yet: {', '.join(answer.unread)})")
    return [*lines, *(f"({notice})" for notice in answer.notices)]


def passages(count: int) -> str:
    """How many passages have no vectors; counting them ends at a limit."""
    more = "at least " if count >= MOST_UNEMBEDDED_COUNTED else ""
    return f"{more}{plural(count, 'passage')}"


def asked_as(question: str, restrictions: Sequence[str]) -> str:
    """What was asked instead of the question as given."""
    within = f" within {', '.join(restrictions)}" if restrictions else ""
    shown = " ".join(question.split())
    return f'asked as "{shown[:_LONGEST_NAME]}{"…" * (len(shown) > _LONGEST_NAME)}"{within}'


def _named(hit: RecallHit) -> str:
    """Reference and title. A suspicious title is not quoted, as the text was not requested."""
    title = " ".join(hit.title.split())[:_LONGEST_NAME]
    return DOT.join(filter(None, [hit.reference, "" if hit.warnings else title]))


def _block(hit: RecallHit, now: datetime, *, is_list: bool) -> str:
    warned = [f"! warning: {reason}" for reason in hit.warnings]
    first = head(hit, now, is_list=is_list)
    return "\n".join(filter(None, [first, *warned, hit.excerpt, _touched(hit)]))


def _touched(hit: RecallHit) -> str:
    """The files that a commit touched, with the number of those not named."""
    more = f" and {left} more" if (left := hit.file_count - len(hit.files)) > 0 else ""
    return f"touched {', '.join(hit.files)}{more}" if hit.files else ""


def _title(hit: RecallHit) -> str:
    """The title on one line; empty if the excerpt begins with it."""
    title, shown = " ".join(hit.title.split()), " ".join(hit.excerpt.split())
    begins = title and shown.startswith(title.removesuffix("…"))
    return "" if begins and hit.kind not in _OF_FILES else title


def _metadata(hit: RecallHit) -> str:
    if hit.trust is not None:
        return hit.trust
    return f"trust {hit.quality:.2f}" if hit.quality is not None else ""


def _age(changed: datetime | None, now: datetime) -> str:
    if changed is None:
        return ""
    seconds = int((now - changed).total_seconds())
    for size, name in _AGES:
        if seconds >= size:
            return f"{seconds // size} {name} ago" if name else f"{seconds // _MONTH} months ago"
    return "just now"


def _marks(hit: RecallHit) -> list[str]:
    marks = []
    if hit.superseded_by:
        marks.append(f"SUPERSEDED by {hit.superseded_by}")
    if hit.expired_at:
        marks.append(f"EXPIRED {hit.expired_at:%Y-%m-%d}")
    if hit.copies:
        marks.append(f"{hit.copies} more of the same")
    if hit.is_pending:
        marks.append("not embedded yet")
    return marks
