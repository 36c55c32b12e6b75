"""Builds the embedding models."""

from __future__ import annotations

from functools import partial

from commonplace.embedding.cache import QueryCache
from commonplace.embedding.port import Embedder, ServingModel
from commonplace.settings import Settings
from commonplace.storage.port import Store

_CACHED_QUERIES = 50
_CACHED_SECONDS = 60.0


def build_embedder(settings: Settings) -> Embedder:
    """The configured model: the remote endpoint if there is one, else the bundled model."""
    if not settings.embedding_url:
        return build_bundled(settings)
    return QueryCache(_endpoint(settings), _CACHED_QUERIES, _CACHED_SECONDS)


def build_bundled(settings: Settings) -> Embedder:
    return QueryCache(_bundled(settings), _CACHED_QUERIES, _CACHED_SECONDS)


def build_serving(store: Store, configured: Embedder, bundled: Embedder) -> ServingModel:
    """The model that serves searches: the configured or the bundled one, as the store says."""
    from commonplace.embedding.serving import ServingEmbedder

    known = [configured] if configured is bundled else [configured, bundled]
    return ServingEmbedder(known, partial(_searchable, store))


def _searchable(store: Store) -> list[str]:
    """The models with usable vectors; imported here because only searches need it."""
    from commonplace.worker.reembedding.service import searchable

    return searchable(store)


def _endpoint(settings: Settings) -> Embedder:
    from commonplace.embedding.endpoint import Endpoint, EndpointEmbedder

    assert settings.embedding_url, "the caller checks that an endpoint is configured"
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
            batch_size=settings.embedding_batch,
            concurrency=settings.embedding_concurrency,
        )
    )


def _bundled(settings: Settings) -> Embedder:
    from commonplace.embedding.bundled import BundledEmbedder

    return BundledEmbedder(threads=settings.embedding_threads)
