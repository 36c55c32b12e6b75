"""Agents that use the directory `/memories`, on each store."""

from __future__ import annotations

import pytest

from tests.surfaces.clients import Premises
from tests.surfaces.conftest import OpenPremises
from tests.surfaces.memories.drawer import Drawer
from tests.surfaces.nearness import embedded_at

SURFACES = "memory,memories"


@pytest.fixture
def premises(open_premises: OpenPremises, endpoint: str) -> Premises:
    return open_premises(surfaces=SURFACES, **embedded_at(endpoint))


@pytest.fixture
def drawer(premises: Premises) -> Drawer:
    return Drawer(premises.caller())
