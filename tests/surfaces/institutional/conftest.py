"""The institutional surface as server processes are told of it."""

from __future__ import annotations

import pytest

from commonplace.settings import Settings
from tests.surfaces.nearness import embedded_at


@pytest.fixture
def wired(settings: Settings, endpoint: str) -> Settings:
    """For servers in processes of their own, with the model that tests can predict."""
    return settings.model_copy(update={"org": "acme", "agent": "alice", **embedded_at(endpoint)})
