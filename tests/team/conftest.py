"""A team's installation for tests: its own PostgreSQL, with servers and workers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from pydantic import SecretStr

from commonplace.settings import Settings
from tests.surfaces.clients import Connections
from tests.surfaces.nearness import answer, embedded_at
from tests.surfaces.processes import HttpServer, Processes
from tests.team.cluster import Cluster, running_cluster
from tests.unit.embedding.local_endpoint import local_endpoint


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with running_cluster() as cluster:
        yield cluster


@pytest.fixture(scope="module")
def portal() -> Iterator[BlockingPortal]:
    with start_blocking_portal() as portal:
        yield portal


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    with local_endpoint(answer) as running:
        yield running.url


def settings_on(cluster: Cluster, home: Path, endpoint: str) -> Settings:
    """The settings of all processes on a new database; workers are separate processes."""
    return Settings(
        home=home,
        database_url=SecretStr(cluster.database()),
        org="acme",
        worker=False,
        rate_limit=1_000_000,
        **embedded_at(endpoint),
    )


@pytest.fixture
def settings(cluster: Cluster, tmp_path: Path, endpoint: str) -> Settings:
    return settings_on(cluster, tmp_path / "home", endpoint)


@pytest.fixture
def processes(tmp_path: Path, portal: BlockingPortal) -> Iterator[Processes]:
    """Servers and workers for a test; its clients disconnect before they end."""
    with ExitStack() as started, ExitStack() as connected:
        yield Processes(tmp_path, Connections(portal, connected), started)


@pytest.fixture(scope="module")
def servers(
    tmp_path_factory: pytest.TempPathFactory,
    cluster: Cluster,
    portal: BlockingPortal,
    endpoint: str,
) -> Iterator[list[HttpServer]]:
    """Two servers on one database, shared by the tests of a module that only read."""
    folder = tmp_path_factory.mktemp("servers")
    settings = settings_on(cluster, folder / "home", endpoint)
    with ExitStack() as started, ExitStack() as connected:
        processes = Processes(folder, Connections(portal, connected), started)
        yield [processes.serve(settings) for _ in range(2)]
