"""Adapters to services."""

from __future__ import annotations

from dataclasses import dataclass

from commonplace.bootstrap.adapters import Adapters
from commonplace.bootstrap.readers import EXTRACTING, build_crew, surroundings
from commonplace.capture.service.reviewing import ReviewService
from commonplace.codegraph.service.answers import SymbolAnswers
from commonplace.codegraph.service.graph import CodeGraph
from commonplace.codegraph.service.tracing import SymbolTracing
from commonplace.documents.service import IngestionService
from commonplace.knowledge.service.entries import KnowledgeService
from commonplace.knowledge.usage.service import QuotaService
from commonplace.memory.service.adding import AddService
from commonplace.memory.service.opening import OpenService
from commonplace.memory.service.recent import RecentService
from commonplace.memory.service.remembering import RememberService
from commonplace.memory.service.revising import ReviseService
from commonplace.memory.service.together import MemoryServices
from commonplace.memory.service.tracing import TraceService
from commonplace.model.quota import BYTES_STORED, KNOWLEDGE_STORED
from commonplace.registry.service import RegistryService
from commonplace.retrieval.service.search import RetrievalService
from commonplace.settings import Settings, lowered_names_of, names_of
from commonplace.storage.port import Store
from commonplace.workspace.indexing.service import FolderIndexer
from commonplace.workspace.projects.service import WorkspaceService
from commonplace.workspace.pushing.manifest import PushLimits
from commonplace.workspace.pushing.service import PushService
from commonplace.workspace.runs.service import IngestService
from commonplace.workspace.watching.service import FolderWatch


def build_quotas(settings: Settings, store: Store) -> QuotaService:
    defaults = {
        KNOWLEDGE_STORED: settings.quota_knowledge_stored,
        BYTES_STORED: settings.quota_bytes_stored,
    }
    return QuotaService(store, defaults)


def build_pushes(settings: Settings, store: Store, quotas: QuotaService) -> PushService:
    also_read = lowered_names_of(settings.also_read)
    limits = PushLimits(settings.max_source_files, settings.source_max_bytes, also_read)
    return PushService(store, limits, quotas)


def build_ingestion(
    settings: Settings, adapters: Adapters, quotas: QuotaService
) -> IngestionService:
    from commonplace.reading.addresses import AddressGuard
    from commonplace.reading.fetching import FetchLimits, HttpFetcher

    fetch_limits = FetchLimits(
        settings.source_max_bytes, settings.fetch_seconds, settings.fetch_robots
    )
    guard = AddressGuard(names_of(settings.fetch_allow))
    return IngestionService(
        adapters.store,
        adapters.model,
        adapters.reader,
        HttpFetcher(guard, fetch_limits),
        quotas,
        settings.source_max_bytes,
    )


def build_registry(
    settings: Settings, store: Store, retrieval: RetrievalService, quotas: QuotaService
) -> RegistryService:
    trusted = names_of(settings.trusted_agents)
    return RegistryService(store, retrieval, quotas, trusted, network=settings.network)


@dataclass(frozen=True, slots=True)
class Rooms:
    """The services that the one memory stands on."""

    knowledge: KnowledgeService
    retrieval: RetrievalService
    quotas: QuotaService
    ingestion: IngestionService
    registry: RegistryService
    reviewing: ReviewService
    workspace: WorkspaceService
    ingests: IngestService


def build_memory_services(settings: Settings, store: Store, rooms: Rooms) -> MemoryServices:
    refuse = settings.secrets == "refuse"
    graph = SymbolTracing(store, SymbolAnswers(store))
    return MemoryServices(
        opening=OpenService(store),
        remembering=RememberService(store, rooms.retrieval, rooms.quotas, refuse_secrets=refuse),
        revising=ReviseService(
            store, rooms.knowledge, rooms.ingestion, rooms.registry, rooms.reviewing
        ),
        adding=AddService(rooms.workspace, rooms.ingests, rooms.ingestion),
        recent=RecentService(store),
        tracing=TraceService(store, graph, rooms.retrieval),
    )


def build_graph(settings: Settings, store: Store) -> CodeGraph:
    return CodeGraph(store, build_crew(settings, EXTRACTING))


def build_watch(store: Store, indexer: FolderIndexer, ingests: IngestService) -> FolderWatch:
    from commonplace.reading.watching import FolderWatcher

    return FolderWatch(store, FolderWatcher(), indexer, ingests)


def build_workspace(settings: Settings, adapters: Adapters, graph: CodeGraph) -> WorkspaceService:
    from commonplace.reading.places import LocalPlaces

    return WorkspaceService(
        adapters.store,
        adapters.model,
        LocalPlaces(),
        adapters.folders,
        surroundings(settings),
        graph.answers,
    )
