"""Settings to every adapter that the services share, opened and closed together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial

from commonplace.bootstrap.callers import build_memory, server_key
from commonplace.bootstrap.models import build_embedder, build_serving
from commonplace.bootstrap.readers import (
    CHUNKING,
    CUTTING,
    FINDING,
    build_crew,
    build_folders,
    build_reader,
    build_texts_apart,
    surroundings,
)
from commonplace.bootstrap.stores import build_store
from commonplace.cache.port import SharedCache
from commonplace.embedding.port import Embedder, ServingModel
from commonplace.model.moment import Clock
from commonplace.reading.port import Crew, Folders, Reader, TextsApart
from commonplace.settings import Settings
from commonplace.storage.port import Store


@dataclass(frozen=True, slots=True)
class Adapters:
    """What the services of one process have in common; light until it is used."""

    store: Store
    configured: Embedder
    model: ServingModel
    key: Callable[[], bytes]
    memory: SharedCache
    reader: Reader
    cutters: Crew
    folders: Folders
    captured_texts: TextsApart
    stored_texts: TextsApart

    def close(self) -> None:
        self.captured_texts.close()
        self.stored_texts.close()
        self.cutters.close()
        self.reader.close()
        self.model.release()
        self.memory.close()
        self.store.close()


def build_adapters(settings: Settings, clock: Clock) -> Adapters:
    store, configured = build_store(settings, clock), build_embedder(settings)
    key = cache(partial(server_key, settings, store))
    return Adapters(
        store=store,
        configured=configured,
        model=build_serving(settings, store, configured),
        key=key,
        memory=build_memory(settings, key),
        reader=build_reader(settings),
        cutters=build_crew(settings, CUTTING),
        folders=build_folders(settings, surroundings(settings).allowed),
        captured_texts=build_texts_apart(FINDING),
        stored_texts=build_texts_apart(CHUNKING),
    )
