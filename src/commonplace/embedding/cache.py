"""Caches the vectors of recent queries, as paging and retries repeat them.

Passages are never cached.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Generic, TypeVar

from commonplace.embedding.port import Embedder, Handling, ModelIdentity
from commonplace.tracing import span

if TYPE_CHECKING:
    from commonplace.embedding.port import Vector

Value = TypeVar("Value")


class RecentValues(Generic[Value]):
    """An LRU cache of at most `size` values, each kept for `seconds`."""

    def __init__(self, size: int, seconds: float) -> None:
        self._size = size
        self._seconds = seconds
        self._values: OrderedDict[str, tuple[float, Value]] = OrderedDict()

    def get(self, key: str, now: float) -> Value | None:
        expires, value = self._values.get(key, (now, None))
        if value is None:
            return None
        if expires <= now:
            del self._values[key]
            return None
        self._values.move_to_end(key)
        return value

    def put(self, key: str, value: Value, now: float) -> None:
        self._values[key] = (now + self._seconds, value)
        self._values.move_to_end(key)
        while len(self._values) > self._size:
            self._values.popitem(last=False)


class QueryCache:
    """An embedder that answers repeated queries from a cache."""

    def __init__(
        self,
        embedder: Embedder,
        size: int,
        seconds: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._embedder = embedder
        self._recent: RecentValues[Vector] = RecentValues(size, seconds)
        self._clock = clock
        self._lock = Lock()

    @property
    def identity(self) -> ModelIdentity:
        return self._embedder.identity

    @property
    def handling(self) -> Handling:
        return self._embedder.handling

    def embed_query(self, text: str) -> Vector:
        with self._lock:
            known = self._recent.get(text, self._clock())
        if known is not None:
            return known
        with span("embed", what="query", texts=1):
            vector = self._embedder.embed_query(text)
        vector.setflags(write=False)
        with self._lock:
            self._recent.put(text, vector, self._clock())
        return vector

    def embed_passages(self, texts: Sequence[str]) -> list[list[Vector]]:
        with span("embed", what="passages", texts=len(texts)):
            return self._embedder.embed_passages(texts)

    def similarity(self, cosine: float) -> float:
        return self._embedder.similarity(cosine)

    def count_tokens(self, text: str) -> int:
        return self._embedder.count_tokens(text)

    def reads(self, text: str) -> bool:
        return self._embedder.reads(text)

    def release(self) -> None:
        """Release the embedder but keep the cached vectors, which are small and still valid."""
        self._embedder.release()
