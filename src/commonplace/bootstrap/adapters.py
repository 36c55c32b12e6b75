"""Settings to every adapter that the services share: made when first used, closed together."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Protocol, TypeVar

from commonplace.bootstrap.callers import build_memory, server_key
from commonplace.bootstrap.models import build_bundled, build_embedder, build_serving
from commonplace.bootstrap.once import made_once
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
from commonplace.model.moment import Clock
from commonplace.safety.remembered import remembered_in
from commonplace.settings import Settings

if TYPE_CHECKING:
    from commonplace.reading.port import Folders, ProcessPool, Reader, TextProcess

# Of texts that were examined and found harmless, in the home.
EXAMINED = "examined"


class _Closing(Protocol):
    def close(self) -> None: ...


Closed = TypeVar("Closed", bound=_Closing)


class Adapters:
    """What the services of one process have in common.

    The store is there from the beginning, so that what is wrong with it is said at once.
    """

    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._settings = settings
        self._made = ExitStack()
        self.store = self.closed(build_store(settings, clock))
        harmless = self.closed(DigestFile(settings.home / EXAMINED))
        self._made.enter_context(remembered_in(harmless))

    def close(self) -> None:
        """Closes what was made, the latest first."""
        self._made.close()

    def closed(self, made: Closed) -> Closed:
        """Let something end with the rest."""
        self._made.callback(made.close)
        return made

    def key(self) -> bytes:
        return self._key

    @made_once
    def _key(self) -> bytes:
        return server_key(self._settings, self.store)

    @made_once
    def bundled(self) -> Embedder:
        return build_bundled(self._settings)

    @made_once
    def configured(self) -> Embedder:
        return build_embedder(self._settings) if self._settings.embedding_url else self.bundled

    @made_once
    def model(self) -> ServingModel:
        model = build_serving(self.store, self.configured, self.bundled)
        self._made.callback(model.release)
        return model

    @made_once
    def memory(self) -> SharedCache:
        return self.closed(build_memory(self._settings, self.key))

    @made_once
    def reader(self) -> Reader:
        return self.closed(build_reader(self._settings))

    @made_once
    def cutters(self) -> ProcessPool:
        return self.closed(build_pool(self._settings, CUTTING))

    @made_once
    def folders(self) -> Folders:
        return build_folders(self._settings, allowed_roots(self._settings))

    @made_once
    def captured_texts(self) -> TextProcess:
        return self.closed(build_text_process(FINDING))

    @made_once
    def stored_texts(self) -> TextProcess:
        return self.closed(build_text_process(CHUNKING))
