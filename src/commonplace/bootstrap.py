"""The only wiring: settings to adapters to services. Adapters are imported when they are needed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from commonplace.application import Application
from commonplace.background.service import Worker
from commonplace.capture.service import CaptureService
from commonplace.embedding.port import Embedder
from commonplace.errors import StorageUnavailable
from commonplace.ingestion.service import IngestionService
from commonplace.knowledge.service import KnowledgeService
from commonplace.model.moment import Clock
from commonplace.model.run import RunKind
from commonplace.reading.port import Reader
from commonplace.registry.service import RegistryService
from commonplace.retrieval.service import RetrievalService
from commonplace.settings import Settings, names_of
from commonplace.storage.port import Store
from commonplace.upkeep.service import UpkeepService
from commonplace.usage.service import UsageService
from commonplace.vectors.port import VectorIndexes

_CACHED_QUERIES = 50
_CACHED_SECONDS = 60.0


def utc_now() -> datetime:
    return datetime.now(UTC)


def build(settings: Settings, clock: Clock = utc_now) -> Application:
    store = build_store(settings, clock)
    embedder = build_embedder(settings)
    quotas = {"knowledge_stored": settings.quota_knowledge_stored}
    knowledge = KnowledgeService(store, quotas, embedder)
    retrieval = RetrievalService(store, embedder)

    reader = build_reader(settings)
    ingestion = build_ingestion(settings, store, embedder, reader)

    def new_worker() -> Worker:
        handlers = {
            RunKind.REBUILD: knowledge.rebuild_batch,
            RunKind.SOURCE: ingestion.process,
        }
        return Worker(store, embedder, clock, handlers, settings.embedding_idle_seconds)

    def close() -> None:
        reader.close()
        embedder.release()
        store.close()

    return Application(
        settings=settings,
        knowledge=knowledge,
        retrieval=retrieval,
        ingestion=ingestion,
        registry=RegistryService(store, retrieval, names_of(settings.trusted_agents)),
        upkeep=UpkeepService(store, embedder),
        usage=UsageService(store),
        capture=CaptureService(store, knowledge, retrieval),
        new_worker=new_worker,
        close=close,
    )


@contextmanager
def running(settings: Settings) -> Iterator[Application]:
    application = build(settings)
    try:
        yield application
    finally:
        application.close()


def build_store(settings: Settings, clock: Clock) -> Store:
    if settings.database_url:
        from commonplace.storage.postgres.store import PostgresStore

        url = settings.database_url.get_secret_value()
        replica = settings.replica_url.get_secret_value() if settings.replica_url else None
        return PostgresStore(url, clock, settings.database_pool, replica)
    from commonplace.storage.sqlite.store import SqliteStore

    _make_home(settings.home)
    return SqliteStore(settings.database_file, clock, partial(_layered_indexes, settings))


def _make_home(home: Path) -> None:
    try:
        home.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageUnavailable("The data folder (COMMONPLACE_HOME) cannot be made.") from error


def _layered_indexes(settings: Settings) -> VectorIndexes:
    from commonplace.vectors.indexes import LayeredIndexes

    return LayeredIndexes(settings.home / "vectors")


def build_embedder(settings: Settings) -> Embedder:
    from commonplace.embedding.cache import QueryCache

    make = partial(_endpoint, settings) if settings.embedding_url else partial(_bundled, settings)
    return QueryCache(make(), _CACHED_QUERIES, _CACHED_SECONDS)


def build_reader(settings: Settings) -> Reader:
    """Light until it is used: parsers are loaded in a process of their own."""
    from commonplace.reading.extraction import Limits
    from commonplace.reading.sandbox import SandboxedReader

    limits = Limits(seconds=settings.source_seconds, memory_bytes=settings.source_memory_bytes)
    return SandboxedReader(limits)


def build_ingestion(
    settings: Settings, store: Store, embedder: Embedder, reader: Reader
) -> IngestionService:
    from commonplace.reading.addresses import AddressGuard
    from commonplace.reading.fetching import FetchLimits, HttpFetcher

    fetch_limits = FetchLimits(
        settings.source_max_bytes, settings.fetch_seconds, settings.fetch_robots
    )
    guard = AddressGuard(names_of(settings.fetch_allow))
    return IngestionService(
        store,
        embedder,
        reader,
        HttpFetcher(guard, fetch_limits),
        settings.source_max_bytes,
    )


def _endpoint(settings: Settings) -> Embedder:
    from commonplace.embedding.endpoint import Endpoint, EndpointEmbedder

    assert settings.embedding_url, "asked for only where an endpoint is configured"
    assert settings.embedding_model, "settings refuse a URL without a model"
    assert settings.embedding_dimension, "settings refuse a URL without a dimension"
    key = settings.embedding_api_key
    return EndpointEmbedder(
        Endpoint(
            base_url=settings.embedding_url,
            model=settings.embedding_model,
            dimension=settings.embedding_dimension,
            api_key=key.get_secret_value() if key else None,
            query_prefix=settings.embedding_query_prefix,
            passage_prefix=settings.embedding_passage_prefix,
        )
    )


def _bundled(settings: Settings) -> Embedder:
    from commonplace.embedding.bundled import BundledEmbedder

    return BundledEmbedder(threads=settings.embedding_threads)
