"""Answers trace requests, in one project or in all of them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from commonplace.codegraph.answering.question import name_parts
from commonplace.codegraph.answering.trace import Relation, TracedPlace, TraceRequest, TraceResult
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

_MAX_DOCUMENTS = 20
_PROSE_ENDINGS = (*PROSE_SUFFIXES, *DOCUMENT_SUFFIXES, ".rst", ".adoc")
_NO_CODE = "No code is attached yet."
_ADD_HINT = "add attaches a folder and reads it."


@dataclass(frozen=True, slots=True)
class TraceAnswer:
    """A trace result with a reference per file, and documents that mention the symbol."""

    request: TraceRequest
    traced: TraceResult
    files: Mapping[tuple[int, str], ShortReference]
    docs: Sequence[TracedPlace] = ()

    def file_of(self, place: TracedPlace) -> ShortReference:
        return self.files[place.resource, place.path]

    def name_of(self, place: TracedPlace) -> str:
        """The file of a place as in references: project/path."""
        return str(self.file_of(place)).removeprefix("file:")


class TraceService:
    """Selects the code in scope, queries the graph, and adds file references."""

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
        self, actor: Actor, request: TraceRequest, project: str = "", call: Call = PLAIN_CALL
    ) -> TraceAnswer:
        if request.relation is Relation.PATH and not request.to.strip():
            raise InvalidArgument("path needs to: the symbol that it leads to.", field="to")
        attached, projects = self._attached(actor, project)
        code = _keys_of_type(attached, KnowledgeType.CODE)
        if not code:
            raise NotFound(_NO_CODE, hint=_ADD_HINT)
        call.check()
        if request.relation is Relation.DOCS:
            definitions = self._graph.definitions(actor, request.symbol, code)
            found = self._docs(actor, request.symbol, list(attached), call)
            shown = found[request.offset :][: request.limit]
            traced = replace(definitions, places=shown, total=len(found))
        elif request.relation is Relation.HISTORY:
            sources = {key: attached[key].resource for key in code}
            traced = self._history.trace(actor, request, sources, call)
        else:
            traced = self._graph.trace(actor, request, code)
        owner, _, path = request.symbol.partition("/")
        if traced.unknown and path and any(one.handle == owner for one in projects.values()):
            # Answers name a file by project and path, so a question may do so, too.
            return self.trace(actor, replace(request, symbol=path), owner, call)
        docs: tuple[TracedPlace, ...] = ()
        if request.relation is Relation.IMPACT and not traced.unknown:
            docs = self._docs(actor, request.symbol, list(attached), call)
        counted = (*traced.definitions, *traced.namesakes)
        places = (*(one.place for one in counted), *traced.places, *traced.unresolved, *docs)
        files = {
            (place.resource, place.path): _reference_of(
                attached[place.resource], projects, place.path
            )
            for place in places
        }
        return TraceAnswer(request, traced, files, docs)

    def _attached(
        self, actor: Actor, project: str
    ) -> tuple[dict[int, Attached], Mapping[str, Project]]:
        """Attached resources of the project, or of all, by resource key; and all projects by id."""
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
        """Places in prose that mention the name; comments in code are part of the definition."""
        name = (name_parts(symbol) or (symbol,))[-1]
        request = SearchRequest(
            query=name,
            filter=Filter(resources=tuple(resources)),
            mode=RetrievalMode.LEXICAL,
            limit=10 * _MAX_DOCUMENTS,
            grain=Grain.CHUNK,
        )
        mention = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        found = []
        for hit in self._retrieval.search(actor, request, call).hits:
            chunk, path = hit.chunk, hit.chunk.metadata.path or ""
            match = mention.search(chunk.text)
            if match and path.lower().endswith(_PROSE_ENDINGS) and chunk.metadata.place.resource:
                above = chunk.text.count("\n", 0, match.start())
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
        return tuple(found[:_MAX_DOCUMENTS])


def _keys_of_type(attached: Mapping[int, Attached], kind: KnowledgeType) -> list[int]:
    return [key for key, one in attached.items() if one.resource.knowledge_type is kind]


def _reference_of(attached: Attached, projects: Mapping[str, Project], path: str) -> ShortReference:
    return file_reference(attached, projects.get(attached.attachment.project_id or ""), path)
