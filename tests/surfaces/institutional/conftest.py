"""Settings for server processes of the institutional surface."""

from __future__ import annotations

import pytest

from commonplace.settings import Settings
from tests.surfaces.nearness import embedded_at


@pytest.fixture
def wired(settings: Settings, endpoint: str) -> Settings:
    """Settings for servers in separate processes, with the predictable model."""
    return settings.model_copy(update={"org": "acme", "agent": "alice", **embedded_at(endpoint)})
