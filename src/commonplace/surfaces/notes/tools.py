"""The three tools of the `notes` dialect, and entries as resources."""

from __future__ import annotations

from dataclasses import replace

from commonplace.application import Application
from commonplace.model.activity import search_delivery
from commonplace.model.actor import Actor, Scope
from commonplace.model.call import Call
from commonplace.model.entry import EntryKind, plain_tag
from commonplace.model.query import Filter, Fusion, LexicalLeg, SearchRequest
from commonplace.surfaces.answers import references_of
from commonplace.surfaces.elsewhere import hint_if_elsewhere
from commonplace.surfaces.notes import wire
from commonplace.surfaces.notes.faults import fault
from commonplace.surfaces.tool import ResourceKind, Surface, Tool
from commonplace.text.gate import clean

KIND = EntryKind.NOTE
FAN_OUT = 3
LONGEST_TAG = 2000


def store_knowledge(
    application: Application, actor: Actor, given: wire.StoreArguments, call: Call
) -> wire.StoreAnswer:
    content = wire.content_of(given)
    written = application.analysis.written(actor, (content.title, content.body), call)
    title, body = written.texts
    stored = application.knowledge.add_once(
        actor,
        KIND,
        replace(content, title=title, body=body),
        token=given.client_token,
        call=call,
    )
    return wire.stored_answer(stored, written.warnings)


def search_knowledge(
    application: Application, actor: Actor, given: wire.SearchArguments, call: Call
) -> wire.SearchAnswer:
    request = SearchRequest(
        query=given.query,
        filter=Filter(
            kinds=(KIND.value,),
            tags=tuple(_searchable(tag) for tag in given.tags or ()),
            include_superseded=given.include_superseded,
            include_expired=given.include_expired,
        ),
        lexical=LexicalLeg.ALL_WORDS,
        fusion=Fusion.RECIPROCAL_RANK,
        fan_out=FAN_OUT * given.limit,
        limit=given.limit,
        min_score=given.min_score,
        width=given.ef_search,
    )
    result = application.retrieval.search(actor, request, call)
    entries = [hit.entry for hit in result.hits if hit.entry is not None]
    call.record_delivery(search_delivery(given.query, references_of(entries)))
    return wire.search_answer(result)


def _searchable(tag: str) -> str:
    """A tag in stored form. One that no entry can have is searched for too, unless unstorable."""
    return clean(plain_tag(tag), field="tags", max_chars=LONGEST_TAG)


def supersede_knowledge(
    application: Application, actor: Actor, given: wire.SupersedeArguments, call: Call
) -> wire.SupersedeAnswer:
    old, new = given.old_id, given.new_id
    with hint_if_elsewhere(application, actor, old, new, own=KIND):
        return wire.supersede_answer(
            application.knowledge.supersede(actor, KIND, old, new, call=call)
        )


def read_entry(application: Application, actor: Actor, id: str) -> wire.EntryShown:
    with hint_if_elsewhere(application, actor, id):
        return wire.entry_shown(application.knowledge.get(actor, id, KIND))


TOOLS = (
    Tool(
        name="store_knowledge",
        title="Store knowledge",
        description="Keep something worth knowing: a decision, a fix, a fact about this system. "
        "Search first; supersede what it replaces.",
        scope=Scope.WRITE,
        arguments=wire.StoreArguments,
        answer=wire.StoreAnswer,
        run=store_knowledge,
        read_only=False,
    ),
    Tool(
        name="search_knowledge",
        title="Search knowledge",
        description="Find stored knowledge by meaning and by words. Returns snippets; read "
        "commonplace://knowledge/{id} for the whole entry. A score is a rank: it does not say how "
        "well a hit fits.",
        scope=Scope.READ,
        arguments=wire.SearchArguments,
        answer=wire.SearchAnswer,
        run=search_knowledge,
        read_only=True,
        returns_knowledge=True,
    ),
    Tool(
        name="supersede_knowledge",
        title="Supersede knowledge",
        description="Replace one entry by another: searches show only the newer, history is kept. "
        "You must own one of the two.",
        scope=Scope.WRITE,
        arguments=wire.SupersedeArguments,
        answer=wire.SupersedeAnswer,
        run=supersede_knowledge,
        read_only=False,
        idempotent=True,
    ),
)

NOTES = Surface(
    name="notes",
    tools=TOOLS,
    resources=(
        ResourceKind(
            name="knowledge",
            title="Knowledge entry",
            description="The full entry behind a search hit.",
            template="commonplace://knowledge/{id}",
            aliases=("drobek://knowledge/{id}",),
            scope=Scope.READ,
            read=read_entry,
        ),
    ),
    fault=fault,
)
