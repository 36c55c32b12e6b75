"""The orgs of these tests form a network; `test_network.py` also has a server without one."""

from __future__ import annotations

import pytest

from commonplace.settings import Settings


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"network": True})
