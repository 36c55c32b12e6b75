"""The bundled embedding model for tests, loaded once per process."""

from __future__ import annotations

from functools import cache

import pytest

from commonplace.bootstrap.readers import CHUNKING, build_text_process
from commonplace.embedding import bundled
from commonplace.embedding.port import Embedder, ServingModel
from commonplace.embedding.serving import ServingEmbedder
from commonplace.knowledge.service.preparing import EntryChunks


def always(embedder: Embedder) -> ServingModel:
    """A serving model that never changes."""
    return ServingEmbedder([embedder], list, seconds=float("inf"))


def entry_chunks() -> EntryChunks:
    """Makes the chunks of entries; long ones are cut in a child process."""
    return EntryChunks(build_text_process(CHUNKING))


loaded_once = cache(bundled._Model)


@pytest.fixture
def one_bundled_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Share one loaded model: it is stateless, and loading takes most of a short test."""
    monkeypatch.setattr(bundled, "_Model", loaded_once)
