"""A model behind any OpenAI-compatible `/v1/embeddings` endpoint.

Decides requests, limits and what each failure means. What an answer must look like is in
`answer.py`. Messages never carry the key, the URL or the text.
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

# Some endpoints refuse an empty input; a full stop says as little.
_BLANK = "."


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where the model is and how it wants to be asked.

    `window_chars` stands for the model's token limit: about three characters per token leaves
    room for code in a 512-token model. Raise it for models that read more.
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
        """The identity, from settings alone, not an answer; a passage prefix moves vectors."""
        revision = "endpoint"
        if self.passage_prefix:
            revision += "-" + hashlib.sha256(self.passage_prefix.encode()).hexdigest()[:8]
        return ModelIdentity(self.model, self.dimension, revision)


class EndpointEmbedder:
    """Any number of threads may share it; connections are opened on first use."""

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
        """Keeps all requests busy that may be under way."""
        return Handling(at_once=self._endpoint.batch_size * self._endpoint.concurrency)

    def embed_query(self, text: str) -> Vector:
        """A query longer than the window is read from its start only."""
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
        """A request that is under way keeps its connection until it ends."""
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
        """Several at a time; what one of them raises is raised when all have ended."""
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
    """The certificates to trust, read once in a process: that takes longer than most requests."""
    import httpx

    return httpx.create_ssl_context()
