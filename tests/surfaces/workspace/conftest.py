"""The workspace surface on each store: one server for all tests of a module, an org for each."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path

import pytest
from anyio.from_thread import BlockingPortal
from pydantic import SecretStr

from commonplace.settings import Settings
from tests.stores import DIALECTS, SteppingClock
from tests.surfaces.clients import Connections, Premises
from tests.surfaces.nearness import embedded_at
from tests.surfaces.workspace.bench import Bench

_NUMBERS = count(1)


@pytest.fixture(scope="module", params=DIALECTS)
def workshop(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    portal: BlockingPortal,
    endpoint: str,
) -> Iterator[Premises]:
    """Nobody works in the background. On PostgreSQL only folders of the tests may be read."""
    databases = request.getfixturevalue("postgres_databases") if request.param != "sqlite" else None
    address = databases.lend() if databases else None
    settings = Settings(
        home=tmp_path_factory.mktemp("home"),
        database_url=SecretStr(address) if address else None,
        roots=str(tmp_path_factory.getbasetemp()),
        worker=False,
        **embedded_at(endpoint),
    )
    with ExitStack() as connected:
        premises = Premises(settings, SteppingClock(), Connections(portal, connected))
        connected.callback(premises.close)
        yield premises
    if databases:
        databases.take_back(address)


@pytest.fixture
def bench(workshop: Premises, tmp_path: Path) -> Bench:
    return Bench(workshop, tmp_path, f"org{next(_NUMBERS)}")
