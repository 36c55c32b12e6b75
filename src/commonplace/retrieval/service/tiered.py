"""Tiered retrieval: the nearest or newest entries, boosted by usage, diversified, budgeted."""

from __future__ import annotations

from collections.abc import Callable

from commonplace.model.actor import Actor
from commonplace.model.call import Call
from commonplace.model.capture import Access
from commonplace.model.entry import Entry
from commonplace.model.query import RetrievalMode, SearchRequest, SearchResult
from commonplace.retrieval.tiers import (
    Capped,
    TieredRequest,
    TieredResult,
    WeighedEntry,
    boosted,
    capped,
    diversified,
)
from commonplace.storage.port import Store

_UNSEARCHED = "Some items have no embedding yet and could not be found."

Search = Callable[[Actor, SearchRequest, Call], SearchResult]


def tiered(
    store: Store, search: Search, actor: Actor, request: TieredRequest, call: Call
) -> TieredResult:
    """Search by meaning, boost used entries, diversify, and keep to a token budget."""
    scored, notice = (
        _near_or_recent(store, search, actor, request.search, call) if request.search else ([], "")
    )
    entries = [entry for entry, _ in scored]
    with store.read(actor) as tx:
        accesses, now = tx.accesses.of([entry.key for entry in entries]), tx.now
    found = [
        WeighedEntry(entry, score, accesses.get(entry.key, Access()), request.tokens_of(entry))
        for entry, score in scored
    ]
    lifted = found if request.boost is None else boosted(found, request.boost, now)
    if request.budget is None:
        kept = Capped(tuple(lifted), enforced=False)
    else:
        kept = capped(diversified(lifted, request.diversify), request.budget)
    used = sum(one.access.count > 0 for one in found) if request.boost is not None else 0
    too_large = [one.tokens for one in lifted if one not in kept.found]
    smallest = min(too_large, default=None)
    return TieredResult(kept.found, len(found), used, kept.enforced, notice, smallest)


def _near_or_recent(
    store: Store, search: Search, actor: Actor, request: SearchRequest, call: Call
) -> tuple[list[tuple[Entry, float]], str]:
    """The nearest entries, or the newest with a notice if the query is blank or no model works."""
    notice = "The query is blank: these are the most recent items."
    if request.query.strip():
        result = search(actor, request, call)
        if result.mode_used is RetrievalMode.SEMANTIC:
            notice = _UNSEARCHED if result.pending or result.given_up else ""
            return [(hit.entry, hit.score) for hit in result.hits if hit.entry], notice
        notice = "No search by meaning: these are the most recent items. " + " ".join(
            result.notices
        )
    with store.read(actor) as tx:
        newest = tx.entries.page(request.filter, request.limit, 0)
    return [(entry, 1.0) for entry in newest], notice
