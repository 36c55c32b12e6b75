"""Looks over the shoulder of a search: how long each call to a port takes, nothing changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from benchmarks.latency.floor import Stopwatch
from commonplace.embedding.port import Embedder, Handling, ModelIdentity
from commonplace.model.actor import Actor
from commonplace.storage.port import Store

if TYPE_CHECKING:
    from commonplace.embedding.port import Vector

STAGES = {
    "chunks.lexical": "lexical candidates",
    "vectors.nearest": "vector candidates",
    "chunks.terms": "fetch terms",
    "chunks.fetch": "fetch page",
    "vectors.cosines": "missing cosines",
    "entries.by_keys": "entries",
    "chunks.unembedded": "count pending",
    "statistics.load": "statistics",
}


class WatchedEmbedder:
    """Implements embedding.port.Embedder."""

    def __init__(self, embedder: Embedder, watch: Stopwatch) -> None:
        self._embedder = embedder
        self._watch = watch

    @property
    def identity(self) -> ModelIdentity:
        return self._embedder.identity

    @property
    def handling(self) -> Handling:
        return self._embedder.handling

    def embed_query(self, text: str) -> Vector:
        with self._watch.measure("embedding"):
            return self._embedder.embed_query(text)

    def embed_passages(self, texts: Sequence[str]) -> list[list[Vector]]:
        return self._embedder.embed_passages(texts)

    def similarity(self, cosine: float) -> float:
        return self._embedder.similarity(cosine)

    def count_tokens(self, text: str) -> int:
        return self._embedder.count_tokens(text)

    def reads(self, text: str) -> bool:
        return self._embedder.reads(text)

    def release(self) -> None:
        self._embedder.release()


class WatchedStore:
    """A store whose reading transactions are watched; everything else passes through."""

    def __init__(self, store: Store, watch: Stopwatch) -> None:
        self._store = store
        self._watch = watch

    def read(self, actor: Actor) -> AbstractContextManager[Any]:
        return self._opened(self._store.read(actor))

    def search(self, actor: Actor) -> AbstractContextManager[Any]:
        return self._opened(self._store.search(actor))

    @contextmanager
    def _opened(self, transaction: AbstractContextManager[Any]) -> Iterator[Any]:
        with ExitStack() as stack:
            with self._watch.measure("begin"):
                tx = stack.enter_context(transaction)
            yield _Watched(tx, self._watch)
            with self._watch.measure("end"):
                stack.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


class _Watched:
    """Passes everything through; methods that are stages are timed."""

    def __init__(self, watched: Any, watch: Stopwatch, path: str = "") -> None:
        self._watched = watched
        self._watch = watch
        self._path = path

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._watched, name)
        path = f"{self._path}.{name}" if self._path else name
        if stage := STAGES.get(path):
            return self._timed(value, stage)
        inside = any(known.startswith(f"{path}.") for known in STAGES)
        return _Watched(value, self._watch, path) if inside else value

    def _timed(self, method: Callable[..., Any], stage: str) -> Callable[..., Any]:
        def timed(*given: Any) -> Any:
            with self._watch.measure(stage):
                return method(*given)

        return timed
