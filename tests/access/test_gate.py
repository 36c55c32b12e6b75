"""Who comes in over HTTP: with a token, without one, with a wrong one, with too many."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import SecretStr

from commonplace.access.service import STALE_SECONDS
from commonplace.access.tokens import SECRET_BYTES, spelled
from commonplace.errors import InvalidArgument, MalformedCredentials
from commonplace.model.actor import ALL_SCOPES, Actor, Scope
from commonplace.server.gate.policy import access_policy
from commonplace.settings import Settings
from commonplace.surfaces.catalog import DEFAULT_SURFACES
from tests.access.house import ORIGIN, READER, WRITER, House, challenge, house, result_of
from tests.stores import MakeDatabase, SteppingClock
from tests.transports.wire import answer_in

UNKNOWN = spelled(b"\7" * SECRET_BYTES)
GUARDED = ["/", "/mcp", "/rpc", "/api/sources", "/mcp/"]
SOURCES = "/api/sources"


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One person's server, on which a token was made."""
    home = tmp_path_factory.mktemp("embedded")
    with house(Settings(home=home, worker=False, rate_limit=10_000)) as opened:
        opened.token()
        yield opened


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """One person's server, on which no test makes a token."""
    with house(Settings(home=tmp_path_factory.mktemp("untouched"), worker=False)) as opened:
        yield opened


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[House]:
    """One person's server, on which no token was made yet."""
    with house(Settings(home=tmp_path, worker=False)) as opened:
        yield opened


@pytest.fixture
def team(make_database: MakeDatabase, tmp_path: Path) -> Iterator[House]:
    url = SecretStr(make_database("postgres").address)
    with house(Settings(home=tmp_path, database_url=url, worker=False)) as opened:
        yield opened


@pytest.mark.parametrize("path", GUARDED)
@pytest.mark.parametrize("method", ["GET", "POST", "DELETE"])
def test_no_token_no_data(embedded: House, path: str, method: str) -> None:
    answer = embedded.send(method, path, content=b"{}")
    assert answer.status_code == 401
    assert challenge(answer) == {
        "realm": "commonplace",
        "scope": "knowledge:read knowledge:write",
    }


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_health_is_for_everybody(embedded: House, path: str) -> None:
    assert embedded.get(path).status_code == 200


def test_metrics_of_a_team_are_for_who_may_look_after_it(team: House) -> None:
    assert team.get("/healthz").status_code == 200
    nobody, reader = team.get("/metrics"), team.get("/metrics", team.token(READER))
    assert (nobody.status_code, reader.status_code) == (401, 403)
    assert challenge(reader)["scope"] == Scope.ADMIN
    auditor, operator = (team.token(frozenset({scope})) for scope in (Scope.AUDIT, Scope.ADMIN))
    assert team.get("/metrics", auditor).status_code == 403, "they count what other orgs do"
    assert "commonplace_database_up 1.0" in team.get("/metrics", operator).text


def test_metrics_may_be_left_open(tmp_path: Path) -> None:
    named = Settings(home=tmp_path, worker=False, public_url="https://k.example.com")
    headers = {"host": "k.example.com"}
    with house(named) as closed:
        assert closed.get("/metrics", headers=headers).status_code == 401
    with house(named.model_copy(update={"metrics_open": True})) as opened:
        assert opened.get("/metrics", headers=headers).status_code == 200
        assert opened.get("/api/sources", headers=headers).status_code == 401


def test_metrics_of_ones_own_machine_are_not_for_who_comes_through_a_proxy(embedded: House) -> None:
    forwarded = embedded.get("/metrics", headers={"x-forwarded-for": "192.0.2.1"})
    assert forwarded.status_code == 401


def test_a_token_opens_every_address_for_whom_it_speaks_for(embedded: House) -> None:
    token = embedded.token(WRITER, org="zoo", agent="keeper")
    stored = result_of(embedded.store(token))["structuredContent"]
    actor = embedded.issue(WRITER, org="zoo").token
    with embedded.application.knowledge._store.read(Actor(actor.org, "tests")) as tx:
        entry = tx.entries.get(stored["id"])
    assert entry is not None
    assert (entry.org, entry.agent) == ("zoo", "keeper")
    assert embedded.rpc(token).json()["result"] == {"sources": [], "count": 0}
    assert embedded.get(SOURCES, token).json() == {"sources": [], "count": 0}
    assert "keeper<br><span>zoo</span>" in embedded.get("/", token).text
    other = embedded.token(org="umbrella")
    uri = f"commonplace://knowledge/{stored['id']}"
    assert "contents" in result_of(embedded.mcp("resources/read", token, uri=uri))
    assert "error" in answer_in(embedded.mcp("resources/read", other, uri=uri))


@pytest.mark.parametrize("path", ["/mcp", "/rpc", SOURCES, "/"])
@pytest.mark.parametrize("shown", [UNKNOWN, UNKNOWN[:-1], "nonsense", "a.b.c", "Bearer"])
def test_a_wrong_token_is_refused_everywhere(
    embedded: House, untouched: House, path: str, shown: str
) -> None:
    for opened in (embedded, untouched):
        answer = opened.send("POST" if path in ("/mcp", "/rpc") else "GET", path, shown)
        assert answer.status_code == 401
        assert challenge(answer)["error"] == "invalid_token"
        assert shown not in answer.text


@pytest.mark.parametrize(
    "headers",
    [
        [("Authorization", "Bearer {}"), ("Authorization", "Bearer {}")],
        [("Authorization", "Bearer {}"), ("authorization", "Basic YTpi")],
        [("Authorization", "Basic YTpi")],
        [("Authorization", "Bearer")],
        [("Authorization", "Bearer ")],
        [("Authorization", "{}")],
        [("Authorization", "Bearer {}, Bearer {}")],
        [("Authorization", "Bearer {} x")],
        [("Authorization", "Bearer " + "x" * 20_000)],
        [("Authorization", "Token {}")],
    ],
)
def test_unclear_credentials_are_refused(
    embedded: House, untouched: House, headers: list[tuple[str, str]]
) -> None:
    token = embedded.token()
    sent = [(name, value.replace("{}", token)) for name, value in headers]
    for opened in (embedded, untouched):
        answer: Any = opened._client.post("/rpc", headers=sent, content=b"{}")
        assert answer.status_code == 400
        assert challenge(answer)["error"] == "invalid_request"
        assert MalformedCredentials().message in answer.json()["error"]["data"]


@pytest.mark.parametrize("name", ["access_token", "token", "Access_Token", "bearer"])
def test_a_token_in_an_address_is_refused(embedded: House, name: str) -> None:
    token = embedded.token()
    for shown in (None, token):
        answer = embedded.send("POST", f"/rpc?{name}={token}", shown, content=b"{}")
        assert answer.status_code == 400
        assert token not in answer.text


def test_the_scheme_is_known_in_any_case(embedded: House) -> None:
    headers = {"Authorization": f"bEARER  {embedded.token()}"}
    assert embedded.get(SOURCES, headers=headers).status_code == 200


def test_each_tool_needs_the_scope_that_it_names(embedded: House) -> None:
    """Nothing is run: the arguments are wrong, which only callers with the scope are told."""
    nobody, everybody = embedded.token(frozenset({Scope.AUDIT})), embedded.token(ALL_SCOPES)
    tools = [
        (s, tool) for s in (offered.load() for offered in DEFAULT_SURFACES) for tool in s.tools
    ]
    assert len(tools) > 20
    for surface, tool in tools:
        assert tool.scope in (Scope.READ if tool.read_only else Scope.WRITE, Scope.READ), tool.name
        refused = embedded.call(tool.name, nobody, no_such_argument=1)
        assert answer_in(refused)["id"] == 7
        told = result_of(refused)
        envelope = told["structuredContent"]
        assert (told["isError"], json.loads(told["content"][0]["text"])) == (True, envelope)
        usual = surface.fault(InvalidArgument())
        assert isinstance(usual, Mapping)
        assert envelope.keys() == usual.keys() - {"issues"}
        assert f"needs the scope {tool.scope.value}" in str(envelope)
        allowed = result_of(embedded.call(tool.name, everybody, no_such_argument=1))
        assert "needs the scope" not in str(allowed)


def test_a_caller_is_shown_the_tools_that_its_scopes_allow(embedded: House) -> None:
    tools = [tool for offered in DEFAULT_SURFACES for tool in offered.load().tools]
    for scopes in (READER, frozenset({Scope.WRITE}), frozenset({Scope.AUDIT}), ALL_SCOPES):
        listed = result_of(embedded.mcp("tools/list", embedded.token(scopes)))["tools"]
        allowed = {tool.name for tool in tools if tool.scope in scopes}
        assert {tool["name"] for tool in listed} == allowed


def test_every_resource_needs_the_scope_to_read() -> None:
    kinds = [kind for offered in DEFAULT_SURFACES for kind in offered.load().resources]
    assert kinds
    assert {kind.scope for kind in kinds} == {Scope.READ}


def test_who_may_only_read_writes_nothing(embedded: House) -> None:
    reader = embedded.token(READER, org="quiet")
    assert result_of(embedded.store(reader))["isError"] is True
    page = {"type": "page", "title": "T", "content": "t", "workspaceId": "w"}
    refused = embedded.send("POST", SOURCES, reader, json=page)
    assert (refused.status_code, challenge(refused)["scope"]) == (403, "knowledge:write")
    found = result_of(embedded.call("search_knowledge", reader, query="Title"))
    assert found["structuredContent"]["count"] == 0


def test_reading_needs_a_scope_too(embedded: House) -> None:
    writer = embedded.token(frozenset({Scope.WRITE}))
    for answer in (embedded.rpc(writer), embedded.get(SOURCES, writer)):
        assert answer.status_code == 403
        assert challenge(answer)["scope"] == "knowledge:read"
    for answer in (
        embedded.mcp("resources/list", writer),
        embedded.mcp("resources/read", writer, uri="commonplace://knowledge/x"),
    ):
        problem = answer_in(answer)["error"]
        assert problem["data"] == {"code": "auth.insufficient_scope"}
        assert problem["message"] == "This needs the scope knowledge:read."
    assert embedded.mcp("tools/list", writer).status_code == 200


def test_a_batch_needs_what_each_of_its_calls_needs(embedded: House) -> None:
    writer = embedded.token(frozenset({Scope.WRITE}))
    assert embedded.rpc(writer, calls=3).status_code == 403


@pytest.mark.parametrize("id", ["NaN", "1e999", '"\\ud800"', "{}"])
def test_an_id_that_cannot_be_sent_back_is_left_out_of_a_refusal(embedded: House, id: str) -> None:
    writer = embedded.token(frozenset({Scope.WRITE}))
    body = f'{{"jsonrpc": "2.0", "method": "knowledge.list", "params": {{}}, "id": {id}}}'
    answer = embedded.send("POST", "/rpc", writer, content=body)
    assert (answer.status_code, answer.json()["id"]) == (403, None)


def test_until_a_token_is_made_this_machine_needs_none(fresh: House) -> None:
    assert result_of(fresh.store())["isError"] is False
    assert fresh.rpc().json()["result"]["count"] == 0
    assert fresh.get(SOURCES).status_code == 401, "a browser would be let in too"
    assert fresh.get("/").status_code == 401
    token = fresh.token()
    assert fresh.rpc().status_code == 401, "in this process at once"
    assert fresh.rpc(token).status_code == 200


@pytest.mark.parametrize(
    "header", ["X-Forwarded-For", "Forwarded", "X-Real-IP", "Via", "X-Forwarded-Host"]
)
def test_what_a_proxy_sends_on_is_not_from_this_machine(untouched: House, header: str) -> None:
    assert untouched.rpc(headers={header: "for=203.0.113.9"}).status_code == 401


def test_the_door_opens_again_with_the_last_token_revoked(fresh: House) -> None:
    """What one account may read anyway, it may ask for."""
    first, second = fresh.issue(), fresh.issue()
    for issued, status in ((first, 401), (second, 200)):
        fresh.application.access.revoke(Actor("local", "tests"), issued.token.id)
        assert fresh.rpc().status_code == status
        assert fresh.rpc(issued.text).status_code == 401


def test_a_team_always_shows_tokens(team: House) -> None:
    assert team.rpc().status_code == 401
    assert team.mcp("tools/list").status_code == 401
    assert team.policy.links is None
    token = team.token()
    assert result_of(team.store(token))["isError"] is False
    assert team.rpc(token).status_code == 200


def settings(**given: object) -> Settings:
    return Settings.model_validate({"home": "/nowhere", **given})


@pytest.mark.parametrize(
    ("given", "host", "local"),
    [
        ({}, "127.0.0.1", True),
        ({}, "::1", True),
        ({"database_url": "postgresql://x"}, "127.0.0.1", False),
        ({"public_url": "https://k.example"}, "127.0.0.1", False),
        ({"hosts": "k.example"}, "127.0.0.1", False),
        ({"hosts": "k.example"}, "0.0.0.0", False),
        ({}, "192.0.2.7", False),
    ],
)
def test_where_tokens_are_always_needed(given: dict[str, str], host: str, local: bool) -> None:
    policy = access_policy(settings(**given), host, 1)
    assert policy.local is local
    assert ("every call needs a token" in policy.summary()) is not local


def test_beyond_this_machine_a_name_must_be_known() -> None:
    for host in ("0.0.0.0", "::", ""):
        with pytest.raises(InvalidArgument, match="COMMONPLACE_HOSTS"):
            access_policy(settings(), host, 1)
    policy = access_policy(settings(public_url="https://k.example"), "0.0.0.0", 1)
    assert (policy.hosts, policy.secure) == (("k.example",), True)
    assert policy.cookie == "__Host-commonplace"


def test_an_expired_token_is_refused(tmp_path: Path) -> None:
    clock = SteppingClock()
    with house(Settings(home=tmp_path, worker=False), clock=clock) as opened:
        token = opened.token(lifetime=timedelta(minutes=1))
        assert opened.rpc(token).status_code == 200
        clock.advance(60)
        assert opened.rpc(token).status_code == 401


def test_a_token_is_stored_only_as_a_keyed_hash(tmp_path: Path) -> None:
    with house(Settings(home=tmp_path, worker=False)) as opened:
        token = opened.token()
        assert opened.rpc(token).status_code == 200
    kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert token.encode() not in kept
    assert (tmp_path / "tokens.key").stat().st_mode & 0o077 == 0
    (tmp_path / "tokens.key").unlink()
    with house(Settings(home=tmp_path, worker=False)) as opened:
        assert opened.rpc(token).status_code == 401, "the database alone is worth nothing"


def test_a_key_of_the_settings_wins(tmp_path: Path) -> None:
    key, other = (SecretStr(secrets.token_urlsafe(32)) for _ in range(2))
    mine = Settings(home=tmp_path, worker=False, token_key=key)
    with house(mine) as opened:
        token = opened.token()
    assert not (tmp_path / "tokens.key").exists()
    with house(mine) as opened:
        assert opened.rpc(token).status_code == 200
    with house(mine.model_copy(update={"token_key": other})) as opened:
        assert opened.rpc(token).status_code == 401


def test_a_session_of_mcp_belongs_to_whoever_opened_it(embedded: House) -> None:
    mine, theirs = embedded.token(), embedded.token(org="umbrella", agent="eve")
    opened = _initialize(embedded, mine)
    session = {"mcp-session-id": opened.headers["mcp-session-id"]}
    for token, status in ((theirs, 404), (mine, 200)):
        answer = _legacy(embedded, token, session)
        assert answer.status_code == status


def _initialize(opened: House, token: str) -> httpx.Response:
    info = {"name": "by-hand", "version": "1"}
    params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info}
    return _legacy(opened, token, {}, "initialize", params)


def _legacy(
    opened: House,
    token: str,
    session: dict[str, str],
    method: str = "tools/list",
    params: Any = None,
) -> httpx.Response:
    accepted = {"accept": "application/json, text/event-stream"}
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}
    return opened.send("POST", "/mcp", token, json=message, headers=accepted | session)


def test_a_message_that_is_too_large_is_refused(embedded: House) -> None:
    token = embedded.token()
    answer = embedded.send("POST", "/mcp", token, content=b" " * 10_000_001)
    assert answer.status_code == 413


def test_staleness_is_a_matter_of_seconds() -> None:
    assert STALE_SECONDS <= 5
    assert ORIGIN.startswith("http://localhost")
