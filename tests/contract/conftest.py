"""Both stores, with connections that go from one test to the next."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="module", autouse=True)
def _kept(kept_connections: None) -> None:
    """What is asked here is asked of a store, not of how it connects."""
