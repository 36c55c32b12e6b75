"""Search: one box for everything, with what was found as it is typed, ranked as agents get it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from starlette.responses import Response

from commonplace.application import Application
from commonplace.console.filters import SEARCH_FILTERS, asked_day, suggestions
from commonplace.console.pages.reading import href_of
from commonplace.console.visits import Address, Visit
from commonplace.errors import InvalidArgument
from commonplace.model.actor import Actor, Scope
from commonplace.model.capture import ReviewStatus
from commonplace.model.entry import Entry
from commonplace.model.query import Filter
from commonplace.operations.activity.periods import OpenQuestion, Period
from commonplace.recall.values import Recalled, RecalledKind, RecallHit, RecallRequest
from commonplace.recall.wording import opening, recalled_text
from commonplace.safety.warnings import warnings_of

_SHOWN = 20
# Excerpts for people may be longer in all than what an agent has room for.
_BUDGET = 6_000
# Below it a hit is there to be looked at by who wants to; an answer it is hardly.
_HARDLY = 0.05
_LEAST = 1
_NEWEST = 6
_OPEN = 4
KINDS = tuple(kind.value for kind in RecalledKind)


@dataclass(frozen=True, slots=True)
class FoundHit:
    """One result as it is shown; `href` leads to where the whole of it can be read."""

    hit: RecallHit
    href: str
    excerpt: str
    warnings: list[str]


@dataclass(frozen=True, slots=True)
class Start:
    """What stands under the box before anything is asked; nothing of it counts what there is."""

    is_empty: bool
    newest: list[Entry]
    waiting: int
    open: tuple[OpenQuestion, ...]


async def search(visit: Visit) -> Response:
    found = await _answered(visit)
    if not found["query"]:
        found["start"] = await visit.read(lambda app: _start(app, visit.actor))
    hints = await visit.read(lambda app: suggestions(app, visit.actor))
    asked = {name: visit.asked(name) for name in SEARCH_FILTERS}
    return await visit.page(
        "search/search.html",
        asked=asked,
        narrowed=any(asked.values()),
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
    return Start(not holds, newest, waiting, unanswered)


async def results(visit: Visit) -> Response:
    """What is put under the box while somebody types."""
    return await visit.page("search/results.html", **await _answered(visit))


async def as_agents_get_it(visit: Visit) -> Response:
    """Word for word the answer of `recall` to an agent that asks the same."""
    request = _request(visit)
    answer = await visit.read(lambda app: app.recall.recall(visit.actor, request))
    return await visit.page(
        "search/agents.html", query=request.question, text=recalled_text(answer)
    )


async def _answered(visit: Visit) -> dict[str, object]:
    query = visit.asked("q")
    if not query:
        return {"query": "", "start": None}
    request = replace(_request(visit), limit=_SHOWN, budget=_BUDGET)

    def work(app: Application) -> tuple[Recalled, list[FoundHit]]:
        found = app.recall.recall(visit.actor, request)
        return found, [_hit(one) for one in found.hits]

    found, hits = await visit.read(work)
    likely = max(_LEAST, sum(one.hit.probability >= _HARDLY for one in hits))
    return {
        "query": query,
        "found": found,
        "hits": hits,
        "likely": hits[:likely],
        "unlikely": hits[likely:],
        "told": opening(found),
        "address": str(visit.request.url.query),
    }


def _request(visit: Visit) -> RecallRequest:
    kind, tags = visit.asked("kind"), visit.asked("tag").replace(",", " ").lower().split()
    if kind and kind not in KINDS:
        raise InvalidArgument(f"kind is one of {', '.join(KINDS)}.", field="kind")
    return RecallRequest(
        question=visit.asked("q"),
        kinds=(kind,) if kind else (),
        project=visit.asked("project") or None,
        tags=tuple(tags),
        since=asked_day(visit.asked("since"), "since"),
        until=asked_day(visit.asked("until"), "until", end=True),
        author=visit.asked("agent") or None,
        history=visit.asked("state") == "all",
    )


def _hit(hit: RecallHit) -> FoundHit:
    warnings = warnings_of(hit.title, hit.excerpt)
    return FoundHit(hit, href_of(hit.reference), _below(hit.title, hit.excerpt), warnings)


def _below(title: str, excerpt: str) -> str:
    """What stands under a title: a text that begins with it is not told so twice."""
    told, text = title.removesuffix("…"), excerpt.strip()
    rest = text.removeprefix(told)
    if rest == text or not told:
        return text
    return f"…{rest}" if told != title else rest.lstrip(".: \n")


ADDRESSES = (
    Address("GET", "/", search),
    Address("GET", "/search/results", results),
    Address("GET", "/search/agents", as_agents_get_it),
)
