"""The bundled model for tests of what uses it: loaded once in a process, whoever asks for it."""

from __future__ import annotations

from functools import cache

import pytest

from commonplace.embedding import bundled
from commonplace.embedding.port import Embedder, ServingModel
from commonplace.embedding.serving import ServingEmbedder


def always(embedder: Embedder) -> ServingModel:
    """A model that nothing takes the place of."""
    return ServingEmbedder([embedder], list, seconds=float("inf"))


_loaded_once = cache(bundled._Model)


@pytest.fixture
def one_bundled_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """It answers the same to everybody and keeps nothing; to load it takes most of a short test."""
    monkeypatch.setattr(bundled, "_Model", _loaded_once)
