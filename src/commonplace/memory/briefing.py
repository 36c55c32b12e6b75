"""Formats the briefing that an agent reads before it starts: decisions, gotchas, preferences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from commonplace.memory.opened import reference_of, sort_of
from commonplace.model.entry import Entry
from commonplace.safety.warnings import warnings_of
from commonplace.text.context_tokens import estimate_context_tokens

# The kinds by importance: what an agent must know comes before what it can look up.
_ORDER = ("preference", "decision", "gotcha", "open question", "how-to", "fact")
_HALF_LIFE_DAYS = 60.0
_LONGEST_LINE = 200
_MOST_READ = 2_000
_SUSPICIOUS = "is left out: it looks like an attack on its reader; open shows it, with reasons"


def brief(
    entries: Sequence[Entry], waiting: int, now: datetime, org: str, budget: int, project: str
) -> str:
    """A briefing within a budget of tokens; empty if nothing is known."""
    if not entries:
        return ""
    whose = f" of {project}" if project else ""
    head = f"Known{whose} in Commonplace (recall asks for more, open reads a reference):"
    ranked = sorted(entries, key=lambda entry: _rank(entry, now))
    return "\n".join(_fitting(head, [*_waiting(waiting), *(_line(e, org) for e in ranked)], budget))


def _rank(entry: Entry, now: datetime) -> tuple[int, float]:
    content = entry.content
    place = _ORDER.index(content.category) if content.category in _ORDER else len(_ORDER)
    days = max(0.0, (now - entry.updated_at).total_seconds() / 86_400)
    return place, -content.confidence * 0.5 ** (days / _HALF_LIFE_DAYS)


def _line(entry: Entry, org: str) -> str:
    """One line per entry, without a title that only repeats the beginning of the text.

    Agents get the briefing unasked, so a text that looks like an attack is named but not quoted.
    """
    beginning = entry.content.body[:_MOST_READ]
    body, title = (" ".join(text.split()) for text in (beginning, entry.content.title))
    line = body if body.startswith(title.rstrip("…")) else f"{title}: {body}"
    cut = line if len(line) <= _LONGEST_LINE else f"{line[: _LONGEST_LINE - 1]}…"
    if warnings_of(entry.content.category, beginning, title):
        return f"- {reference_of(entry, org)} {_SUSPICIOUS}"
    return f"- [{sort_of(entry)}] {cut} ({reference_of(entry, org)})"


def _waiting(count: int) -> Iterator[str]:
    if count:
        moments = "1 captured moment waits" if count == 1 else f"{count} captured moments wait"
        yield f"- {moments} for review (recent shows them)"


def _fitting(head: str, lines: Sequence[str], budget: int) -> Iterator[str]:
    left = budget - estimate_context_tokens(head)
    yield head
    for line in lines:
        left -= estimate_context_tokens(line) + 1
        if left < 0:
            return
        yield line
