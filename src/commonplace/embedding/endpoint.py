"""Embeds with a model behind any OpenAI-compatible `/v1/embeddings` endpoint.

`answer.py` parses the responses. Error messages never contain the key, the URL or the text.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from threading import Lock
from typing import TYPE_CHECKING

from commonplace.embedding.answer import failure_of, vectors_of
from commonplace.embedding.calibration import calibration_for
from commonplace.embedding.port import Handling, ModelIdentity
from commonplace.embedding.windows import batches, spans
from commonplace.errors import EmbeddingUnavailable, SettingsInvalid
from commonplace.text.count import estimate_tokens

if TYPE_CHECKING:
    import ssl

    import httpx

    from commonplace.embedding.port import Vector

# Sent for an empty text, which some endpoints refuse; it means as little.
_BLANK = "."


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The address of a model, and how to send requests to it.

    `window_chars` approximates the model's token limit: about three characters per token leaves
    room for code in a 512-token model. Raise it for models with a larger window.
    """

    base_url: str = field(repr=False)
    model: str
    dimension: int
    api_key: str | None = field(default=None, repr=False)
    query_prefix: str = ""
    passage_prefix: str = ""
    timeout: float = 30.0
    batch_size: int = 32
    concurrency: int = 4
    window_chars: int = 1500
    overlap_chars: int = 200
    calibration: tuple[tuple[float, float], ...] | None = None

    def __post_init__(self) -> None:
        if self.api_key is not None and not (self.api_key.isascii() and self.api_key.isprintable()):
            raise SettingsInvalid("The embedding API key has characters that no header can carry.")

    @property
    def url(self) -> str:
        base = self.base_url.rstrip("/")
        return base if base.endswith("/embeddings") else f"{base}/embeddings"

    @property
    def identity(self) -> ModelIdentity:
        """The model's identity, known without a request. A passage prefix changes it, as it changes
        the vectors."""
        revision = "endpoint"
        if self.passage_prefix:
            revision += "-" + hashlib.sha256(self.passage_prefix.encode()).hexdigest()[:8]
        return ModelIdentity(self.model, self.dimension, revision)


class EndpointEmbedder:
    """An embedder that calls an endpoint; thread-safe, and connects on first use."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._identity = endpoint.identity
        self._calibration = calibration_for(self._identity.key, endpoint.calibration)
        self._opening = Lock()
        self._client: httpx.Client | None = None
        self._users: Counter[httpx.Client] = Counter()

    @property
    def identity(self) -> ModelIdentity:
        return self._identity

    @property
    def handling(self) -> Handling:
        """Batches large enough to use all concurrent requests."""
        return Handling(at_once=self._endpoint.batch_size * self._endpoint.concurrency)

    def embed_query(self, text: str) -> Vector:
        """Embed a query; of one longer than the window only the start counts."""
        first = self._windows(text)[0]
        return self._request([self._endpoint.query_prefix + first])[0]

    def embed_passages(self, texts: Sequence[str]) -> list[list[Vector]]:
        windows = [self._windows(text) for text in texts]
        inputs = [self._endpoint.passage_prefix + window for window in chain(*windows)]
        vectors = chain.from_iterable(self._requests(inputs))
        return [[next(vectors) for _ in parts] for parts in windows]

    def similarity(self, cosine: float) -> float:
        return self._calibration.similarity(cosine)

    def count_tokens(self, text: str) -> int:
        return estimate_tokens(text)

    def reads(self, text: str) -> bool:  # noqa: ARG002 - only whoever chose the model knows
        return True

    def release(self) -> None:
        """Close the connections; requests in progress keep theirs until they end."""
        with self._opening:
            client, self._client = self._client, None
            idle = client if client is not None and not self._users[client] else None
        if idle is not None:
            idle.close()

    def _windows(self, text: str) -> list[str]:
        readable = text.encode("utf-8", "replace").decode("utf-8").strip() or _BLANK
        places = spans(len(readable), self._endpoint.window_chars, self._endpoint.overlap_chars)
        return [readable[start:end].strip() or _BLANK for start, end in places]

    def _requests(self, inputs: Sequence[str]) -> list[list[Vector]]:
        """Send batches concurrently; an error is raised when all of them have ended."""
        some = list(batches(inputs, self._endpoint.batch_size))
        if len(some) <= 1 or self._endpoint.concurrency == 1:
            return [self._request(batch) for batch in some]
        with ThreadPoolExecutor(self._endpoint.concurrency, "embedding") as pool:
            return list(pool.map(self._request, some))

    def _request(self, inputs: list[str]) -> list[Vector]:
        import httpx

        body = {"model": self._endpoint.model, "input": inputs}
        try:
            with self._using() as client:
                response = client.post(self._endpoint.url, json=body)
        except httpx.TimeoutException as error:
            raise EmbeddingUnavailable(
                f"The embedding endpoint did not answer within {self._endpoint.timeout:g} s."
            ) from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise EmbeddingUnavailable(
                f"The embedding endpoint cannot be reached ({type(error).__name__})."
            ) from error
        if response.status_code != httpx.codes.OK:
            raise failure_of(response.status_code, response.headers.get("Retry-After"))
        return vectors_of(response.content, len(inputs), self._identity.dimension)

    @contextmanager
    def _using(self) -> Iterator[httpx.Client]:
        with self._opening:
            client = self._client = self._client or self._open()
            self._users[client] += 1
        try:
            yield client
        finally:
            with self._opening:
                self._users[client] -= 1
                released = client is not self._client and not self._users[client]
                self._users += Counter()  # forgets those that nobody uses
            if released:
                client.close()

    def _open(self) -> httpx.Client:
        import httpx

        key = self._endpoint.api_key
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        return httpx.Client(headers=headers, timeout=self._endpoint.timeout, verify=_trust())


@cache
def _trust() -> ssl.SSLContext:
    """The trusted certificates, read once per process, as that takes longer than most requests."""
    import httpx

    return httpx.create_ssl_context()
