"""OAuth as the MCP specification says: metadata, challenges, and official clients going through.

The conformance suites have no scenario for resource servers (theirs test clients and authorization
servers); so the official client is run against the server as a process, with a real issuer.
"""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.auth.extensions.client_credentials import ClientCredentialsOAuthProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken

from commonplace.errors import SettingsInvalid
from commonplace.server.gate.policy import METADATA_PATH
from commonplace.settings import Settings, load_settings
from tests.access.house import House, challenge, house, result_of
from tests.cli.commands import environment
from tests.issuer import AUDIENCE, LocalIssuer, local_issuer, signing_key
from tests.transports.serving import PRODUCT, ROOT, announced_port

METADATA = f"https://knowledge.example.com{METADATA_PATH}/mcp"


@pytest.fixture(scope="module")
def issuer() -> Iterator[LocalIssuer]:
    with local_issuer() as running:
        yield running


@pytest.fixture(scope="module")
def opened(issuer: LocalIssuer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    settings = Settings(
        home=tmp_path_factory.mktemp("oauth"),
        worker=False,
        rate_limit=20,
        public_url="https://knowledge.example.com",
        oauth_issuer=issuer.url,
    )
    with house(settings) as opened:
        yield opened


@pytest.mark.parametrize("path", [METADATA_PATH, f"{METADATA_PATH}/mcp"])
def test_metadata_names_the_issuer(opened: House, issuer: LocalIssuer, path: str) -> None:
    document = opened.get(path).json()
    assert document["resource"] == AUDIENCE
    assert document["authorization_servers"] == [issuer.url]
    assert document["bearer_methods_supported"] == ["header"]
    assert document["scopes_supported"] == ["knowledge:read", "knowledge:write"], "the least"


def test_without_an_issuer_there_is_no_metadata(tmp_path: Path) -> None:
    with house(Settings(home=tmp_path, worker=False)) as opened:
        assert opened.get(METADATA_PATH).status_code == 404
        assert "resource_metadata" not in challenge(opened.get("/api/sources"))


def test_the_challenge_leads_to_the_metadata(opened: House, issuer: LocalIssuer) -> None:
    """An issuer is there, so nobody comes in without a token, on loopback or not."""
    asked = challenge(opened.mcp("tools/list"))
    assert asked == {
        "realm": "commonplace",
        "scope": "knowledge:read knowledge:write",
        "resource_metadata": METADATA,
    }
    refused = opened.mcp("tools/list", issuer.token(exp=1))
    told = challenge(refused)
    assert (refused.status_code, told["error"]) == (401, "invalid_token")
    assert told["error_description"] == "The token has expired."
    assert told["resource_metadata"] == METADATA


def test_a_signed_token_speaks_for_its_org_and_agent(opened: House, issuer: LocalIssuer) -> None:
    token = issuer.token()
    stored = result_of(opened.store(token))["structuredContent"]
    view = opened.application.knowledge.get(_grant(opened, token).actor("tests"), stored["id"])
    assert (view.entry.org, view.entry.agent) == ("acme", "ada")
    assert opened.rpc(token).status_code == 200
    assert opened.get("/api/sources", token).status_code == 200


def _grant(opened: House, token: str) -> Any:
    return opened.application.access.authenticate(token)


def test_more_scopes_are_asked_for_when_a_call_needs_them(
    opened: House, issuer: LocalIssuer
) -> None:
    reader = issuer.token(scope="knowledge:read openid", sub="reader")
    refused = opened.store(reader)
    assert refused.status_code == 403
    told = challenge(refused)
    assert (told["error"], told["scope"]) == ("insufficient_scope", "knowledge:write")
    assert told["resource_metadata"] == METADATA
    nothing = issuer.token(scope=None, sub="nobody")
    assert opened.rpc(nothing).status_code == 403


@pytest.mark.parametrize(
    "changed",
    [
        {"aud": "https://other.example/mcp"},
        {"iss": "https://evil.example"},
        {"org": "system"},
        {"org": None},
        {"sub": None},
        {"exp": None},
    ],
)
def test_tokens_for_others_are_refused(
    opened: House, issuer: LocalIssuer, changed: dict[str, Any]
) -> None:
    for send in (opened.rpc, opened.store):
        answer = send(issuer.token(**changed))
        assert (answer.status_code, challenge(answer)["error"]) == (401, "invalid_token")


def test_a_thief_with_a_key_of_their_own_is_refused(opened: House, issuer: LocalIssuer) -> None:
    forged = issuer.token(replace(signing_key("thief"), id="first"))
    assert opened.rpc(forged).status_code == 401


def test_tokens_of_ours_go_on_working(opened: House) -> None:
    assert opened.rpc(opened.token(org="zoo")).status_code == 200


def test_renewing_a_token_renews_no_limit(opened: House, issuer: LocalIssuer) -> None:
    statuses = [opened.rpc(issuer.token(sub="busy", jti=str(n))).status_code for n in range(21)]
    assert statuses == [200] * 20 + [429]


def test_an_issuer_that_is_away_is_no_open_door(tmp_path: Path) -> None:
    settings = Settings(
        home=tmp_path,
        worker=False,
        public_url="https://knowledge.example.com",
        oauth_issuer="http://127.0.0.1:1",
    )
    with local_issuer() as elsewhere, house(settings) as opened:
        answer = opened.rpc(elsewhere.token(iss="http://127.0.0.1:1"))
        assert answer.status_code == 503
        assert opened.rpc(opened.token()).status_code == 200


def test_an_issuer_needs_a_public_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMMONPLACE_OAUTH_ISSUER", "https://i.example")
    with pytest.raises(SettingsInvalid, match="COMMONPLACE_PUBLIC_URL"):
        load_settings()


class Storage:
    """Where a client keeps what it was given."""

    def __init__(self) -> None:
        self._tokens: OAuthToken | None = None
        self._client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self._tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self._tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self._client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self._client = client_info


@pytest.fixture
def endpoint(issuer: LocalIssuer, tmp_path: Path) -> Iterator[str]:
    """The product as a process, known by the address that it really has."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    origin, log = f"http://127.0.0.1:{port}", tmp_path / "log"
    told = {
        "COMMONPLACE_HOME": str(tmp_path / "home"),
        "COMMONPLACE_WORKER": "false",
        "COMMONPLACE_PUBLIC_URL": origin,
        "COMMONPLACE_OAUTH_ISSUER": issuer.url,
    }
    with log.open("wb") as stderr:
        process = subprocess.Popen(
            [sys.executable, "-m", PRODUCT, "serve", "--port", str(port)],
            env=environment(told),
            cwd=ROOT,
            stderr=stderr,
        )
    try:
        announced_port(process, log)
        yield f"{origin}/mcp"
    finally:
        process.terminate()
        process.wait(60)


@pytest.mark.parametrize("era", ["legacy", "auto"])
def test_the_official_client_finds_its_way(endpoint: str, issuer: LocalIssuer, era: str) -> None:
    """Challenged, it reads our metadata, asks the issuer for a token for us, and comes back."""
    auth = ClientCredentialsOAuthProvider(
        server_url=endpoint,
        storage=Storage(),
        client_id="agent",
        client_secret="secret",
        issuer=issuer.url,
    )

    async def journey() -> Any:
        async with httpx2.AsyncClient(auth=auth, timeout=60) as http:
            transport = streamable_http_client(endpoint, http_client=http)
            async with Client(transport, mode=era) as client:
                stored = await client.call_tool("store_knowledge", {"title": "T", "body": "b"})
                found = await client.call_tool("search_knowledge", {"query": "T"})
                return stored, found

    stored, found = anyio.run(journey)
    assert not stored.is_error
    assert found.structured_content["hits"][0]["id"] == stored.structured_content["id"]
