"""The only wiring: settings to adapters to services. Adapters are imported when they are needed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache, partial
from os.path import realpath
from pathlib import Path
from tempfile import gettempdir
from typing import Any

from commonplace.access.claims import ClaimNames
from commonplace.access.rules import CallRates
from commonplace.access.service import AccessService, Policy
from commonplace.application import Application
from commonplace.cache.in_process import InProcessMemory
from commonplace.cache.port import SharedMemory
from commonplace.capture.service import CaptureService
from commonplace.codegraph.service import CodeGraph
from commonplace.documents.service import IngestionService
from commonplace.embedding.cache import QueryCache
from commonplace.embedding.port import Embedder, ServingModel
from commonplace.errors import StorageUnavailable
from commonplace.issuers.port import Issuer
from commonplace.knowledge.service import KnowledgeService
from commonplace.knowledge.usage.service import QuotaService, UsageService
from commonplace.model.moment import Clock
from commonplace.model.quota import BYTES_STORED, KNOWLEDGE_STORED
from commonplace.model.run import RunKind
from commonplace.operations.status.service import UpkeepService
from commonplace.operations.transfer.service import TransferService
from commonplace.reading.port import Crew, Folders, Reader
from commonplace.registry.service import RegistryService
from commonplace.retrieval.service import RetrievalService
from commonplace.settings import Settings, lowered_names_of, names_of
from commonplace.storage.port import Store
from commonplace.storage.port.archive import Vault
from commonplace.storage.port.records import Records
from commonplace.storage.sqlite.vectors.port import VectorIndexes
from commonplace.worker.reembedding.service import ReembeddingService, searchable
from commonplace.worker.service.embedding import WaitingChunks
from commonplace.worker.service.loop import Worker
from commonplace.workspace.indexing.service import FolderIndexer
from commonplace.workspace.projects.policy import Surroundings
from commonplace.workspace.projects.service import WorkspaceService
from commonplace.workspace.pushing.manifest import PushLimits
from commonplace.workspace.pushing.service import PushService
from commonplace.workspace.records.service import RecordService
from commonplace.workspace.runs.service import IngestService
from commonplace.workspace.search.service import LookupService
from commonplace.workspace.watching.service import FolderWatch

_CACHED_QUERIES = 50
_CACHED_SECONDS = 60.0
_CUTTING = "commonplace.workspace.indexing.drafts:chunks_of_text"
_EXTRACTING = "commonplace.codegraph.keeping.apart:extract_some"
_MOST_AT_ONCE = 4


def utc_now() -> datetime:
    return datetime.now(UTC)


def build(settings: Settings, clock: Clock = utc_now) -> Application:
    store, configured = build_store(settings, clock), build_embedder(settings)
    model = build_serving(settings, store, configured)
    key = cache(partial(server_key, settings, store))
    memory = build_memory(settings, key)
    quotas = build_quotas(settings, store)
    knowledge = KnowledgeService(store, quotas, model, memory if settings.redis_url else None)
    retrieval = RetrievalService(store, model)

    reader = build_reader(settings)
    ingestion = build_ingestion(settings, store, model, reader, quotas)
    folders = build_folders(settings, surroundings(settings).allowed)
    cutters = build_crew(settings, _CUTTING)
    graph = build_graph(settings, store)
    indexer = FolderIndexer(store, folders, reader, cutters, graph)
    chunks = WaitingChunks(store, model)
    ingests = IngestService(store, chunks, indexer, settings.ingest_embedding_seconds)
    reembedding = partial(ReembeddingService, store, configured, clock)

    def new_worker() -> Worker:
        handlers = {
            RunKind.REBUILD: knowledge.rebuild_batch,
            RunKind.SOURCE: ingestion.process,
            RunKind.INGEST: ingests.process,
        }
        idle = settings.embedding_idle_seconds
        tellers = {RunKind.SOURCE: ingestion.set_aside, RunKind.INGEST: ingests.set_aside}
        return Worker(store, model, clock, handlers, idle, keeper=reembedding(), tellers=tellers)

    def close() -> None:
        cutters.close()
        reader.close()
        graph.close()
        model.release()
        memory.close()
        store.close()

    return Application(
        settings=settings,
        access=AccessService(store, memory, key, clock, build_policy(settings)),
        knowledge=knowledge,
        retrieval=retrieval,
        ingestion=ingestion,
        registry=build_registry(settings, store, retrieval, quotas),
        workspace=build_workspace(settings, store, model, folders, graph),
        records=RecordService(store, quotas),
        ingests=ingests,
        pushes=build_pushes(settings, store, quotas),
        lookup=LookupService(store, retrieval, graph),
        graph=graph,
        upkeep=UpkeepService(store, model, key),
        usage=UsageService(store),
        quotas=quotas,
        capture=CaptureService(store, knowledge, retrieval, quotas),
        transfer=TransferService(build_records(settings, clock), clock),
        reembedding=reembedding(),
        new_worker=new_worker,
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


def build_store(settings: Settings, clock: Clock) -> Store:
    if settings.database_url:
        from commonplace.storage.postgres.store import PostgresStore

        url = settings.database_url.get_secret_value()
        replica = settings.replica_url.get_secret_value() if settings.replica_url else None
        return PostgresStore(url, clock, settings.database_pool, replica, network=settings.network)
    from commonplace.storage.sqlite.store import SqliteStore

    _make_home(settings.home)
    indexes = partial(_layered_indexes, settings)
    return SqliteStore(settings.database_file, clock, indexes, network=settings.network)


def build_vault(settings: Settings, clock: Clock = utc_now) -> Vault:
    """Opens nothing yet: what is restored may be in no state to be opened."""
    if settings.database_url:
        from commonplace.storage.postgres.vault import PostgresVault

        return PostgresVault(settings.database_url.get_secret_value(), clock)
    from commonplace.storage.sqlite.vault import SqliteVault

    return SqliteVault(settings.database_file, clock)


def build_records(settings: Settings, clock: Clock) -> Records:
    if settings.database_url:
        from commonplace.storage.postgres.records import PostgresRecords

        return PostgresRecords(settings.database_url.get_secret_value(), clock)
    from commonplace.storage.sqlite.records import SqliteRecords

    return SqliteRecords(settings.database_file, clock)


def transfer_of_file(file: Path, clock: Clock = utc_now) -> TransferService:
    """Moves rows of a file apart from the settings, such as one saved from a damaged database."""
    from commonplace.storage.sqlite.records import SqliteRecords

    return TransferService(SqliteRecords(file, clock), clock)


def server_key(settings: Settings, store: Store) -> bytes:
    if settings.token_key:
        return settings.token_key.get_secret_value().encode()
    return store.credentials.server_key()


def build_memory(settings: Settings, key: Callable[[], bytes]) -> SharedMemory:
    shared = build_redis(settings, key)
    if shared is None:
        return InProcessMemory()
    from commonplace.cache.fallback import FallbackMemory

    return FallbackMemory(shared, InProcessMemory())


def build_redis(settings: Settings, key: Callable[[], bytes]) -> SharedMemory | None:
    if not settings.redis_url:
        return None
    from commonplace.cache.redis_server import RedisMemory

    return RedisMemory(settings.redis_url.get_secret_value(), key)


def build_policy(settings: Settings) -> Policy:
    return Policy(
        rates=CallRates(settings.rate_limit, settings.rate_limit_read),
        claims=ClaimNames(settings.oauth_org_claim, settings.oauth_agent_claim, settings.oauth_org),
        issuer=build_issuer(settings),
    )


def build_issuer(settings: Settings) -> Issuer | None:
    """Light until the first signed token comes: keys are fetched and read then."""
    if not settings.oauth_issuer:
        return None
    from commonplace.issuers.key_set import KeySet
    from commonplace.issuers.signed import SignedTokens

    keys = KeySet(build_key_fetch(settings.oauth_issuer, settings.oauth_jwks_url))
    audiences = names_of(settings.oauth_audience) or [settings.resource]
    return SignedTokens(settings.oauth_issuer, audiences, keys)


def build_key_fetch(issuer: str, address: str | None) -> Callable[[], Mapping[str, Any]]:
    from commonplace.issuers.documents import issuer_keys

    return issuer_keys(issuer, address)


def _make_home(home: Path) -> None:
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        message = f"The data folder (COMMONPLACE_HOME) cannot be made: {reason}."
        raise StorageUnavailable(message) from error


def _layered_indexes(settings: Settings) -> VectorIndexes:
    from commonplace.storage.sqlite.vectors.indexes import LayeredIndexes

    return LayeredIndexes(settings.home / "vectors")


def build_embedder(settings: Settings) -> Embedder:
    make = partial(_endpoint, settings) if settings.embedding_url else partial(_bundled, settings)
    return QueryCache(make(), _CACHED_QUERIES, _CACHED_SECONDS)


def build_serving(settings: Settings, store: Store, configured: Embedder) -> ServingModel:
    """The model that serves, of those that this process has: the configured and the bundled."""
    from commonplace.embedding.serving import ServingEmbedder

    known = [configured]
    if settings.embedding_url:
        known.append(QueryCache(_bundled(settings), _CACHED_QUERIES, _CACHED_SECONDS))
    return ServingEmbedder(known, partial(searchable, store))


def build_reader(settings: Settings) -> Reader:
    """Light until it is used: parsers are loaded in a process of their own."""
    from commonplace.reading.extraction import ReadingLimits
    from commonplace.reading.sandbox import SandboxedReader

    limits = ReadingLimits(
        seconds=settings.source_seconds, memory_bytes=settings.source_memory_bytes
    )
    return SandboxedReader(limits)


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
    settings: Settings, store: Store, model: ServingModel, reader: Reader, quotas: QuotaService
) -> IngestionService:
    from commonplace.reading.addresses import AddressGuard
    from commonplace.reading.fetching import FetchLimits, HttpFetcher

    fetch_limits = FetchLimits(
        settings.source_max_bytes, settings.fetch_seconds, settings.fetch_robots
    )
    guard = AddressGuard(names_of(settings.fetch_allow))
    return IngestionService(
        store,
        model,
        reader,
        HttpFetcher(guard, fetch_limits),
        quotas,
        settings.source_max_bytes,
    )


def build_registry(
    settings: Settings, store: Store, retrieval: RetrievalService, quotas: QuotaService
) -> RegistryService:
    trusted = names_of(settings.trusted_agents)
    return RegistryService(store, retrieval, quotas, trusted, network=settings.network)


def build_folders(settings: Settings, allowed: tuple[str, ...] | None = None) -> Folders:
    """Folders of this machine; only those below the allowed ones, if there are such."""
    from commonplace.reading.folders import DiskFolders, FolderLimits

    limits = FolderLimits(
        files=settings.max_source_files,
        document_bytes=settings.source_max_bytes,
        also_read=lowered_names_of(settings.also_read),
    )
    return DiskFolders(limits, allowed)


def build_crew(settings: Settings, function: str) -> Crew:
    """A pool of as many reading processes as there are cores; each starts when first asked."""
    from commonplace.reading.apart import ApartLimits, ProcessApart
    from commonplace.reading.crew import ApartCrew

    limits = ApartLimits(settings.source_seconds, settings.source_memory_bytes)
    width = min(os.cpu_count() or 1, _MOST_AT_ONCE)
    return ApartCrew([ProcessApart(function, limits) for _ in range(width)])


def build_graph(settings: Settings, store: Store) -> CodeGraph:
    return CodeGraph(store, build_crew(settings, _EXTRACTING))


def build_watch(store: Store, indexer: FolderIndexer, ingests: IngestService) -> FolderWatch:
    from commonplace.reading.watching import FolderWatcher

    return FolderWatch(store, FolderWatcher(), indexer, ingests)


def build_workspace(
    settings: Settings, store: Store, model: ServingModel, folders: Folders, graph: CodeGraph
) -> WorkspaceService:
    from commonplace.reading.places import LocalPlaces

    return WorkspaceService(store, model, LocalPlaces(), folders, surroundings(settings), graph)


def surroundings(settings: Settings) -> Surroundings:
    """One user's server may read what its user may; one for many only what it was given."""
    roots = tuple(map(_real, names_of(settings.roots)))
    return Surroundings(
        home=_home_of_user(),
        temporary=(_real(gettempdir()),),
        own_data=_real(settings.home),
        allowed=roots if settings.database_url else None,
    )


def _home_of_user() -> str | None:
    try:
        return _real(Path.home())
    except RuntimeError:
        return None


def _real(path: str | Path) -> str:
    return realpath(path).replace("\\", "/")


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
