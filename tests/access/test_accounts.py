"""Other accounts of a shared machine: without a token they get nothing, whatever they ask."""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from ipaddress import ip_address
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import uvicorn

from commonplace.application import LazyApplication
from commonplace.bootstrap import build
from commonplace.server.gate.accounts import (
    End,
    account_of,
    asked_account,
    connections,
    is_own_account,
    listed_account,
)
from commonplace.server.gate.policy import access_policy
from commonplace.server.http import listen, make_app
from commonplace.server.lifecycle.connections import GuardedConnection
from commonplace.server.monitoring.meter import CallMeter
from commonplace.settings import Settings
from tests.access.house import house
from tests.transports.serving import PRODUCT, Served, served

NOBODY = 65534
# Asks as whatever account it is started under; it needs no more of Python than is built in.
_ASK = """
import json, sys, urllib.error, urllib.request
url, body = sys.argv[1], sys.argv[2].encode()
headers = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
try:
    with urllib.request.urlopen(urllib.request.Request(url, body, headers)) as answer:
        print(json.dumps([answer.status, answer.read().decode()]))
except urllib.error.HTTPError as error:
    print(json.dumps([error.code, error.read().decode()]))
"""
_LIST = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "knowledge.list",
    "params": {"workspaceId": "w"},
}
_INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "other", "version": "1"},
    },
}

# Only root can become somebody else; other developers see that they themselves are let in.
OTHERS = [NOBODY] if os.getuid() == 0 else []


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(PRODUCT, tmp_path_factory.mktemp("shared")) as running:
        yield running


def asked_by(account: int, url: str, message: dict[str, Any]) -> tuple[int, str]:
    other: dict[str, Any] = {"user": account, "group": account, "extra_groups": []}
    done = subprocess.run(
        ["/usr/bin/env", "-i", _python(), "-S", "-c", _ASK, url, json.dumps(message)],
        cwd="/",
        capture_output=True,
        check=False,
        **({} if account == os.getuid() else other),
    )
    assert done.returncode == 0, done.stderr.decode()
    status, text = json.loads(done.stdout)
    return status, text


def _python() -> str:
    """One that everybody may run, where there is one."""
    system = Path("/usr/bin/python3")
    return str(system) if system.exists() else sys.executable


@pytest.mark.parametrize(("path", "message"), [("/rpc", _LIST), ("/mcp", _INITIALIZE)])
def test_another_account_gets_nothing_and_the_own_one_everything(
    server: Served, path: str, message: dict[str, Any]
) -> None:
    for host in ("127.0.0.1", "localhost"):
        url = f"http://{host}:{server.port}{path}"
        for other in OTHERS:
            status, text = asked_by(other, url, message)
            assert status == 401
            assert "only the account that runs it" in text
        assert asked_by(os.getuid(), url, message)[0] == 200


def test_whose_socket_it_is_at_the_other_end() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        address = listening.getsockname()
        with socket.create_connection(address) as client:
            served_end, _ = listening.accept()
            with served_end:
                scope: dict[str, Any] = {"client": client.getsockname(), "server": address}
                assert is_own_account(scope)
                assert not is_own_account({**scope, "client": ("127.0.0.1", 1)})
        odd: list[dict[str, Any]] = [{}, {"client": None, "server": address}]
        for scope in [*odd, {"client": ("x", 1), "server": ("y", 2)}]:
            assert not is_own_account(scope)


@pytest.mark.parametrize("find", [account_of, asked_account, listed_account])
@pytest.mark.parametrize(
    ("family", "host"), [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")]
)
def test_the_kernel_and_its_table_name_the_same_account(
    find: Callable[[End, End], int | None], family: socket.AddressFamily, host: str
) -> None:
    with socket.create_server((host, 0), family=family) as listening:
        server = (ip_address(host), listening.getsockname()[1])
        with socket.create_connection((host, server[1])) as opened:
            client = (ip_address(host), opened.getsockname()[1])
            assert find(client, server) == os.getuid()
            assert find((client[0], 1), server) is None
            assert find(client, (server[0], 1)) is None
        assert find(client, server) is None


@contextmanager
def answering(home: Path, accounts: list[bool]) -> Iterator[int]:
    """The port of a server that takes each lookup of an account from a list."""
    settings = Settings(home=home, worker=False)
    lazy = LazyApplication(lambda: build(settings))
    with listen("127.0.0.1", 0) as listening:
        port = listening.getsockname()[1]
        policy = access_policy(settings, "127.0.0.1", port)
        policy = replace(policy, is_own_account=lambda _scope: accounts.pop(0))
        app = make_app(lazy, settings, CallMeter(), policy)
        config = uvicorn.Config(app, log_config=None, lifespan="on", http=GuardedConnection)
        server = uvicorn.Server(config)
        thread = Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            yield port
        finally:
            server.should_exit = True
            thread.join()
            lazy.close()


def test_a_connection_belongs_to_one_account_for_as_long_as_it_is_open(tmp_path: Path) -> None:
    """An account is looked up until it is the server's own, and anew for each connection."""
    accounts = [False, True, False, True]

    def status(client: http.client.HTTPConnection) -> int:
        client.request("POST", "/rpc", json.dumps(_LIST), {"content-type": "application/json"})
        with client.getresponse() as answer:
            answer.read()
            return answer.status

    with answering(tmp_path, accounts) as port:
        first, second = (http.client.HTTPConnection("127.0.0.1", port) for _ in range(2))
        assert [status(first) for _ in range(4)] == [401, 200, 200, 200]
        assert [status(second) for _ in range(3)] == [401, 200, 200]
        assert accounts == []
        assert status(first) == 200
        first.close()
        second.close()


def test_a_socket_that_its_process_has_let_go_of_is_nobodys() -> None:
    """The table lists it with the account 0, which is root's."""
    ends = " 0: 0100007F:1F90 0100007F:22B8 {} 00000000:00000000 00:00000000 00000000  0 0 1"
    (found,) = connections([ends.format("01")])
    assert (found.local, found.account) == ((ip_address("127.0.0.1"), 8080), 0)
    for state in ("02", "04", "05", "06", "08", "0A"):
        assert list(connections([ends.format(state)])) == []
    mapped = ends.format("01").replace("0100007F:1F90", "0000000000000000FFFF00000100007F:1F90")
    (same,) = connections([mapped])
    assert same.local == found.local
    assert account_of((ip_address("127.0.0.1"), 1), (ip_address("127.0.0.1"), 2)) is None


@pytest.mark.parametrize(
    ("access", "own", "before", "after"),
    [
        ("until-token", True, 200, 401),
        ("until-token", False, 401, 401),
        ("always", True, 200, 200),
        ("always", False, 401, 401),
        ("machine", False, 200, 401),
        ("never", True, 401, 401),
    ],
)
def test_who_of_this_machine_needs_a_token(
    tmp_path: Path, access: Any, own: bool, before: int, after: int
) -> None:
    settings = Settings(home=tmp_path, worker=False, local_access=access)
    with house(settings, own_account=own) as opened:
        assert opened.rpc().status_code == before
        token = opened.token()
        assert opened.rpc().status_code == after
        assert opened.rpc(token).status_code == 200
        assert opened.get("/api/sources", headers=opened.enter()).status_code == 200
