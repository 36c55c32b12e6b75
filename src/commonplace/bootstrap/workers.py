"""Services to the work behind them: what a worker does of which kind, and changes of the model."""

from __future__ import annotations

from commonplace.bootstrap.adapters import Adapters
from commonplace.documents.service import IngestionService
from commonplace.knowledge.service.rebuilding import RebuildService
from commonplace.model.moment import Clock
from commonplace.model.run import RunKind
from commonplace.settings import Settings
from commonplace.worker.reembedding.service import ReembeddingService
from commonplace.worker.service.loop import Worker
from commonplace.workspace.runs.service import IngestService


def build_reembedding(adapters: Adapters, clock: Clock) -> ReembeddingService:
    return ReembeddingService(adapters.store, adapters.configured, clock)


def build_worker(
    settings: Settings,
    adapters: Adapters,
    clock: Clock,
    rebuilding: RebuildService,
    ingestion: IngestionService,
    ingests: IngestService,
) -> Worker:
    return Worker(
        adapters.store,
        adapters.model,
        clock,
        handlers={
            RunKind.REBUILD: rebuilding.batch,
            RunKind.SOURCE: ingestion.process,
            RunKind.INGEST: ingests.process,
        },
        idle=settings.embedding_idle_seconds,
        keeper=build_reembedding(adapters, clock),
        tellers={RunKind.SOURCE: ingestion.set_aside, RunKind.INGEST: ingests.set_aside},
    )
