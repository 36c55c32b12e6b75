"""The documents surface with a predictable model, called over MCP and JSON-RPC."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from anyio.from_thread import BlockingPortal

from commonplace.server.gate.policy import access_policy
from commonplace.server.http import make_app
from commonplace.server.monitoring.meter import CallMeter
from tests.surfaces.clients import ORDINARY_SCOPES, Premises
from tests.surfaces.conftest import OpenPremises
from tests.surfaces.documents.asking import Asker, HttpAsker, ToolAsker
from tests.surfaces.documents.desk import Desk, InlineReader
from tests.surfaces.documents.website import Website, website
from tests.surfaces.nearness import answer, embedded_at
from tests.unit.embedding.local_endpoint import local_endpoint

OpenDesk = Callable[..., Desk]


@pytest.fixture(scope="session")
def endpoint() -> Iterator[str]:
    with local_endpoint(answer) as running:
        yield running.url


@pytest.fixture
def inline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("commonplace.reading.sandbox.SandboxedReader", InlineReader)


@pytest.fixture
def premises(open_premises: OpenPremises, endpoint: str, inline: None) -> Premises:
    """The product, which reads sources only when a test asks for it."""
    return open_premises(fetch_allow="127.0.0.1", **embedded_at(endpoint))


def http_asker(
    premises: Premises,
    portal: BlockingPortal,
    org: str = "acme",
    agent: str = "alice",
    scopes: str = ORDINARY_SCOPES,
) -> HttpAsker:
    """A caller over HTTP with its own token."""
    settings = premises.settings.model_copy(update={"org": "elsewhere"})
    policy = access_policy(settings, "127.0.0.1", 80)
    app = make_app(premises._application, settings, CallMeter(), policy)
    return HttpAsker(portal, app, premises.token(agent, org, scopes))


@pytest.fixture
def http(premises: Premises, portal: BlockingPortal) -> HttpAsker:
    return http_asker(premises, portal)


@pytest.fixture(params=["mcp", "rpc"])
def asker(request: pytest.FixtureRequest, premises: Premises) -> Asker:
    if request.param == "mcp":
        return ToolAsker(premises.caller())
    asker: HttpAsker = request.getfixturevalue("http")
    return asker


@pytest.fixture
def both_ways(premises: Premises, asker: Asker) -> Desk:
    """A desk over MCP and over JSON-RPC, for behaviour that could differ."""
    return Desk(premises, asker)


@pytest.fixture
def desk(premises: Premises) -> Desk:
    return Desk(premises, ToolAsker(premises.caller()))


@pytest.fixture
def reading_room(open_premises: OpenPremises, endpoint: str) -> Desk:
    """A desk that reads sources in a child process, like the product."""
    premises = open_premises(fetch_allow="127.0.0.1", **embedded_at(endpoint))
    return Desk(premises, ToolAsker(premises.caller()))


@pytest.fixture
def library(open_premises: OpenPremises, inline: None) -> Desk:
    """A desk with the bundled model."""
    premises = open_premises(fetch_allow="127.0.0.1")
    return Desk(premises, ToolAsker(premises.caller()))


@pytest.fixture
def site() -> Iterator[Website]:
    with website() as running:
        yield running
