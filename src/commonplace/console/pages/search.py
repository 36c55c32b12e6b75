"""Search: one box for everything, with what was found as it is typed."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote

from starlette.responses import Response

from commonplace.application import Application
from commonplace.console.filters import FILTERS, KINDS, asked_filter, suggestions
from commonplace.console.visits import Address, Visit
from commonplace.model.query import Filter, Hit, ScorePart, SearchRequest, SearchResult
from commonplace.safety.warnings import warnings_of
from commonplace.workspace.search.naming import title_of

_SHOWN = 20
_LEAST_SCORE = 0.1


@dataclass(frozen=True, slots=True)
class FoundHit:
    """One result as it is shown; `href` leads to where the whole of it can be read."""

    title: str
    kind: str
    href: str | None
    place: str
    excerpt: str
    score: float
    parts: tuple[ScorePart, ...]
    tags: tuple[str, ...]
    agent: str
    superseded: bool
    warnings: list[str]


async def search(visit: Visit) -> Response:
    query, wanted = visit.asked("q"), asked_filter(visit.request.query_params)
    found = await visit.read(lambda app: _searched(app, visit, query, wanted)) if query else None
    hints = await visit.read(lambda app: suggestions(app, visit.actor))
    asked = {name: visit.asked(name) for name in FILTERS}
    return visit.page(
        "search/search.html",
        query=query,
        asked=asked,
        narrowed=any(asked.values()),
        hints=hints,
        kinds=KINDS,
        **_shown(found),
    )


async def results(visit: Visit) -> Response:
    """What is put under the box while somebody types."""
    query, wanted = visit.asked("q"), asked_filter(visit.request.query_params)
    found = await visit.read(lambda app: _searched(app, visit, query, wanted)) if query else None
    return visit.page("search/results.html", query=query, **_shown(found))


def _searched(app: Application, visit: Visit, query: str, wanted: Filter) -> SearchResult:
    request = SearchRequest(query=query, filter=wanted, limit=_SHOWN, min_score=_LEAST_SCORE)
    return app.retrieval.search(visit.actor, request)


def _shown(found: SearchResult | None) -> dict[str, object]:
    return {"hits": [_hit(hit) for hit in found.hits] if found else [], "found": found}


def _hit(hit: Hit) -> FoundHit:
    standing = hit.chunk.standing
    return FoundHit(
        title=title_of(hit) or (hit.source.name if hit.source else ""),
        kind=standing.kind,
        href=_href(hit),
        place=_place(hit),
        excerpt=hit.snippet,
        score=hit.score,
        parts=hit.parts,
        tags=standing.tags,
        agent=standing.agent,
        superseded=bool(hit.entry and hit.entry.head),
        warnings=warnings_of(hit.chunk.text),
    )


def _href(hit: Hit) -> str | None:
    if hit.entry:
        return f"/knowledge/{quote(hit.entry.id, safe='')}"
    return f"/sources/{quote(hit.source.id, safe='')}" if hit.source else None


def _place(hit: Hit) -> str:
    """Where the text stands: a file with lines, or a source with the headings above it."""
    position, path = hit.chunk.position, hit.chunk.standing.path
    if path:
        return f"{path}:{position.line_start}–{position.line_end}" if position.line_start else path
    above = " › ".join(hit.chunk.headings)
    paged = f"page {position.page}" if position.page else ""
    named = hit.source.name if hit.source else ""
    return " · ".join(part for part in (named, above, paged) if part)


ADDRESSES = (
    Address("GET", "/", search),
    Address("GET", "/search/results", results),
)
