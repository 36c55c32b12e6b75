"""Fixtures of all surface tests: the product on each store, with a predictable model, and the
agents that call it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp.client.session import ClientSession
from pydantic import SecretStr

from commonplace.settings import Settings
from tests.stores import MakeDatabase, SteppingClock
from tests.surfaces.clients import Caller, Connections, Premises, compiled_once
from tests.surfaces.nearness import answer, embedded_at
from tests.surfaces.processes import Processes
from tests.unit.embedding.local_endpoint import local_endpoint

OpenPremises = Callable[..., Premises]


@pytest.fixture(autouse=True)
def light(one_bundled_model: None, kept_children: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Share what is the same for all tests: the model, child processes, answer validators."""
    monkeypatch.setattr(ClientSession, "_output_schema_validator", compiled_once)


@pytest.fixture(scope="module", autouse=True)
def _kept(kept_children: None, kept_connections: None) -> None:
    """Reuse child processes and connections from one application to the next."""


@pytest.fixture(scope="session")
def portal() -> Iterator[BlockingPortal]:
    """One event loop in a separate thread, for all clients and servers in this process."""
    with start_blocking_portal() as portal:
        yield portal


@pytest.fixture
def connect(portal: BlockingPortal) -> Iterator[Connections]:
    with ExitStack() as stack:
        yield Connections(portal, stack)


@pytest.fixture
def settings(dialect: str, tmp_path: Path, make_database: MakeDatabase) -> Settings:
    """Settings for each store, without background work."""
    address = make_database(dialect).address
    settings = Settings(
        home=tmp_path / "home",
        database_url=SecretStr(address) if dialect == "postgres" else None,
        database_pool=8,
        worker=False,
        rate_limit=1_000_000,
        rate_limit_read=1_000_000,
        # The client validates every structured answer against them.
        output_schemas=True,
    )
    if dialect == "sqlite":
        settings.home.mkdir()
        Path(address).rename(settings.database_file)
    return settings


@pytest.fixture
def open_premises(
    settings: Settings, clock: SteppingClock, connect: Connections
) -> Iterator[OpenPremises]:
    """A function that opens the product on the test's store with changed settings."""
    opened: list[Premises] = []

    def open_one(**changes: Any) -> Premises:
        opened.append(Premises(settings.model_copy(update=changes), clock, connect))
        return opened[-1]

    yield open_one
    for premises in opened:
        premises.close()


@pytest.fixture(scope="session")
def endpoint() -> Iterator[str]:
    with local_endpoint(answer) as running:
        yield running.url


@pytest.fixture
def premises(open_premises: OpenPremises, endpoint: str) -> Premises:
    """The product without background work; a test runs the worker if it needs it."""
    return open_premises(**embedded_at(endpoint))


@pytest.fixture
def guarded(open_premises: OpenPremises, endpoint: str) -> Premises:
    """The product with a quota of one entry per month."""
    return open_premises(quota_knowledge_stored=1, **embedded_at(endpoint))


@pytest.fixture
def shut(open_premises: OpenPremises, dialect: str, tmp_path: Path) -> Premises:
    """The product with a store that is not available."""
    if dialect == "postgres":
        away = SecretStr("postgresql://someone:hunter2@127.0.0.1:9/nowhere")
        return open_premises(database_url=away)
    occupied = tmp_path / "occupied"
    occupied.write_text("a file where the folder should be")
    return open_premises(home=occupied)


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


@pytest.fixture
def wired(settings: Settings, endpoint: str) -> Settings:
    """Settings for servers in separate processes, with the predictable model."""
    return settings.model_copy(update={"org": "acme", "agent": "alice", **embedded_at(endpoint)})


@pytest.fixture
def processes(tmp_path: Path, portal: BlockingPortal) -> Iterator[Processes]:
    """Servers in separate processes; the clients of a test disconnect before they end."""
    with ExitStack() as started, ExitStack() as connected:
        yield Processes(tmp_path, Connections(portal, connected), started)
