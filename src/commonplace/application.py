"""Everything a server or a command works with, once `bootstrap` has put it together.

Services are named here and imported there: a client is greeted before they are.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING

from commonplace.model.actor import AGENT_SCOPES, ALL_SCOPES, Actor, Scope
from commonplace.settings import Settings, names_of

if TYPE_CHECKING:
    from commonplace.access.service import AccessService
    from commonplace.capture.service.analysing import AnalysisService
    from commonplace.capture.service.capturing import CaptureService
    from commonplace.capture.service.learning import LearningService
    from commonplace.capture.service.reviewing import ReviewService
    from commonplace.codegraph.service.graph import CodeGraph
    from commonplace.documents.service import DocumentService
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
    from commonplace.operations.insight.service import InsightService
    from commonplace.operations.status.service import UpkeepService
    from commonplace.operations.transfer.service import TransferService
    from commonplace.recall.service import RecallService
    from commonplace.registry.service import RegistryService
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
    """The services of the one memory."""

    opening: OpenService
    remembering: RememberService
    revising: ReviseService
    tracing: TraceService
    adding: AddService
    recent: RecentService
    filing: FileService


class Application(ABC):
    """Each service is made when it is first asked for: a command imports what it needs."""

    settings: Settings
    access: AccessService
    knowledge: KnowledgeService
    rebuilding: RebuildService
    retrieval: RetrievalService
    recall: RecallService
    memory: MemoryServices
    documents: DocumentService
    registry: RegistryService
    workspace_search: WorkspaceSearchService
    graph: CodeGraph
    workspace: WorkspaceService
    records: RecordService
    runs: RunService
    pushes: PushService
    upkeep: UpkeepService
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
        """An agent that nobody has named: a program on this machine that shows no token."""
        return local_actor(self.settings, client)

    def person(self, client: str) -> Actor:
        """The person whose machine it is, at the command line or in a browser."""
        return person(self.settings, client)


class LazyApplication:
    """Builds the application once, when it is first needed or when told to warm up."""

    def __init__(self, build: Callable[[], Application]) -> None:
        self._build = build
        self._lock = threading.Lock()
        self._built: Application | None = None

    def get(self) -> Application:
        with self._lock:
            if self._built is None:
                self._built = self._build()
            return self._built

    def built(self) -> Application | None:
        """What was built already."""
        return self._built

    def close(self) -> None:
        with self._lock:
            if self._built is not None:
                self._built.close()
                self._built = None


def local_actor(settings: Settings, client: str) -> Actor:
    """Two programs are two agents, each under the name that it gives itself."""
    return _acting(settings, client, AGENT_SCOPES)


def person(settings: Settings, client: str) -> Actor:
    """Agents are agents, but a person may change whatever stands in their own home."""
    return _acting(settings, client, ALL_SCOPES)


def _acting(settings: Settings, client: str, usual: frozenset[Scope]) -> Actor:
    scopes = frozenset(map(Scope, names_of(settings.scopes))) or usual
    return Actor(settings.org, settings.agent or client, scopes, client)
