"""The services behind the `memory` surface, each built on first use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.application import Application, MemoryServices
from commonplace.bootstrap.lazy import lazy_property
from commonplace.storage.port import Store

if TYPE_CHECKING:
    from commonplace.codegraph.service.answers import SymbolAnswers
    from commonplace.memory.service.adding import AddService
    from commonplace.memory.service.filing import FileService
    from commonplace.memory.service.opening import OpenService
    from commonplace.memory.service.recent import RecentService
    from commonplace.memory.service.remembering import RememberService
    from commonplace.memory.service.revising import ReviseService
    from commonplace.memory.service.tracing import TraceService


class WiredMemory(MemoryServices):
    """Builds the memory services on top of the other services of the application."""

    def __init__(self, others: Application, store: Store, symbols: SymbolAnswers) -> None:
        self._others = others
        self._store = store
        self._symbols = symbols

    @lazy_property
    def opening(self) -> OpenService:
        from commonplace.memory.service.opening import OpenService

        return OpenService(self._store)

    @lazy_property
    def remembering(self) -> RememberService:
        from commonplace.memory.service.remembering import RememberService

        others, refuse = self._others, self._others.settings.secrets == "refuse"
        return RememberService(
            self._store,
            others.retrieval,
            others.knowledge,
            others.quotas,
            refuse_secrets=refuse,
        )

    @lazy_property
    def revising(self) -> ReviseService:
        from commonplace.memory.service.revising import ReviseService

        others = self._others
        return ReviseService(
            self._store, others.knowledge, others.documents, others.verdicts, others.reviewing
        )

    @lazy_property
    def adding(self) -> AddService:
        from commonplace.memory.service.adding import AddService

        others = self._others
        return AddService(others.workspace, others.runs, others.documents)

    @lazy_property
    def recent(self) -> RecentService:
        from commonplace.memory.service.recent import RecentService

        return RecentService(self._store)

    @lazy_property
    def filing(self) -> FileService:
        from commonplace.memory.service.filing import FileService

        others, refuse = self._others, self._others.settings.secrets == "refuse"
        return FileService(self._store, others.knowledge, others.quotas, refuse_secrets=refuse)

    @lazy_property
    def tracing(self) -> TraceService:
        from commonplace.bootstrap.masking import masked
        from commonplace.bootstrap.readers import allowed_roots
        from commonplace.codegraph.service.history import CodeHistory
        from commonplace.codegraph.service.tracing import SymbolTracing
        from commonplace.memory.service.tracing import TraceService
        from commonplace.reading.git_log import GitLog

        log = GitLog(allowed_roots(self._others.settings))
        history = CodeHistory(self._store, log, masked)
        graph = SymbolTracing(self._store)
        return TraceService(self._store, graph, history, self._others.retrieval)
