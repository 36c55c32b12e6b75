"""The set of services that servers and commands use; `bootstrap` builds it.

This file imports no service, so that a server can answer `initialize` before they are loaded.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING

from commonplace.errors import StorageUnavailable
from commonplace.model.actor import AGENT_SCOPES, ALL_SCOPES, Actor, Scope
from commonplace.settings import Settings, names_of

if TYPE_CHECKING:
    from commonplace.access.service import AccessService
    from commonplace.capture.service.analysing import AnalysisService
    from commonplace.capture.service.capturing import CaptureService
    from commonplace.capture.service.learning import LearningService
    from commonplace.capture.service.reviewing import ReviewService
    from commonplace.codegraph.service.graph import CodeGraph
    from commonplace.documents.service.reading import SourceReadingService
    from commonplace.documents.service.sources import DocumentService
    from commonplace.knowledge.service.embedding import EntryEmbeddingService
    from commonplace.knowledge.service.entries import KnowledgeService
    from commonplace.knowledge.service.rebuilding import RebuildService
    from commonplace.knowledge.usage.service import QuotaService, UsageService
    from commonplace.memory.service.adding import AddService
    from commonplace.memory.service.filing import FileService
    from commonplace.memory.service.opening import OpenService
    from commonplace.memory.service.recent import RecentService
    from commonplace.memory.service.remembering import RememberService
    from commonplace.memory.service.revising import ReviseService
    from commonplace.memory.service.tracing import TraceService
    from commonplace.operations.activity.service import ActivityService
    from commonplace.operations.audit.service import AuditService
    from commonplace.operations.insight.service import InsightService
    from commonplace.operations.status.service import StatusService
    from commonplace.operations.transfer.service.transfers import TransferService
    from commonplace.recall.service.recall import RecallService
    from commonplace.registry.service.contributions import RegistryService
    from commonplace.registry.service.verdicts import VerdictService
    from commonplace.retrieval.service.search import RetrievalService
    from commonplace.worker.reembedding.service import ReembeddingService
    from commonplace.worker.service.loop import Worker
    from commonplace.workspace.projects.service import WorkspaceService
    from commonplace.workspace.pushing.service import PushService
    from commonplace.workspace.records.service import RecordService
    from commonplace.workspace.runs.service import RunService
    from commonplace.workspace.search.service import WorkspaceSearchService
    from commonplace.workspace.watching.service import FolderWatch


class MemoryServices:
    """The services behind the `memory` surface."""

    opening: OpenService
    remembering: RememberService
    revising: ReviseService
    tracing: TraceService
    adding: AddService
    recent: RecentService
    filing: FileService


class Application(ABC):
    """All services of one process.

    Each service is built on first use, so that a command imports only what it needs.
    """

    settings: Settings
    access: AccessService
    knowledge: KnowledgeService
    rebuilding: RebuildService
    entry_embedding: EntryEmbeddingService
    retrieval: RetrievalService
    recall: RecallService
    memory: MemoryServices
    documents: DocumentService
    source_reading: SourceReadingService
    registry: RegistryService
    verdicts: VerdictService
    workspace_search: WorkspaceSearchService
    graph: CodeGraph
    workspace: WorkspaceService
    records: RecordService
    runs: RunService
    pushes: PushService
    status: StatusService
    audit: AuditService
    insight: InsightService
    activity: ActivityService
    usage: UsageService
    quotas: QuotaService
    capture: CaptureService
    reviewing: ReviewService
    learning: LearningService
    analysis: AnalysisService
    transfer: TransferService
    reembedding: ReembeddingService

    @abstractmethod
    def new_worker(self) -> Worker: ...

    @abstractmethod
    def new_watch(self) -> FolderWatch: ...

    @abstractmethod
    def close(self) -> None: ...

    def local_actor(self, client: str) -> Actor:
        """The actor for a program on this machine that presents no token."""
        return local_actor(self.settings, client)

    def person(self, client: str) -> Actor:
        """The actor for the owner of this machine, at the command line or in a browser."""
        return person(self.settings, client)


class LazyApplication:
    """Builds the application once, on first use, and never again after it was closed."""

    def __init__(self, build: Callable[[], Application]) -> None:
        self._build = build
        self._lock = threading.Lock()
        self._built: Application | None = None
        self._closed = False

    def get(self) -> Application:
        """The application; StorageUnavailable once it is closed.

        A thread that outlives the server would otherwise build one that nobody closes.
        """
        with self._lock:
            if self._closed:
                raise StorageUnavailable("The application is closed.")
            if self._built is None:
                self._built = self._build()
            return self._built

    def built(self) -> Application | None:
        """The application if it has been built; never builds it."""
        return self._built

    def close(self) -> None:
        with self._lock:
            self._closed = True
            built, self._built = self._built, None
        if built is not None:
            built.close()


def local_actor(settings: Settings, client: str) -> Actor:
    """An agent with the usual scopes, named like its client unless settings fix a name."""
    return _actor(settings, client, AGENT_SCOPES)


def person(settings: Settings, client: str) -> Actor:
    """An actor with every scope: a person may change anything in their own home folder."""
    return _actor(settings, client, ALL_SCOPES)


def _actor(settings: Settings, client: str, default: frozenset[Scope]) -> Actor:
    scopes = frozenset(map(Scope, names_of(settings.scopes))) or default
    return Actor(settings.org, settings.agent or client, scopes, client)
