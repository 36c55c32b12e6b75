"""Settings of the embedding model."""

from __future__ import annotations

from pydantic import BaseModel, Field, SecretStr

from commonplace.settings.values import PART, HttpAddress


class EmbeddingSettings(BaseModel):
    """The model that texts are embedded with."""

    model_config = PART

    embedding_url: HttpAddress | None = Field(
        default=None,
        description="An OpenAI-compatible `/v1` endpoint; without it, the bundled model.",
    )
    embedding_model: str | None = Field(
        default=None, description="Model name to request from the endpoint (needed with a URL)."
    )
    embedding_dimension: int | None = Field(
        default=None,
        ge=8,
        le=4000,
        description="Vector length of the endpoint's model (needed with a URL).",
    )
    embedding_api_key: SecretStr | None = Field(
        default=None, description="Bearer key for the endpoint, if it requires one."
    )
    embedding_query_prefix: str = Field(
        default="", description="Prefix that the endpoint's model expects before a query."
    )
    embedding_passage_prefix: str = Field(
        default="", description="Prefix that the endpoint's model expects before a stored passage."
    )
    embedding_batch: int = Field(
        default=32, ge=1, le=2048, description="Texts per request to the endpoint."
    )
    embedding_concurrency: int = Field(
        default=4,
        ge=1,
        le=64,
        description="Concurrent requests with stored text from a worker to the endpoint.",
    )
    embedding_threads: int = Field(
        default=2,
        ge=1,
        le=64,
        description="Texts that the bundled model embeds at once, each on its own thread.",
    )
    embedding_idle_seconds: float = Field(
        default=300.0, gt=0, description="Unload the bundled model after this long without use."
    )
