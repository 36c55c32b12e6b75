"""Search: one box for everything, with what was found as it is typed, ranked as agents get it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from urllib.parse import quote

from starlette.responses import Response

from commonplace.application import Application
from commonplace.console.filters import SEARCH_FILTERS, asked_day, suggestions
from commonplace.console.visits import Address, Visit
from commonplace.errors import InvalidArgument
from commonplace.model.entry import EntryKind
from commonplace.recall.values import Recalled, RecalledKind, RecallHit, RecallRequest
from commonplace.recall.wording import opening, recalled_text
from commonplace.safety.warnings import warnings_of

_SHOWN = 20
# Excerpts for people may be longer in all than what an agent has room for.
_BUDGET = 6_000
_ENTRIES = frozenset(kind.value for kind in EntryKind)
KINDS = tuple(kind.value for kind in RecalledKind)


@dataclass(frozen=True, slots=True)
class FoundHit:
    """One result as it is shown; `href` leads to where the whole of it can be read."""

    hit: RecallHit
    href: str
    warnings: list[str]


async def search(visit: Visit) -> Response:
    found = await _answered(visit)
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
        return {"query": "", "found": None, "hits": [], "told": "", "address": ""}
    request = replace(_request(visit), limit=_SHOWN, budget=_BUDGET)

    def work(app: Application) -> tuple[Recalled, list[FoundHit]]:
        found = app.recall.recall(visit.actor, request)
        return found, [_hit(one) for one in found.hits]

    found, hits = await visit.read(work)
    return {
        "query": query,
        "found": found,
        "hits": hits,
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
    return FoundHit(hit, _href(hit), warnings_of(hit.title, hit.excerpt))


def _href(hit: RecallHit) -> str:
    reference = quote(hit.reference, safe="")
    if hit.kind.value in _ENTRIES:
        return f"/knowledge/{reference}"
    return f"/{'sources' if hit.kind is RecalledKind.DOCUMENT else 'open'}/{reference}"


ADDRESSES = (
    Address("GET", "/", search),
    Address("GET", "/search/results", results),
    Address("GET", "/search/agents", as_agents_get_it),
)
