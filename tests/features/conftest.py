"""A process of Commonplace on either store, with a small embedder."""

from __future__ import annotations

# Loaded before usearch: in the other order onnxruntime crashes while it is imported. Commonplace
# itself always embeds before it compares; only tests compare without the bundled model.
import onnxruntime  # noqa: F401 - imported for its effect on the order
import pytest

from commonplace.storage.port import Store
from tests.features.embedders import GramEmbedder
from tests.features.house import House
from tests.stores import SteppingClock


@pytest.fixture
def house(store: Store, clock: SteppingClock) -> House:
    return House(store, GramEmbedder(), clock)
