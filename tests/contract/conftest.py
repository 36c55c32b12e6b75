"""Both stores, with connections that are reused between tests."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="module", autouse=True)
def _kept(kept_connections: None) -> None:
    """Reuse connections: these tests are about stores, not about connecting."""
