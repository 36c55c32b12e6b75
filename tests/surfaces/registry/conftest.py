"""The registry with a model that tests can predict, and the agents who call it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.surfaces.clients import Caller, Premises
from tests.surfaces.conftest import OpenPremises
from tests.surfaces.notes.nearness import answer, embedded_at
from tests.unit.embedding.local_endpoint import local_endpoint


@pytest.fixture(scope="session")
def endpoint() -> Iterator[str]:
    with local_endpoint(answer) as running:
        yield running.url


@pytest.fixture
def premises(open_premises: OpenPremises, endpoint: str) -> Premises:
    """Nothing is embedded before the test asks for it."""
    return open_premises(**embedded_at(endpoint))


@pytest.fixture
def alice(premises: Premises) -> Caller:
    return premises.caller()


@pytest.fixture
def bob(premises: Premises) -> Caller:
    """Another agent of the same org."""
    return premises.caller("bob")


@pytest.fixture
def eve(premises: Premises) -> Caller:
    """An agent of another org."""
    return premises.caller("eve", "umbrella")
