"""The bundled model for tests of what uses it: loaded once in a process, whoever asks for it."""

from __future__ import annotations

from functools import cache

import pytest

from commonplace.embedding import bundled

_loaded_once = cache(bundled._Model)


@pytest.fixture
def one_bundled_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """It answers the same to everybody and keeps nothing; to load it takes most of a short test."""
    monkeypatch.setattr(bundled, "_Model", _loaded_once)
