"""How often a token may call, and how soon a revoked one is refused."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
from pydantic import SecretStr

from commonplace.access.rules import NewToken
from commonplace.access.service import STALE_SECONDS
from commonplace.access.tokens import spelled
from commonplace.application import Application, LazyApplication
from commonplace.bootstrap import build
from commonplace.cache.in_process import NANOS, InProcessCache
from commonplace.errors import (
    BatchTooLarge,
    InvalidToken,
    RateLimited,
    StorageBusy,
    StorageError,
    StorageUnavailable,
)
from commonplace.model.access import Grant
from commonplace.model.actor import Actor
from commonplace.server.gate.policy import access_policy
from commonplace.server.http import make_app
from commonplace.server.monitoring.meter import CallMeter
from commonplace.settings import Settings
from tests.access.house import READER, WRITER, House, house, result_of
from tests.redis_servers import RedisServer
from tests.transports.wire import answer_in

ADMIN = Actor("local", "admin")
PATIENCE = 60


@pytest.fixture
def strict(tmp_path: Path) -> Iterator[House]:
    with house(Settings(home=tmp_path, worker=False, rate_limit=3, rate_limit_read=6)) as opened:
        yield opened


def test_a_token_may_make_so_many_calls(strict: House) -> None:
    token, other = strict.token(), strict.token()
    for _ in range(3):
        assert result_of(strict.store(token))["isError"] is False
    refused = result_of(strict.store(token))
    assert refused["isError"] is True
    assert refused["structuredContent"]["error"] == {
        "code": "rate.limited",
        "message": "This token may make 3 calls per minute. Try again in 20 seconds.",
        "retryAfter": 20,
    }
    another = result_of(strict.store(other))
    assert another["isError"] is False, "another token of the same agent has its own"


def test_the_refusal_has_each_address_envelope(strict: House) -> None:
    token = strict.token()
    assert strict.rpc(token, calls=3).status_code == 200, "each request of a batch is a call"
    rpc = strict.rpc(token)
    assert (rpc.status_code, rpc.json()["id"], rpc.json()["error"]["code"]) == (429, 7, -32000)
    assert "3 calls per minute" in rpc.json()["error"]["data"]
    rest = strict.get("/api/sources", token)
    assert (rest.status_code, rest.json()["error"]["code"]) == (429, "rate.limited")
    capture = result_of(strict.call("capture_knowledge", token))["structuredContent"]
    assert (capture["success"], capture["retry_after"]) == (False, 20)
    read = answer_in(strict.mcp("resources/read", token, uri="commonplace://knowledge/x"))
    assert read["error"]["data"] == {"code": "rate.limited", "retryAfter": 20}
    assert all(int(answer.headers["retry-after"]) >= 1 for answer in (rpc, rest))


def test_a_batch_costs_what_it_holds_and_one_that_can_never_pass_says_so(strict: House) -> None:
    token = strict.token()
    refused = strict.rpc(token, calls=100)
    assert (refused.status_code, refused.headers.get("retry-after")) == (400, None)
    assert "3 calls per minute, and this batch has 100" in refused.json()["error"]["data"]
    with pytest.raises(BatchTooLarge):
        strict.application.access.admit(strict.application.access.authenticate(token), 4)
    assert strict.rpc(token, calls=2).status_code == 200, "what was refused cost nothing"
    assert strict.rpc(token, calls=2).status_code == 429
    assert strict.rpc(token).status_code == 200


def test_who_only_reads_may_call_more_often(strict: House) -> None:
    token = strict.token(READER)
    assert [strict.rpc(token).status_code for _ in range(7)] == [200] * 6 + [429]


def test_introductions_and_this_machine_are_not_counted(strict: House) -> None:
    assert [strict.rpc().status_code for _ in range(10)] == [200] * 10
    token = strict.token()
    listed = [strict.mcp("tools/list", token).status_code for _ in range(10)]
    assert listed == [200] * 10
    assert strict.rpc(token).status_code == 200


def test_refusals_for_want_of_a_scope_cost_nothing(strict: House) -> None:
    token = strict.token(READER)
    for _ in range(10):
        refused = result_of(strict.store(token))["structuredContent"]["error"]
        assert refused["code"] == "auth.insufficient_scope"
    assert strict.rpc(token).status_code == 200


class Hands:
    """A clock that tests turn."""

    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> int:
        return self.now


OpenNode = Callable[..., Application]


@pytest.fixture
def open_node(tmp_path: Path) -> Iterator[OpenNode]:
    """Several processes of one installation, all of them here."""
    opened: list[Application] = []

    def open_one(**changes: Any) -> Application:
        opened.append(build(Settings(home=tmp_path, worker=False, **changes)))
        return opened[-1]

    yield open_one
    for application in opened:
        application.close()


def issue(application: Application) -> Any:
    return application.access.create(ADMIN, NewToken("acme", "ada", WRITER))


def test_a_revoked_token_is_refused_here_at_once_and_elsewhere_in_seconds(
    open_node: OpenNode,
) -> None:
    here, elsewhere, clock = open_node(), open_node(), Hands()
    elsewhere.access._cache = InProcessCache(clock)
    issued = issue(here)
    for node in (here, elsewhere):
        assert node.access.authenticate(issued.text).org == "acme"
    here.access.revoke(ADMIN, issued.token.id)
    with pytest.raises(InvalidToken):
        here.access.authenticate(issued.text)
    assert elsewhere.access.authenticate(issued.text).org == "acme", "remembered for a moment"
    clock.now += round(STALE_SECONDS * NANOS)
    with pytest.raises(InvalidToken):
        elsewhere.access.authenticate(issued.text)


def test_a_token_is_remembered_where_nobody_is_waited_for(
    open_node: OpenNode, redis_server: RedisServer
) -> None:
    """An event loop asks; whatever it is told, a thread would have been told the same."""
    alone, clock = open_node(), Hands()
    alone.access._cache = InProcessCache(clock)
    issued = issue(alone)
    assert alone.access.counts_locally
    assert alone.access.cached_grant(issued.text) is None, "nobody has recognised it yet"
    grant = alone.access.authenticate(issued.text)
    assert alone.access.cached_grant(issued.text) == grant
    assert alone.access.cached_grant(f"{issued.text[:-1]}-") is None
    clock.now += round(STALE_SECONDS * NANOS)
    assert alone.access.cached_grant(issued.text) is None
    assert alone.access.authenticate(issued.text) == grant
    alone.access.revoke(ADMIN, issued.token.id)
    assert alone.access.cached_grant(issued.text) is None
    together = open_node(redis_url=SecretStr(redis_server.url))
    other = issue(together)
    together.access.authenticate(other.text)
    assert not together.access.counts_locally
    assert together.access.cached_grant(other.text) is None, "others may have revoked it"


@pytest.mark.parametrize("reason", [StorageBusy("Too slow."), StorageUnavailable("Away.")])
def test_a_database_that_cannot_say_whose_a_token_is_refuses_the_call_and_not_the_session(
    strict: House, monkeypatch: pytest.MonkeyPatch, reason: StorageError
) -> None:
    def refuse(_shown: str) -> Grant:
        raise reason

    monkeypatch.setattr(strict.application.access, "authenticate", refuse)
    monkeypatch.setattr(strict.application.access, "cached_grant", lambda _shown: None)
    refused = result_of(strict.store(strict.token()))
    assert refused["isError"] is True
    assert refused["structuredContent"]["error"]["code"] == reason.code


def test_a_token_that_must_be_looked_up_holds_nobody_up(tmp_path: Path) -> None:
    """The first caller waits for the database, in a thread; the event loop answers others."""
    asked, others_answered = threading.Event(), threading.Event()

    def built_when_others_are_answered() -> Application:
        asked.set()
        assert others_answered.wait(PATIENCE), "the event loop waits, too"
        return build(settings)

    settings = Settings(home=tmp_path, worker=False)
    lazy = LazyApplication(built_when_others_are_answered)
    app = make_app(lazy, settings, CallMeter(), access_policy(settings, "127.0.0.1", 8765))

    async def scenario() -> None:
        transport = httpx.ASGITransport(app)
        headers = {"Authorization": f"Bearer {spelled(bytes(32))}"}
        async with (
            httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8765") as client,
            anyio.create_task_group() as group,
        ):
            group.start_soon(partial(client.post, "/mcp", headers=headers, json={}))
            await anyio.to_thread.run_sync(asked.wait, PATIENCE)
            assert (await client.get("/healthz")).status_code == 200
            others_answered.set()

    anyio.run(scenario)
    lazy.close()


def test_with_redis_everybody_knows_at_once_and_counts_together(
    open_node: OpenNode, redis_server: RedisServer
) -> None:
    url = SecretStr(redis_server.url)
    one, other = (open_node(redis_url=url, rate_limit=4) for _ in range(2))
    issued = issue(one)
    grant = one.access.authenticate(issued.text)
    assert other.access.authenticate(issued.text) == grant
    for node in (one, other, one, other):
        node.access.admit(grant, 1)
    with pytest.raises(RateLimited):
        one.access.admit(grant, 1)
    one.access.revoke(ADMIN, issued.token.id)
    for node in (one, other):
        with pytest.raises(InvalidToken):
            node.access.authenticate(issued.text)
    with redis_server.client() as client:
        kept = [bytes(client.get(key) or b"") for key in client.keys("*")]
    assert not any(issued.text.encode() in value for value in kept)


def test_without_redis_calls_go_on_and_limits_hold(
    open_node: OpenNode, redis_server: RedisServer
) -> None:
    node = open_node(redis_url=SecretStr(redis_server.url), rate_limit=3)
    issued = issue(node)
    redis_server.kill()
    try:
        grant = node.access.authenticate(issued.text)
        for _ in range(3):
            node.access.admit(grant, 1)
        with pytest.raises(RateLimited):
            node.access.admit(grant, 1)
    finally:
        redis_server.start()


def test_use_is_noted_but_not_at_each_call(open_node: OpenNode) -> None:
    node = open_node()
    issued = issue(node)
    node.access.authenticate(issued.text)
    (first,) = node.access.tokens(ADMIN, ["acme"])
    assert first.last_used_at is not None
    node.access._cache.drop(f"token:{first.digest}")
    node.access.authenticate(issued.text)
    assert node.access.tokens(ADMIN) == [first]
