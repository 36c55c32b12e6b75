"""The services as bootstrap puts them together, on either store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from commonplace.embedding.port import Embedder, ServingModel
from commonplace.knowledge.service.entries import KnowledgeService
from commonplace.knowledge.service.rebuilding import RebuildService
from commonplace.knowledge.usage.service import QuotaService
from commonplace.model.actor import Actor
from commonplace.model.entry import Entry, EntryContent, EntryKind
from commonplace.model.query import Filter, Hit, SearchRequest, SearchResult
from commonplace.model.run import RunKind
from commonplace.operations.status.service import StatusService
from commonplace.retrieval.service.search import RetrievalService
from commonplace.storage.port import Store
from commonplace.worker.service.loop import Worker
from tests.generate import ALICE
from tests.models import always, entry_chunks
from tests.stores import SteppingClock

IDLE_SECONDS = 300.0


@dataclass
class House:
    """One process of Commonplace, and shorthands for what tests do with it."""

    store: Store
    embedder: Embedder
    clock: SteppingClock
    serving: ServingModel | None = None

    def __post_init__(self) -> None:
        self.model = self.serving or always(self.embedder)
        self.knowledge = KnowledgeService(
            self.store, QuotaService(self.store), self.model, entry_chunks()
        )
        self.rebuilding = RebuildService(self.store)
        self.retrieval = RetrievalService(self.store, self.model)
        self.status = StatusService(self.store, self.model)

    def worker(self, idle: float = IDLE_SECONDS) -> Worker:
        handlers = {RunKind.REBUILD: self.rebuilding.batch}
        return Worker(self.store, self.model, self.clock, handlers, idle)

    def add(self, id: str, actor: Actor = ALICE, **content: Any) -> Entry:
        given = {"title": f"Title of {id}", "body": f"Body of {id}", **content}
        kind = given.pop("kind", EntryKind.NOTE)
        return self.knowledge.add(actor, kind, EntryContent(**given), id=id)

    def search(self, query: str, actor: Actor = ALICE, **request: Any) -> SearchResult:
        fields = {name: request.pop(name) for name in _FILTER_FIELDS & request.keys()}
        return self.retrieval.search(
            actor, SearchRequest(query=query, filter=Filter(**fields), **request)
        )

    def found(self, query: str, actor: Actor = ALICE, **request: Any) -> list[str]:
        return [id_of(hit) for hit in self.search(query, actor, **request).hits]

    def embed(self) -> None:
        """Everything that is due, by a worker of this process."""
        worker = self.worker()
        while worker.step():
            pass
        worker.stop()


_FILTER_FIELDS = frozenset(Filter.__dataclass_fields__)


def id_of(hit: Hit) -> str:
    assert hit.entry is not None
    return hit.entry.id
