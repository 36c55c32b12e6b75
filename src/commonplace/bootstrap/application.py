"""Everything put together: the services, what they share, and the work behind them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from commonplace.access.service import AccessService
from commonplace.application import Application
from commonplace.bootstrap.adapters import build_adapters
from commonplace.bootstrap.callers import build_policy
from commonplace.bootstrap.services import (
    Rooms,
    build_graph,
    build_ingestion,
    build_memory_services,
    build_pushes,
    build_quotas,
    build_registry,
    build_watch,
    build_workspace,
)
from commonplace.bootstrap.stores import build_records, utc_now
from commonplace.bootstrap.workers import build_reembedding, build_worker
from commonplace.capture.service.analysing import AnalysisService
from commonplace.capture.service.capturing import CaptureService
from commonplace.capture.service.learning import LearningService
from commonplace.capture.service.reviewing import ReviewService
from commonplace.knowledge.service.entries import KnowledgeService
from commonplace.knowledge.service.preparing import EntryChunks
from commonplace.knowledge.service.rebuilding import RebuildService
from commonplace.knowledge.usage.service import UsageService
from commonplace.model.moment import Clock
from commonplace.operations.insight.service import InsightService
from commonplace.operations.status.service import UpkeepService
from commonplace.operations.transfer.service import TransferService
from commonplace.recall.service import RecallService
from commonplace.retrieval.service.search import RetrievalService
from commonplace.settings import Settings
from commonplace.worker.service.embedding import WaitingChunks
from commonplace.workspace.indexing.service import FolderIndexer
from commonplace.workspace.records.service import RecordService
from commonplace.workspace.runs.service import IngestService
from commonplace.workspace.search.service import LookupService


def build(settings: Settings, clock: Clock = utc_now) -> Application:
    adapters = build_adapters(settings, clock)
    store, model = adapters.store, adapters.model
    quotas = build_quotas(settings, store)
    answers = adapters.memory if settings.redis_url else None
    entry_chunks = EntryChunks(adapters.stored_texts)
    knowledge = KnowledgeService(store, quotas, model, entry_chunks, answers)
    rebuilding = RebuildService(store)
    retrieval = RetrievalService(store, model)
    analysis = AnalysisService(adapters.captured_texts)
    learning = LearningService(store, analysis)
    ingestion = build_ingestion(settings, adapters, quotas)
    registry = build_registry(settings, store, retrieval, quotas)
    reviewing = ReviewService(store, knowledge, quotas)
    graph = build_graph(settings, store)
    indexer = FolderIndexer(store, adapters.folders, adapters.reader, adapters.cutters, graph)
    workspace = build_workspace(settings, adapters, graph)
    chunks = WaitingChunks(store, model)
    ingests = IngestService(store, chunks, indexer, settings.ingest_embedding_seconds)
    rooms = Rooms(knowledge, retrieval, quotas, ingestion, registry, reviewing, workspace, ingests)

    def close() -> None:
        graph.close()
        adapters.close()

    return Application(
        settings=settings,
        access=AccessService(store, adapters.memory, adapters.key, clock, build_policy(settings)),
        knowledge=knowledge,
        rebuilding=rebuilding,
        retrieval=retrieval,
        recall=RecallService(store, retrieval),
        memory=build_memory_services(settings, store, rooms),
        ingestion=ingestion,
        registry=registry,
        workspace=workspace,
        records=RecordService(store, quotas, entry_chunks),
        ingests=ingests,
        pushes=build_pushes(settings, store, quotas),
        lookup=LookupService(store, retrieval, graph.answers),
        graph=graph,
        upkeep=UpkeepService(store, model, adapters.key),
        insight=InsightService(store),
        usage=UsageService(store),
        quotas=quotas,
        capture=CaptureService(store, knowledge, retrieval, quotas, learning, analysis),
        reviewing=reviewing,
        learning=learning,
        analysis=analysis,
        transfer=TransferService(build_records(settings, clock), clock),
        reembedding=build_reembedding(adapters, clock),
        new_worker=partial(build_worker, settings, adapters, clock, rebuilding, ingestion, ingests),
        new_watch=partial(build_watch, store, indexer, ingests),
        close=close,
    )


@contextmanager
def running(settings: Settings) -> Iterator[Application]:
    application = build(settings)
    try:
        yield application
    finally:
        application.close()
