"""A home with content of every kind, on each store."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.surfaces.clients import Caller, Premises
from tests.surfaces.conftest import OpenPremises
from tests.surfaces.memory.home import Home
from tests.surfaces.nearness import embedded_at


@pytest.fixture
def premises(open_premises: OpenPremises, endpoint: str) -> Premises:
    """The product; every folder may be read, also on PostgreSQL."""
    return open_premises(roots="/", **embedded_at(endpoint))


@pytest.fixture
def home(premises: Premises, tmp_path: Path) -> Home:
    return Home(premises, tmp_path / "work")


@pytest.fixture
def reader(premises: Premises) -> Caller:
    return premises.caller("reader", scopes="knowledge:read")
