"""Servers as processes: a token made and revoked elsewhere, and two of them counting together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commands import run_process
from tests.loopback import send
from tests.redis_servers import RedisServer
from tests.stores import MakeDatabase
from tests.transports.serving import PRODUCT, Served, log_lines, served
from tests.transports.wire import request
from tests.waiting import patiently

MAKE = (
    *("token", "create", "--new-org", "--org", "acme", "--agent", "ada"),
    *("--scopes", "knowledge:read"),
)
Serve = Callable[..., Served]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    with ExitStack() as stack:
        yield lambda name, **told: stack.enter_context(_served(tmp_path / name, told))


def _served(folder: Path, told: dict[str, str]) -> Any:
    folder.mkdir()
    return served(PRODUCT, folder, **told)


def ask(server: Served, token: str | None = None) -> int:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    body = request("knowledge.list", workspaceId="w")
    return send("POST", f"{server.origin}/rpc", json=body, headers=headers).status_code


def until(wanted: int, server: Served, token: str | None = None) -> bool:
    return any(ask(server, token) == wanted for _ in patiently())


def test_tokens_that_another_process_makes_and_revokes(serve: Serve) -> None:
    server = serve("one")
    told = {"COMMONPLACE_HOME": str(server.home)}
    assert ask(server) == 200
    made = run_process(told, *MAKE, "--json").document
    assert until(401, server), "the first token closes the door"
    assert ask(server, made["token"]) == 200
    assert run_process(told, "token", "revoke", made["id"]).code == 0
    assert until(401, server, made["token"])
    assert until(200, server), "with the last one revoked it opens again"
    assert made["token"] not in server.log.read_text()


def test_a_team_counts_together(
    serve: Serve, make_database: MakeDatabase, redis_server: RedisServer
) -> None:
    told = {
        "COMMONPLACE_DATABASE_URL": make_database("postgres").address,
        "COMMONPLACE_REDIS_URL": redis_server.url,
        "COMMONPLACE_RATE_LIMIT_READ": "10",
    }
    servers = [serve(name, **told) for name in ("one", "other")]
    assert [ask(server) for server in servers] == [401, 401]
    token = run_process(told, *MAKE, "--json").document["token"]
    answers = [ask(servers[number % 2], token) for number in range(11)]
    assert answers == [200] * 10 + [429]
    redis_server.kill()
    try:
        assert ask(servers[0], token) == 200, "calls go on, counted by each for itself"
    finally:
        redis_server.start()
    away = [line for line in log_lines(servers[0].log) if line["level"] == "warning"]
    assert [line["message"] for line in away] == ["shared cache unreachable: counting locally"]
