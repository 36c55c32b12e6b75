"""The three tools of the `documents` dialect; JSON-RPC offers them too."""

from __future__ import annotations

from commonplace.application import Application
from commonplace.errors import EmbeddingUnavailable
from commonplace.model.activity import search_delivery
from commonplace.model.actor import Actor, Scope
from commonplace.model.call import Call
from commonplace.model.query import Filter, Fusion, Grain, Reach, RetrievalMode, SearchRequest
from commonplace.model.references import of_document
from commonplace.model.source import DOCUMENT_KIND
from commonplace.surfaces.documents import wire
from commonplace.surfaces.documents.faults import fault
from commonplace.surfaces.elsewhere import hint_if_elsewhere
from commonplace.surfaces.tool import Surface, Tool


def search(
    application: Application, actor: Actor, given: wire.SearchArguments, call: Call
) -> wire.SearchAnswer:
    request = SearchRequest(
        query=given.query,
        filter=Filter(kinds=(DOCUMENT_KIND,), reach=Reach(given.workspace_id, given.space_id)),
        mode=RetrievalMode.SEMANTIC,
        fusion=Fusion.SIMILARITY,
        grain=Grain.CHUNK,
        keep_unrelated=True,
        limit=given.limit,
    )
    result = application.retrieval.search(actor, request, call)
    if result.mode_used is RetrievalMode.LEXICAL:
        # Lexical matches have no similarity, and the dialect cannot express that.
        raise EmbeddingUnavailable(" ".join(result.notices))
    sources = [hit.source for hit in result.hits if hit.source]
    references = dict.fromkeys(str(of_document(source.id)) for source in sources)
    call.record_delivery(search_delivery(given.query, tuple(references)))
    missing = given.workspace_id not in {source.place.workspace for source in sources}
    return wire.search_answer(result, _notice(application, actor, given) if missing else None)


def list_sources(
    application: Application, actor: Actor, given: wire.ListArguments, _call: Call
) -> wire.ListAnswer:
    reach = Reach(given.workspace_id, given.space_id)
    sources = application.documents.in_reach(actor, reach)
    missing = given.workspace_id not in {source.place.workspace for source in sources}
    return wire.list_answer(sources, _notice(application, actor, given) if missing else None)


def _notice(
    application: Application, actor: Actor, given: wire.SearchArguments | wire.ListArguments
) -> str | None:
    """A notice of the workspaces that have sources, if the given one has none."""
    everything = application.documents.in_reach(actor, None)
    named = sorted({source.place.workspace for source in everything if source.place.workspace})
    if not named or given.workspace_id in named:
        return None
    return (
        f"No source belongs to the workspace {given.workspace_id}. "
        f"Workspaces with sources: {wire.listed_names(named)}."
    )


def get_source(
    application: Application, actor: Actor, given: wire.GetArguments, _call: Call
) -> wire.GetAnswer:
    with hint_if_elsewhere(application, actor, given.source_id):
        source = application.documents.get(actor, given.source_id)
    return wire.GetAnswer(source=wire.source_details(source))


TOOLS = (
    Tool(
        name="knowledge.search",
        title="Search documents",
        description="Find passages of documents by meaning: above 0.5 similarity is mostly right, "
        "below 0.3 hardly ever. Sees system and workspace sources; with spaceId also that space.",
        scope=Scope.READ,
        arguments=wire.SearchArguments,
        answer=wire.SearchAnswer,
        run=search,
        read_only=True,
        returns_knowledge=True,
    ),
    Tool(
        name="knowledge.list",
        title="List sources",
        description="List sources with their status: system and workspace sources, and with "
        "spaceId also those of that space.",
        scope=Scope.READ,
        arguments=wire.ListArguments,
        answer=wire.ListAnswer,
        run=list_sources,
        read_only=True,
    ),
    Tool(
        name="knowledge.get",
        title="Get a source",
        description="Show one source: its status, why reading it failed, and when it was read.",
        scope=Scope.READ,
        arguments=wire.GetArguments,
        answer=wire.GetAnswer,
        run=get_source,
        read_only=True,
    ),
)

DOCUMENTS = Surface(
    name="documents",
    tools=TOOLS,
    resources=(),
    fault=fault,
)
