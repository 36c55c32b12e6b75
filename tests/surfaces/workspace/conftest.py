"""The workspace surface on each store: one server for all tests, an org for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import BlockingPortal
from pydantic import SecretStr

from commonplace.settings import Settings
from tests.stores import DIALECTS, SteppingClock
from tests.surfaces.clients import Connections, Premises
from tests.surfaces.conftest import OpenPremises
from tests.surfaces.nearness import embedded_at
from tests.surfaces.workspace.bench import Bench
from tests.surfaces.workspace.library import Library, furnished

_NUMBERS = count(1)


@pytest.fixture(scope="session")
def workshops(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    portal: BlockingPortal,
    endpoint: str,
) -> Iterator[Callable[[str], Premises]]:
    """Servers by dialect, without background work; every folder may be read, also on PostgreSQL."""
    with ExitStack() as ended:

        @cache
        def workshop_on(dialect: str) -> Premises:
            url = None
            if dialect != "sqlite":
                databases = request.getfixturevalue("postgres_databases")
                url = SecretStr(databases.lend())
                ended.callback(databases.take_back, url.get_secret_value())
            home = tmp_path_factory.mktemp("home")
            return ended.enter_context(opened(home, url, portal, endpoint))

        yield workshop_on


@pytest.fixture(scope="module", params=DIALECTS)
def workshop(request: pytest.FixtureRequest, workshops: Callable[[str], Premises]) -> Premises:
    return workshops(request.param)


@pytest.fixture(scope="session")
def embedded_workshop(workshops: Callable[[str], Premises]) -> Premises:
    return workshops("sqlite")


@contextmanager
def opened(
    home: Path, url: SecretStr | None, portal: BlockingPortal, endpoint: str
) -> Iterator[Premises]:
    settings = Settings(
        home=home, database_url=url, roots="/", worker=False, **embedded_at(endpoint)
    )
    with ExitStack() as connected:
        premises = Premises(settings, SteppingClock(), Connections(portal, connected))
        connected.callback(premises.close)
        yield premises


OpenBench = Callable[..., Bench]


@pytest.fixture
def open_bench(open_premises: OpenPremises, endpoint: str, tmp_path: Path) -> OpenBench:
    """A function that opens a separate server with its own settings."""

    def open_one(**settings: Any) -> Bench:
        premises = open_premises(**{**embedded_at(endpoint), "roots": "/", **settings})
        return Bench(premises, tmp_path, "acme")

    return open_one


@pytest.fixture
def bench(workshop: Premises, tmp_path: Path) -> Bench:
    return Bench(workshop, tmp_path, f"org{next(_NUMBERS)}")


@pytest.fixture(scope="session")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Premises], Library]:
    return cache(
        lambda premises: furnished(premises, tmp_path_factory.mktemp("library"), "library")
    )


@pytest.fixture(scope="module")
def library(workshop: Premises, libraries: Callable[[Premises], Library]) -> Library:
    """A shared library, for tests that only read."""
    return libraries(workshop)


@pytest.fixture
def desk(embedded_workshop: Premises, tmp_path: Path) -> Bench:
    """A bench on one store, for behaviour that does not depend on the store."""
    return Bench(embedded_workshop, tmp_path, f"org{next(_NUMBERS)}")
