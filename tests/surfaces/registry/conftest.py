"""The orgs of these tests are a network; `test_network.py` also has a server where they are not."""

from __future__ import annotations

import pytest

from commonplace.settings import Settings


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"network": True})
