"""The bundled model for tests of what uses it: loaded once in a process, whoever asks for it."""

from __future__ import annotations

from functools import cache

import pytest

from commonplace.bootstrap.readers import CHUNKING, build_text_process
from commonplace.embedding import bundled
from commonplace.embedding.port import Embedder, ServingModel
from commonplace.embedding.serving import ServingEmbedder
from commonplace.knowledge.service.preparing import EntryChunks


def always(embedder: Embedder) -> ServingModel:
    """A model that nothing takes the place of."""
    return ServingEmbedder([embedder], list, seconds=float("inf"))


def entry_chunks() -> EntryChunks:
    """What makes the chunks of entries; starts a process when a long one comes."""
    return EntryChunks(build_text_process(CHUNKING))


_loaded_once = cache(bundled._Model)


@pytest.fixture
def one_bundled_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """It answers the same to everybody and keeps nothing; to load it takes most of a short test."""
    monkeypatch.setattr(bundled, "_Model", _loaded_once)
