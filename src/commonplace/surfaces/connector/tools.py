"""The two tools of the `connector` dialect, which search everything that `recall` does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from commonplace.application import Application
from commonplace.errors import CommonplaceError, InvalidArgument, NotFound
from commonplace.model.actor import Actor, Scope
from commonplace.model.call import Call
from commonplace.model.references import parse_reference
from commonplace.recall.values import RecallRequest, Verdict
from commonplace.surfaces.connector.wire import (
    FetchAnswer,
    FetchArguments,
    SearchAnswer,
    SearchArguments,
    fetched_text,
    result_of,
)
from commonplace.surfaces.deliveries import recall_delivery
from commonplace.surfaces.memory.faults import fault
from commonplace.surfaces.tool import Surface, Tool

_MOST = 20
# Limits the number of hits; their excerpts are not shown.
_BUDGET = 6_000


def search(
    application: Application, actor: Actor, given: SearchArguments, call: Call
) -> SearchAnswer:
    """Search; returns no hits if none is relevant, as clients cite whatever is listed."""
    request = RecallRequest(question=given.query, limit=_MOST, budget=_BUDGET)
    found = application.recall.recall(actor, request, call)
    hits = () if found.verdict is Verdict.NOTHING else found.hits
    call.record_delivery(recall_delivery(found, hits))
    base = application.settings.console_url
    return SearchAnswer(results=[result_of(hit, base) for hit in hits])


def fetch(
    application: Application, actor: Actor, given: FetchArguments, _call: Call
) -> FetchAnswer:
    opened = application.memory.opening.open(actor, parse_reference(given.id))
    if opened.entry is not None:
        application.usage.count(actor, [opened.entry])
    return fetched_text(opened, application.settings.console_url)


def missing(error: CommonplaceError) -> Mapping[str, Any]:
    """The error as `memory` shows it; what is missing is found by this dialect's own tool."""
    shown = fault(error)
    is_no_reference = isinstance(error, InvalidArgument) and error.field == "reference"
    if is_no_reference or isinstance(error, NotFound):
        shown["error"]["hint"] = "search finds what is known and gives its id."
    return shown


TOOLS = (
    Tool(
        name="search",
        title="Search",
        description="Search everything that is known here: notes, documents, code, skills. Each "
        "result has an id for fetch; no results mean that nothing relevant is known.",
        scope=Scope.READ,
        arguments=SearchArguments,
        answer=SearchAnswer,
        run=search,
        read_only=True,
        returns_knowledge=True,
        answer_listed=True,
    ),
    Tool(
        name="fetch",
        title="Fetch",
        description="Read a search result whole by its id, to cite it by its url. A very long "
        "text is cut; metadata.rest is then the id of the rest.",
        scope=Scope.READ,
        arguments=FetchArguments,
        answer=FetchAnswer,
        run=fetch,
        read_only=True,
        returns_knowledge=True,
        answer_listed=True,
    ),
)

CONNECTOR = Surface(name="connector", tools=TOOLS, resources=(), fault=missing)
