"""Template filters: formats times, sizes and counts, and marks the words of a query."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from markupsafe import Markup, escape

from commonplace.text.analyse import query_terms
from commonplace.text.plural import plural

_WORD = re.compile(r"[\w'-]+")
_FENCED = re.compile(r"(```.*?(?:```|\Z))", re.DOTALL)
# Where a sentence goes on after a long line; the next line is no item, table, heading or quotation.
_WRAP = re.compile(r"(?<=[^\n]{50})(?<![.:!?|)\]};={]) ?\n(?=[\w\"'(`\[“‘])(?!\d+[.)] )")
# Fenced code, code, links and emphasis, which brackets and stars right behind a word are not.
_MARKED = re.compile(
    rf"{_FENCED.pattern}|(?<!`)`(?P<code>[^`\n]+)`(?!`)"
    r"|(?<!\w)\[(?P<link>[^\[\]\n]+)\]\([^()\s]*\)"
    r"|(?<!\w)\*\*(?=\S)(?P<strong>[^*\n]+)(?<=\S)\*\*(?!\w)",
    re.DOTALL,
)
_STEPS = (
    (timedelta(days=365), "year"),
    (timedelta(days=30), "month"),
    (timedelta(days=7), "week"),
    (timedelta(days=1), "day"),
    (timedelta(hours=1), "hour"),
    (timedelta(minutes=1), "minute"),
)
_KINDS = {
    "note": "note",
    "item": "item",
    "page": "page",
    "notebook_note": "notebook",
    "record": "record",
    "unit": "unit",
    "skill": "skill",
    "document": "document",
}


def kind_name(kind: str) -> str:
    return _KINDS.get(kind, kind.replace("_", " "))


def audience(visibility: str, *, network: bool) -> str:
    """Who can read an entry now; `network` says whether the server's orgs form one."""
    if visibility == "network":
        return "every org" if network else "the org (the orgs of this server form no network)"
    return {"private": "its agent only", "org": "the org"}[visibility]


def date_and_time(at: datetime | None) -> str:
    return f"{at.astimezone(UTC):%-d %b %Y, %H:%M}" if at else "never"


def machine_time(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="seconds")


def ago(at: datetime | None, now: datetime) -> str:
    if at is None:
        return "never"
    elapsed = now - at
    future = elapsed < timedelta(0)
    for step, name in _STEPS:
        if abs(elapsed) >= step:
            if future:
                # A token made for 90 days has a moment less to go, which is not two months.
                return f"in {plural(round(-elapsed / step), name)}"
            return f"{plural(int(elapsed / step), name)} ago"
    return "in a moment" if future else "just now"


def figure(number: float) -> str:
    return f"{number:,.2f}".removesuffix(".00")


def percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def duration(ms: float | None) -> str:
    if ms is None:
        return "–"
    if ms < 1000:
        return f"{ms:.0f} ms"
    seconds = ms / 1000
    return f"{seconds:,.1f} s" if seconds < 60 else f"{seconds / 60:,.0f} min"


def size(count: float) -> str:
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1000 or unit == "GB":
            return f"{count:,.0f} {unit}" if unit == "B" else f"{count:,.1f} {unit}"
        count /= 1000
    raise AssertionError("the last unit takes everything")


def marked(text: str, query: str) -> Markup:
    """The text, escaped, with the words marked that a search for the query matches."""
    wanted = set(query_terms(query))
    shown, last = Markup(""), 0
    for word in _WORD.finditer(text) if wanted else ():
        if wanted.intersection(query_terms(word[0])):
            shown += escape(text[last : word.start()]) + Markup("<mark>{}</mark>").format(word[0])
            last = word.end()
    return shown + escape(text[last:])


def unwrapped(prose: str) -> str:
    """Prose without the breaks that only keep its lines short; lists and tables keep theirs."""
    parts = _FENCED.split(prose)
    return "".join(_WRAP.sub(" ", part) if n % 2 == 0 else part for n, part in enumerate(parts))


def without_marks(prose: str) -> str:
    """Markdown as it reads: without the addresses of links, and the signs of code and emphasis."""
    return _MARKED.sub(_read, prose)


def _read(found: re.Match[str]) -> str:
    inner = found["link"] or found["strong"]
    return without_marks(inner) if inner else found["code"] or found[0]


def titles(names: Sequence[str]) -> str:
    return " › ".join(names)
