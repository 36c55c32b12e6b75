"""The HTTP server inside this process, asked by hand: any headers, any token, any address.

Decides how a request travels; what the answer should be is the test's.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeVar

import httpx
import pytest
from pydantic import SecretStr
from starlette.testclient import TestClient

from commonplace.access.rules import NewToken
from commonplace.access.service import Issued
from commonplace.application import Application, LazyApplication
from commonplace.bootstrap import build, utc_now
from commonplace.model.actor import Actor, Scope
from commonplace.model.times import Clock
from commonplace.server.gate.policy import AccessPolicy, access_policy
from commonplace.server.http import make_app
from commonplace.server.monitoring.meter import CallMeter
from commonplace.settings import Settings
from commonplace.surfaces.turns import Turns
from tests.transports.wire import MODERN, answer_in, envelope, request

T = TypeVar("T")
READER = frozenset({Scope.READ})
WRITER = frozenset({Scope.READ, Scope.WRITE})
PORT = 8765
ORIGIN = f"http://localhost:{PORT}"
_MCP = {
    "accept": "application/json, text/event-stream",
    "content-type": "application/json",
    "mcp-protocol-version": MODERN,
}


class House:
    def __init__(self, client: TestClient, application: Application, policy: AccessPolicy) -> None:
        self._client = client
        self.application = application
        self.policy = policy

    def token(self, scopes: frozenset[Scope] = WRITER, **changed: Any) -> str:
        return self.issue(scopes, **changed).text

    def issue(
        self, scopes: frozenset[Scope] = WRITER, org: str = "acme", agent: str = "ada", **more: Any
    ) -> Issued:
        new = NewToken(org, agent, scopes, **more)
        return self.application.access.create(Actor("local", "tests"), new)

    def send(self, method: str, path: str, token: str | None = None, **sent: Any) -> httpx.Response:
        """Cookies are sent only where a test says so."""
        self._client.cookies.clear()
        headers = dict(sent.pop("headers", {}))
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        answer: Any = self._client.request(
            method, path, headers=headers, follow_redirects=False, **sent
        )
        response: httpx.Response = answer
        return response

    def get(self, path: str, token: str | None = None, **sent: Any) -> httpx.Response:
        return self.send("GET", path, token, **sent)

    def rpc(self, token: str | None = None, calls: int = 1, **sent: Any) -> httpx.Response:
        one = request("knowledge.list", 7, workspaceId="w")
        return self.send("POST", "/rpc", token, json=one if calls == 1 else [one] * calls, **sent)

    def mcp(
        self, method: str, token: str | None = None, headers: Any = None, **params: Any
    ) -> httpx.Response:
        message = request(method, 7, **params, _meta=envelope())
        name = params.get("name") or params.get("uri")
        routing = {"mcp-method": method} | ({"mcp-name": name} if name else {})
        sent = _MCP | routing | (headers or {})
        return self.send("POST", "/mcp", token, content=json.dumps(message), headers=sent)

    def call(self, tool: str, token: str | None = None, **arguments: Any) -> httpx.Response:
        return self.mcp("tools/call", token, name=tool, arguments=arguments)

    def store(self, token: str | None = None, title: str = "Title") -> httpx.Response:
        return self.call("store_knowledge", token, title=title, body="A body.")

    def start(self, work: Callable[[], Awaitable[T]]) -> Future[T]:
        """Runs beside the requests, in the server's event loop."""
        assert self._client.portal
        return self._client.portal.start_task_soon(work)

    def enter(self) -> dict[str, str]:
        """The cookie header of a browser that came with the link."""
        assert self.policy.links
        assert self.policy.links.path
        answer = self.get(self.policy.links.path)
        assert answer.status_code == 303
        return {"Cookie": answer.headers["set-cookie"].split(";")[0]}


@contextmanager
def house(
    settings: Settings,
    host: str = "127.0.0.1",
    clock: Clock = utc_now,
    own_account: bool = True,
    turns: Turns | None = None,
) -> Iterator[House]:
    lazy = LazyApplication(lambda: build(settings, clock))
    # Requests made inside this process have no socket whose account could be looked up.
    policy = replace(access_policy(settings, host, PORT), is_own_account=lambda _scope: own_account)
    app = make_app(lazy, settings, CallMeter(), policy, turns=turns)
    with TestClient(app, base_url=ORIGIN) as client:
        yield House(client, lazy.get(), policy)
    lazy.close()


@contextmanager
def house_on(request: pytest.FixtureRequest, settings: Settings) -> Iterator[House]:
    """A house on the database that a fixture's parameter names."""
    if request.param == "sqlite":
        shutil.copyfile(request.getfixturevalue("sqlite_template"), settings.database_file)
        with house(settings) as server:
            yield server
        return
    databases = request.getfixturevalue("postgres_databases")
    address = databases.lend()
    with house(settings.model_copy(update={"database_url": SecretStr(address)})) as server:
        yield server
    databases.take_back(address)


def result_of(answer: httpx.Response) -> dict[str, Any]:
    assert answer.status_code == 200, answer.text
    result: dict[str, Any] = answer_in(answer)["result"]
    return result


def challenge(answer: httpx.Response) -> dict[str, str]:
    """The parameters of the only challenge."""
    (header,) = answer.headers.get_list("www-authenticate")
    assert re.fullmatch(r'Bearer (\w+="[^"\\]*"(, |$))+', header)
    return dict(re.findall(r'(\w+)="([^"]*)"', header))
