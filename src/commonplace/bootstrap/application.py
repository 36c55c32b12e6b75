"""The wired application: each service is imported and built on first use."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from commonplace.application import Application, MemoryServices
from commonplace.bootstrap.adapters import Adapters
from commonplace.bootstrap.lazy import lazy_property
from commonplace.bootstrap.masking import masked
from commonplace.bootstrap.memory import WiredMemory
from commonplace.bootstrap.stores import build_canonical_rows, utc_now
from commonplace.model.times import Clock
from commonplace.settings import Settings, lowered_names_of, names_of

if TYPE_CHECKING:
    from commonplace.access.service import AccessService
    from commonplace.capture.service.analysing import AnalysisService
    from commonplace.capture.service.capturing import CaptureService
    from commonplace.capture.service.learning import LearningService
    from commonplace.capture.service.reviewing import ReviewService
    from commonplace.codegraph.service.answers import SymbolAnswers
    from commonplace.codegraph.service.graph import CodeGraph
    from commonplace.documents.service.reading import SourceReadingService
    from commonplace.documents.service.sources import DocumentService
    from commonplace.knowledge.service.embedding import EntryEmbeddingService
    from commonplace.knowledge.service.entries import KnowledgeService
    from commonplace.knowledge.service.preparing import EntryChunks
    from commonplace.knowledge.service.rebuilding import RebuildService
    from commonplace.knowledge.usage.service import QuotaService, UsageService
    from commonplace.operations.activity.service import ActivityService
    from commonplace.operations.audit.service import AuditService
    from commonplace.operations.insight.service import InsightService
    from commonplace.operations.status.service import StatusService
    from commonplace.operations.transfer.service.transfers import TransferService
    from commonplace.recall.service.recall import RecallService
    from commonplace.registry.service.contributions import RegistryService
    from commonplace.registry.service.verdicts import TrustedPeers, VerdictService
    from commonplace.retrieval.service.search import RetrievalService
    from commonplace.worker.reembedding.service import ReembeddingService
    from commonplace.worker.service.loop import Worker
    from commonplace.workspace.history.service import FolderHistory
    from commonplace.workspace.indexing.service.indexer import FolderIndexer
    from commonplace.workspace.projects.service import WorkspaceService
    from commonplace.workspace.pushing.service import PushService
    from commonplace.workspace.records.service import RecordService
    from commonplace.workspace.runs.service import RunService
    from commonplace.workspace.search.service import WorkspaceSearchService
    from commonplace.workspace.watching.service import FolderWatch


class WiredApplication(Application):
    """The services of one process, on shared adapters."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self.settings = settings
        self._clock = clock
        self._adapters = Adapters(settings, clock)
        self._store = self._adapters.store

    def close(self) -> None:
        try:
            if "activity" in vars(self):
                self.activity.close()
        finally:
            self._adapters.close()

    def new_worker(self) -> Worker:
        from commonplace.bootstrap.workers import build_worker

        return build_worker(self, self._adapters, self._clock)

    def new_watch(self) -> FolderWatch:
        from commonplace.reading.watching import FolderWatcher
        from commonplace.workspace.watching.service import FolderWatch

        return FolderWatch(self._store, FolderWatcher(), self.runs)

    @lazy_property
    def access(self) -> AccessService:
        from commonplace.access.service import AccessService
        from commonplace.bootstrap.access import build_access_policy

        adapters, policy = self._adapters, build_access_policy(self.settings)
        return AccessService(self._store, adapters.shared_cache, adapters.key, self._clock, policy)

    # -- entries --

    @lazy_property
    def quotas(self) -> QuotaService:
        from commonplace.knowledge.usage.service import QuotaService
        from commonplace.model.quota import BYTES_STORED, KNOWLEDGE_STORED

        defaults = {
            KNOWLEDGE_STORED: self.settings.quota_knowledge_stored,
            BYTES_STORED: self.settings.quota_bytes_stored,
        }
        return QuotaService(self._store, defaults)

    @lazy_property
    def usage(self) -> UsageService:
        from commonplace.knowledge.usage.service import UsageService

        return UsageService(self._store)

    @lazy_property
    def _entry_chunks(self) -> EntryChunks:
        from commonplace.knowledge.service.preparing import EntryChunks

        return EntryChunks(self._adapters.stored_texts)

    @lazy_property
    def knowledge(self) -> KnowledgeService:
        from commonplace.knowledge.service.entries import KnowledgeService

        model = self._adapters.model
        return KnowledgeService(self._store, self.quotas, model, self._entry_chunks)

    @lazy_property
    def rebuilding(self) -> RebuildService:
        from commonplace.knowledge.service.rebuilding import RebuildService

        return RebuildService(self._store)

    @lazy_property
    def entry_embedding(self) -> EntryEmbeddingService:
        from commonplace.knowledge.service.embedding import EntryEmbeddingService

        return EntryEmbeddingService(self._store, self._adapters.model)

    @lazy_property
    def retrieval(self) -> RetrievalService:
        from commonplace.retrieval.service.search import RetrievalService

        return self._adapters.closing(RetrievalService(self._store, self._adapters.model))

    @lazy_property
    def registry(self) -> RegistryService:
        from commonplace.registry.service.contributions import RegistryService

        return RegistryService(
            self._store,
            self.retrieval,
            self.quotas,
            self._trusted_peers,
            network=self.settings.network,
        )

    @lazy_property
    def verdicts(self) -> VerdictService:
        from commonplace.registry.service.verdicts import VerdictService

        return VerdictService(self._store, self._trusted_peers)

    @lazy_property
    def _trusted_peers(self) -> TrustedPeers:
        from commonplace.registry.service.verdicts import TrustedPeers

        return TrustedPeers(names_of(self.settings.trusted_agents))

    # -- capture --

    @lazy_property
    def analysis(self) -> AnalysisService:
        from commonplace.capture.service.analysing import AnalysisService

        adapters, mask = self._adapters, self.settings.mask_written
        return AnalysisService(adapters.captured_texts, adapters.bundled, mask_written=mask)

    @lazy_property
    def learning(self) -> LearningService:
        from commonplace.capture.service.learning import LearningService

        return LearningService(self._store, self.analysis)

    @lazy_property
    def reviewing(self) -> ReviewService:
        from commonplace.capture.service.reviewing import ReviewService

        return ReviewService(self._store, self.knowledge, self.quotas)

    @lazy_property
    def capture(self) -> CaptureService:
        from commonplace.capture.service.capturing import CaptureService

        return CaptureService(
            self._store, self.knowledge, self.retrieval, self.quotas, self.learning, self.analysis
        )

    # -- documents, folders and code --

    @lazy_property
    def documents(self) -> DocumentService:
        from commonplace.documents.service.sources import DocumentService

        return DocumentService(self._store, self.quotas, self.settings.source_max_bytes)

    @lazy_property
    def source_reading(self) -> SourceReadingService:
        from commonplace.bootstrap.readers import build_fetcher
        from commonplace.documents.service.reading import SourceReadingService

        adapters, fetcher = self._adapters, build_fetcher(self.settings)
        return SourceReadingService(
            self._store, adapters.model, adapters.reader, fetcher, self.quotas
        )

    @lazy_property
    def _symbols(self) -> SymbolAnswers:
        from commonplace.codegraph.service.answers import SymbolAnswers

        return SymbolAnswers(self._store)

    @lazy_property
    def graph(self) -> CodeGraph:
        from commonplace.bootstrap.readers import build_graph

        return self._adapters.closing(build_graph(self.settings, self._store))

    @lazy_property
    def workspace(self) -> WorkspaceService:
        from commonplace.bootstrap.readers import host_paths
        from commonplace.reading.places import LocalPlaces
        from commonplace.workspace.projects.service import WorkspaceService

        return WorkspaceService(
            self._store,
            self._adapters.model,
            LocalPlaces(),
            self._adapters.folders,
            host_paths(self.settings),
            self._symbols,
        )

    @lazy_property
    def records(self) -> RecordService:
        from commonplace.workspace.records.service import RecordService

        return RecordService(self._store, self.quotas, self._entry_chunks)

    @lazy_property
    def _indexer(self) -> FolderIndexer:
        from commonplace.workspace.indexing.service.indexer import FolderIndexer

        adapters = self._adapters
        return FolderIndexer(
            self._store, adapters.folders, adapters.reader, adapters.cutters, self.graph
        )

    @lazy_property
    def _history(self) -> FolderHistory:
        from commonplace.bootstrap.readers import allowed_roots
        from commonplace.reading.git_log import GitLog
        from commonplace.workspace.history.service import FolderHistory

        log, limit = GitLog(allowed_roots(self.settings)), self.settings.history_commits
        return FolderHistory(self._store, log, masked, limit)

    @lazy_property
    def runs(self) -> RunService:
        from commonplace.worker.service.embedding import WaitingChunks
        from commonplace.workspace.runs.service import RunService

        chunks = WaitingChunks(self._store, self._adapters.model)
        seconds = self.settings.ingest_embedding_seconds
        return RunService(self._store, chunks, self._indexer, self._history, seconds)

    @lazy_property
    def pushes(self) -> PushService:
        from commonplace.workspace.pushing.manifest import PushLimits
        from commonplace.workspace.pushing.service import PushService

        settings, also_read = self.settings, lowered_names_of(self.settings.also_read)
        limits = PushLimits(settings.max_source_files, settings.source_max_bytes, also_read)
        return PushService(self._store, limits, self.quotas)

    @lazy_property
    def workspace_search(self) -> WorkspaceSearchService:
        from commonplace.workspace.search.service import WorkspaceSearchService

        return WorkspaceSearchService(self._store, self.retrieval, self._symbols)

    # -- one memory over everything --

    @lazy_property
    def recall(self) -> RecallService:
        from commonplace.recall.service.recall import RecallService

        return RecallService(self.retrieval)

    @lazy_property
    def memory(self) -> MemoryServices:
        return WiredMemory(self, self._store, self._symbols)

    # -- operations --

    @lazy_property
    def status(self) -> StatusService:
        from commonplace.operations.status.service import StatusService

        return StatusService(self._store, self._adapters.model)

    @lazy_property
    def audit(self) -> AuditService:
        from commonplace.operations.audit.service import AuditService

        return AuditService(self._store, self._adapters.key)

    @lazy_property
    def insight(self) -> InsightService:
        from commonplace.operations.insight.service import InsightService

        return InsightService(self._store)

    @lazy_property
    def activity(self) -> ActivityService:
        from commonplace.operations.activity.service import ActivityService

        return ActivityService(self._store, self._clock, self.settings.activity_days, masked)

    @lazy_property
    def transfer(self) -> TransferService:
        from commonplace.operations.transfer.service.transfers import TransferService

        return TransferService(build_canonical_rows(self.settings, self._clock), self._clock)

    @lazy_property
    def reembedding(self) -> ReembeddingService:
        from commonplace.worker.reembedding.service import ReembeddingService

        return ReembeddingService(self._store, self._adapters.configured, self._clock)


def build(settings: Settings, clock: Clock = utc_now) -> Application:
    return WiredApplication(settings, clock)


@contextmanager
def running_application(settings: Settings) -> Iterator[Application]:
    application = build(settings)
    try:
        yield application
    finally:
        application.close()
