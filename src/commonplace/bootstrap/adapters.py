"""The adapters that the services of a process share: built on first use, closed together."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Protocol, TypeVar

from commonplace.bootstrap.access import build_shared_cache, server_key
from commonplace.bootstrap.lazy import lazy_property
from commonplace.bootstrap.models import build_bundled, build_embedder, build_serving
from commonplace.bootstrap.readers import (
    CHUNKING,
    CUTTING,
    FINDING,
    allowed_roots,
    build_folders,
    build_pool,
    build_reader,
    build_text_process,
)
from commonplace.bootstrap.stores import build_store
from commonplace.cache.digest_file import DigestFile
from commonplace.cache.port import SharedCache
from commonplace.embedding.port import Embedder, ServingModel
from commonplace.errors import StorageUnavailable
from commonplace.model.times import Clock
from commonplace.safety.remembered import remembered_in
from commonplace.settings import Settings

if TYPE_CHECKING:
    from commonplace.reading.port import Folders, ProcessPool, Reader, TextProcess

# The file of the home folder with digests of texts that the safety check found harmless.
EXAMINED = "examined"


class _Closable(Protocol):
    def close(self) -> None: ...


Closable = TypeVar("Closable", bound=_Closable)


class Adapters:
    """Builds adapters from settings.

    The store is opened at once, so that a problem with it is reported at start-up.
    """

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._settings = settings
        self._registering = threading.Lock()
        self._to_close: ExitStack | None = ExitStack()
        self.store = self.closing(build_store(settings, clock))
        harmless = self.closing(DigestFile(settings.home / EXAMINED))
        use = ExitStack()
        use.enter_context(remembered_in(harmless))
        self.closing(use)

    def close(self) -> None:
        """Close the adapters that were built, the newest first."""
        with self._registering:
            to_close, self._to_close = self._to_close, None
        if to_close:
            to_close.close()

    def closing(self, adapter: Closable) -> Closable:
        """Register an adapter to be closed with the others, and return it."""
        self._at_close(adapter.close)
        return adapter

    def _at_close(self, close: Callable[[], None]) -> None:
        """Register a function for `close`. After that, call it now and refuse the adapter.

        A thread that outlives the application may still ask for an adapter.
        """
        with self._registering:
            if self._to_close:
                self._to_close.callback(close)
                return
        close()
        raise StorageUnavailable("The application is closed.")

    def key(self) -> bytes:
        return self._key

    @lazy_property
    def _key(self) -> bytes:
        return server_key(self._settings, self.store)

    @lazy_property
    def bundled(self) -> Embedder:
        return build_bundled(self._settings)

    @lazy_property
    def configured(self) -> Embedder:
        return build_embedder(self._settings) if self._settings.embedding_url else self.bundled

    @lazy_property
    def model(self) -> ServingModel:
        model = build_serving(self.store, self.configured, self.bundled)
        self._at_close(model.release)
        return model

    @lazy_property
    def shared_cache(self) -> SharedCache:
        return self.closing(build_shared_cache(self._settings, self.key))

    @lazy_property
    def reader(self) -> Reader:
        return self.closing(build_reader(self._settings))

    @lazy_property
    def cutters(self) -> ProcessPool:
        return self.closing(build_pool(self._settings, CUTTING))

    @lazy_property
    def folders(self) -> Folders:
        return build_folders(self._settings, allowed_roots(self._settings))

    @lazy_property
    def captured_texts(self) -> TextProcess:
        return self.closing(build_text_process(FINDING))

    @lazy_property
    def stored_texts(self) -> TextProcess:
        return self.closing(build_text_process(CHUNKING))
