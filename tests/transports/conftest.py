"""One server of each kind per test process, and Node with its packages."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.transports.node import install_packages
from tests.transports.serving import FIXTURE, PRODUCT, Served, served


@pytest.fixture(scope="session")
def product(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(PRODUCT, tmp_path_factory.mktemp("product")) as server:
        yield server


@pytest.fixture(scope="session")
def fixture_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(FIXTURE, tmp_path_factory.mktemp("fixture")) as server:
        yield server


@pytest.fixture(scope="session")
def node() -> None:
    install_packages()
