"""The services of one process on either store, with a small embedder."""

from __future__ import annotations

import pytest

from commonplace.storage.port import Store
from tests.features.embedders import GramEmbedder
from tests.features.house import House
from tests.stores import SteppingClock


@pytest.fixture(scope="module", autouse=True)
def _kept(kept_connections: None) -> None:
    """Reuse connections from one test to the next."""


@pytest.fixture
def house(store: Store, clock: SteppingClock) -> House:
    return House(store, GramEmbedder(), clock)
