"""The start page: search over everything, updated while typing, ranked as for agents."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from shutil import which

from starlette.responses import Response

from commonplace.application import Application
from commonplace.console.filters import SEARCH_FILTERS, day_from, suggestions, tags_in
from commonplace.console.pages.reading import href_of
from commonplace.console.visits import Address, Visit
from commonplace.console.words import percent, unwrapped, without_marks
from commonplace.errors import InvalidArgument
from commonplace.model.actor import Actor, Scope
from commonplace.model.capture import ReviewStatus
from commonplace.model.entry import Entry, plain_tag
from commonplace.model.query import Filter
from commonplace.operations.activity.periods import OpenQuestion, Period
from commonplace.recall.values import Recalled, RecalledKind, RecallHit, RecallRequest, Verdict
from commonplace.recall.wording import opening, recalled_text
from commonplace.safety.warnings import warnings_of

_NAME = "commonplace"
_SHOWN = 20
# Tokens for all excerpts together; people get more than agents by default.
_BUDGET = 6_000
# Hits with a lower probability are folded away.
_UNLIKELY = 0.05
_MIN_LIKELY = 1
_NEWEST = 6
_OPEN = 4
_VERDICTS = {
    Verdict.ANSWERS: "These answer ({likely} likely).",
    Verdict.RELATED: "Related only: the subject is here, the answer may not be ({likely} likely).",
}
_HEADING = re.compile(r"#{1,6} ++(.+)\n+")
KINDS = tuple(kind.value for kind in RecalledKind)


@dataclass(frozen=True, slots=True)
class FoundHit:
    """One result; `href` is the page with the whole text."""

    hit: RecallHit
    href: str
    excerpt: str
    warnings: list[str]


@dataclass(frozen=True, slots=True)
class Start:
    """What the start page shows before a query; every part is cheap to read."""

    is_empty: bool
    newest: list[Entry]
    waiting: int
    open: tuple[OpenQuestion, ...]
    program: str


async def search(visit: Visit) -> Response:
    found = await _answered(visit)
    if not found["query"]:
        found["start"] = await visit.read(lambda app: _start(app, visit.actor))
    hints = await visit.read(lambda app: suggestions(app, visit.actor))
    selected = {name: visit.query(name) for name in SEARCH_FILTERS}
    return await visit.page(
        "search/search.html",
        selected=selected,
        narrowed=any(selected.values()),
        hints=hints,
        kinds=KINDS,
        **found,
    )


def _start(app: Application, actor: Actor) -> Start:
    newest = app.knowledge.older(actor, Filter(), _NEWEST)
    holds = newest or app.workspace.projects(actor) or app.documents.newest(actor, 1)
    _, waiting = app.reviewing.reviews(actor, ReviewStatus.WAITING, 1)
    audited = Scope.AUDIT in actor.scopes
    unanswered = app.activity.unanswered(actor, Period.MONTH)[:_OPEN] if audited else ()
    program = _NAME if app.settings.shared else _program()
    return Start(not holds, newest, waiting, unanswered, program)


def _program() -> str:
    """How a shell of this machine starts the program: by its path if a checkout serves it."""
    beside = Path(sys.executable).with_name(_NAME)
    return str(beside) if beside.exists() and not which(_NAME) else _NAME


async def results(visit: Visit) -> Response:
    """The results as a fragment, requested while somebody types."""
    return await visit.page("search/results.html", **await _answered(visit))


async def as_agents_get_it(visit: Visit) -> Response:
    """The exact answer of `recall` to the same question."""
    request = _request(visit)
    answer = await visit.read(lambda app: app.recall.recall(visit.actor, request))
    return await visit.page(
        "search/agents.html", query=request.question, text=recalled_text(answer)
    )


async def _answered(visit: Visit) -> dict[str, object]:
    query = visit.query("q")
    if not query:
        return {"query": "", "start": None}
    request = replace(_request(visit), limit=_SHOWN, budget=_BUDGET)

    def work(app: Application) -> tuple[Recalled, list[FoundHit]]:
        found = app.recall.recall(visit.actor, request)
        return found, [_hit(one) for one in found.hits]

    found, hits = await visit.read(work)
    likely = max(_MIN_LIKELY, sum(one.hit.probability >= _UNLIKELY for one in hits))
    return {
        "query": query,
        "found": found,
        "hits": hits,
        "likely": hits[:likely],
        "unlikely": hits[likely:],
        "verdict": _verdict(found),
        "address": str(visit.request.url.query),
    }


def _verdict(found: Recalled) -> str:
    """Whether the results answer, as agents are told, in words for people."""
    told = None if found.is_list else _VERDICTS.get(found.verdict)
    return told.format(likely=percent(found.probability)) if told else opening(found)


def _request(visit: Visit) -> RecallRequest:
    kind = visit.query("kind")
    if kind and kind not in KINDS:
        raise InvalidArgument(f"kind is one of {', '.join(KINDS)}.", field="kind")
    return RecallRequest(
        question=visit.query("q"),
        kinds=(kind,) if kind else (),
        project=visit.query("project") or None,
        tags=tuple(map(plain_tag, tags_in(visit.query("tag")))),
        since=day_from(visit.query("since"), "since"),
        until=day_from(visit.query("until"), "until", end=True),
        author=visit.query("agent") or None,
        history=visit.query("state") == "all",
    )


def _hit(hit: RecallHit) -> FoundHit:
    warnings = warnings_of(hit.title, hit.excerpt)
    excerpt = _without_title(hit.title, hit.excerpt)
    shown = excerpt if hit.kind is RecalledKind.CODE else without_marks(unwrapped(excerpt))
    return FoundHit(hit, href_of(hit.reference), shown, warnings)


def _without_title(title: str, excerpt: str) -> str:
    """The excerpt without the title and headings that it begins with: the page shows them above."""
    prefix, text = title.removesuffix("…"), excerpt.strip()
    while (heading := _HEADING.match(text)) and without_marks(heading[1]) in title:
        text = text[heading.end() :]
    rest = text.removeprefix(prefix)
    if rest == text or not prefix:
        return text
    return f"…{rest}" if prefix != title else rest.lstrip(".: \n")


ADDRESSES = (
    Address("GET", "/", search),
    Address("GET", "/search/results", results),
    Address("GET", "/search/agents", as_agents_get_it),
)
