"""Template filters: formats times, sizes and counts, and marks the words of a query."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta

from markupsafe import Markup, escape

from commonplace.text.analyse import query_terms
from commonplace.text.plural import plural

_WORD = re.compile(r"[\w'-]+")
_IDENTIFIER = re.compile(r"\w+")
_IN_BACKTICKS = re.compile(r"`([^`\n]+)`")
_MARK, _CODE = Markup("<mark>{}</mark>"), Markup("<code>{}</code>")
_FENCED = re.compile(r"(```.*?(?:```|\Z))", re.DOTALL)
# Where a sentence goes on after a long line; the next line is no item, table, heading or quotation.
_WRAP = re.compile(r"(?<=[^\n]{50})(?<![.:!?|)\]};={]) ?\n(?=[\w\"'(`\[“‘])(?!\d+[.)] )")
# Fenced code, signs of headings, code, links and emphasis, which brackets and stars right behind a
# word are not.
_MARKED = re.compile(
    rf"{_FENCED.pattern}|(?P<heading>^\#{{1,6}}[ \t]+)|(?<!`)`(?P<code>[^`\n]+)`(?!`)"
    r"|(?<!\w)\[(?P<link>[^\[\]\n]+)\]\([^()\s]*\)"
    r"|(?<!\w)\*\*(?=\S)(?P<strong>[^*\n]+)(?<=\S)\*\*(?!\w)",
    re.DOTALL | re.MULTILINE,
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
    words = _WORD.finditer(text) if wanted else ()
    return _tagged(text, _MARK, (one for one in words if wanted & {*query_terms(one[0])}))


def named(code: str, symbol: str) -> Markup:
    """Code, escaped, with the name of a symbol marked, and the name that it is in: Cart.add."""
    wanted = _IDENTIFIER.findall(symbol)[-2:]
    return _tagged(code, _MARK, (one for one in _IDENTIFIER.finditer(code) if one[0] in wanted))


def backticked(message: str) -> Markup:
    """A message, escaped, with what it has in backticks as code."""
    return _tagged(message, _CODE, _IN_BACKTICKS.finditer(message))


def _tagged(text: str, tag: Markup, found: Iterable[re.Match[str]]) -> Markup:
    """The text, escaped, with a tag around the last group of each match, which may be all of it."""
    shown, last = Markup(""), 0
    for one in found:
        shown += escape(text[last : one.start()]) + tag.format(one[one.re.groups])
        last = one.end()
    return shown + escape(text[last:])


def unwrapped(prose: str) -> str:
    """Prose without the breaks that only keep its lines short; lists and tables keep theirs."""
    parts = _FENCED.split(prose)
    return "".join(_WRAP.sub(" ", part) if n % 2 == 0 else part for n, part in enumerate(parts))


def without_marks(prose: str) -> str:
    """Markdown as it reads: without the addresses of links, and the signs of headings, code and
    emphasis."""
    return _MARKED.sub(_read, prose)


def _read(found: re.Match[str]) -> str:
    if found["heading"]:
        return ""
    inner = found["link"] or found["strong"]
    return without_marks(inner) if inner else found["code"] or found[0]


def titles(names: Sequence[str]) -> str:
    return " › ".join(names)
