"""Questions about code by name, in one project or in all of them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from commonplace.codegraph.answering.question import name_parts
from commonplace.codegraph.answering.trace import (
    Relation,
    TracedPlace,
    TraceRequest,
    TraceResult,
)
from commonplace.codegraph.service.history import CodeHistory
from commonplace.codegraph.service.tracing import SymbolTracing
from commonplace.errors import InvalidArgument, NotFound
from commonplace.memory.service.finding import project_named
from commonplace.model.actor import Actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.query import Filter, Grain, RetrievalMode, SearchRequest
from commonplace.model.references import ShortReference
from commonplace.model.workspace import Attached, KnowledgeType, Project
from commonplace.retrieval.service.search import RetrievalService
from commonplace.storage.port import Store
from commonplace.text.filenames import DOCUMENT_SUFFIXES, PROSE_SUFFIXES
from commonplace.workspace.projects.filing import file_reference

_MOST_DOCS = 20
_PROSE = (*PROSE_SUFFIXES, *DOCUMENT_SUFFIXES, ".rst", ".adoc")
_NO_CODE = "No code is attached yet."
_ADD = "add attaches a folder and reads it."


@dataclass(frozen=True, slots=True)
class TraceAnswer:
    """What the graph says, with the reference of every file in it, and prose that names it."""

    asked: TraceRequest
    traced: TraceResult
    files: Mapping[tuple[int, str], ShortReference]
    docs: Sequence[TracedPlace] = ()

    def file_of(self, place: TracedPlace) -> ShortReference:
        return self.files[place.resource, place.path]

    def name_of(self, place: TracedPlace) -> str:
        """Its file as references name it: project/path."""
        return str(self.file_of(place)).removeprefix("file:")


class TraceService:
    """Finds the code that is meant, asks the graph, and names the places."""

    def __init__(
        self,
        store: Store,
        graph: SymbolTracing,
        history: CodeHistory,
        retrieval: RetrievalService,
    ) -> None:
        self._store = store
        self._graph = graph
        self._history = history
        self._retrieval = retrieval

    def trace(
        self, actor: Actor, asked: TraceRequest, project: str = "", call: Call = PLAIN_CALL
    ) -> TraceAnswer:
        if asked.relation is Relation.PATH and not asked.to.strip():
            raise InvalidArgument("path needs to: the symbol that it leads to.", field="to")
        attached, projects = self._attached(actor, project)
        code = _keys(attached, KnowledgeType.CODE)
        if not code:
            raise NotFound(_NO_CODE, hint=_ADD)
        call.check()
        if asked.relation is Relation.DOCS:
            meant = self._graph.meant(actor, asked.symbol, code)
            found = self._docs(actor, asked.symbol, list(attached), call)
            shown = found[asked.offset :][: asked.limit]
            traced = replace(meant, places=shown, total=len(found))
        elif asked.relation is Relation.HISTORY:
            held = {key: attached[key].resource for key in code}
            traced = self._history.trace(actor, asked, held, call)
        else:
            traced = self._graph.trace(actor, asked, code)
        owner, _, path = asked.symbol.partition("/")
        if traced.unknown and path and any(one.handle == owner for one in projects.values()):
            # As answers name a file: by its project, then its path.
            return self.trace(actor, replace(asked, symbol=path), owner, call)
        docs: tuple[TracedPlace, ...] = ()
        if asked.relation is Relation.IMPACT and not traced.unknown:
            docs = self._docs(actor, asked.symbol, list(attached), call)
        counted = (*traced.meant, *traced.namesakes)
        told = (*(one.place for one in counted), *traced.places, *traced.unresolved, *docs)
        files = {
            (place.resource, place.path): _named(attached[place.resource], projects, place.path)
            for place in told
        }
        return TraceAnswer(asked, traced, files, docs)

    def _attached(
        self, actor: Actor, project: str
    ) -> tuple[dict[int, Attached], Mapping[str, Project]]:
        """What is attached to the project, or anywhere, by key of the resource."""
        with self._store.read(actor) as tx:
            projects = {one.id: one for one in tx.projects.all()}
            wanted = project_named(tx, project).id if project else None
            found = {
                one.resource.key: one
                for one in tx.attachments.all()
                if one.attachment.enabled
                and not one.resource.kind.is_written
                and (wanted is None or one.attachment.project_id == wanted)
            }
        return found, projects

    def _docs(
        self, actor: Actor, symbol: str, resources: list[int], call: Call
    ) -> tuple[TracedPlace, ...]:
        """Prose that says the name; the definition's own comment stands with the definition."""
        name = (name_parts(symbol) or (symbol,))[-1]
        request = SearchRequest(
            query=name,
            filter=Filter(resources=tuple(resources)),
            mode=RetrievalMode.LEXICAL,
            limit=10 * _MOST_DOCS,
            grain=Grain.CHUNK,
        )
        spoken = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        found = []
        for hit in self._retrieval.search(actor, request, call).hits:
            chunk, path = hit.chunk, hit.chunk.metadata.path or ""
            said = spoken.search(chunk.text)
            if said and path.lower().endswith(_PROSE) and chunk.metadata.place.resource:
                above = chunk.text.count("\n", 0, said.start())
                found.append(
                    TracedPlace(
                        chunk.metadata.place.resource,
                        chunk.owner.key,
                        path,
                        (chunk.position.line_start or 1) + above,
                        " > ".join(chunk.headings),
                        text=chunk.text.split("\n")[above].strip(),
                    )
                )
        return tuple(found[:_MOST_DOCS])


def _keys(attached: Mapping[int, Attached], kind: KnowledgeType) -> list[int]:
    return [key for key, one in attached.items() if one.resource.knowledge_type is kind]


def _named(attached: Attached, projects: Mapping[str, Project], path: str) -> ShortReference:
    return file_reference(attached, projects.get(attached.attachment.project_id or ""), path)
