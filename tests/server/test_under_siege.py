"""A server that is stuck still ends when told to; half-sent requests keep nobody out."""

from __future__ import annotations

import select
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path

import httpx
import pytest

from commonplace.server.lifecycle import connections
from commonplace.server.lifecycle.last_resort import killed_if_stuck
from tests.cli.commands import environment
from tests.loopback import send
from tests.transports.serving import PATIENCE, PRODUCT, ROOT, announced_port, log_lines, settings_of
from tests.waiting import patiently

FEW = 160
TOO_LATE = b"HTTP/1.1 408 Request Timeout"
TOO_MANY = "too many connections: dropping those that wait longest"
WHOLE = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"


@contextmanager
def started(
    folder: Path, *command: str, descriptors: int = 4096, seconds: str = "30"
) -> Iterator[Server]:
    with launched(folder, *command, descriptors=descriptors, seconds=seconds) as process:
        log = folder / "log"
        yield Server(process, announced_port(process, log), log)


@contextmanager
def launched(
    folder: Path, *command: str, descriptors: int = 4096, seconds: str = "30"
) -> Iterator[subprocess.Popen[bytes]]:
    log, limited = folder / "log", f'ulimit -n {descriptors}; exec "$0" "$@"'
    with log.open("wb") as stderr:
        process = subprocess.Popen(
            ["/bin/bash", "-c", limited, sys.executable, "-m", *command],
            env=environment(
                settings_of(folder / "home") | {"COMMONPLACE_SHUTDOWN_SECONDS": seconds}
            ),
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=stderr,
        )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


class Server:
    def __init__(self, process: subprocess.Popen[bytes], port: int, log: Path) -> None:
        self.process = process
        self.port = port
        self.log = log

    def is_alive(self) -> bool:
        return send("GET", f"http://127.0.0.1:{self.port}/healthz").status_code == 200

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), PATIENCE)


def is_held(folder: Path) -> bool:
    """Nothing else of the process runs from here on."""
    return any((folder / "held").exists() for _ in patiently())


@pytest.mark.parametrize("signals", [1, 2])
def test_a_signal_ends_a_server_whose_interpreter_is_held(tmp_path: Path, signals: int) -> None:
    seconds = "1" if signals == 1 else "3600"
    command = ("tests.server.stuck_server", str(tmp_path), "later")
    with started(tmp_path, *command, seconds=seconds) as server:
        (tmp_path / "hold").touch()
        assert is_held(tmp_path)
        server.process.send_signal(signal.SIGTERM)
        if signals == 2:
            server.process.send_signal(signal.SIGINT)
        assert server.process.wait(PATIENCE) == -signal.SIGKILL


def test_a_signal_ends_a_server_held_as_soon_as_it_says_that_it_serves(tmp_path: Path) -> None:
    command = ("tests.server.stuck_server", str(tmp_path), "at-once")
    with launched(tmp_path, *command, seconds="1") as process:
        assert is_held(tmp_path)
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == -signal.SIGKILL


def test_who_stops_in_time_is_left_alone() -> None:
    before = signal.set_wakeup_fd(-1)
    with killed_if_stuck(3600.0):
        assert signal.set_wakeup_fd(-1) != before
    assert signal.set_wakeup_fd(-1) == before


def test_half_sent_requests_give_way_to_whole_ones(tmp_path: Path) -> None:
    serve = (PRODUCT, "serve", "--port", "0")
    with started(tmp_path, *serve, descriptors=FEW) as server, ExitStack() as stack:
        halves = [stack.enter_context(server.connect()) for _ in range(3 * FEW)]
        for half in halves:
            half.sendall(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\n")
        assert all(server.is_alive() for _ in range(20))
        lines = log_lines(server.log)
    warned = [line for line in lines if line["level"] != "info"]
    assert {line["message"] for line in warned} <= {TOO_MANY}
    assert len({line["at"][:19] for line in warned}) == len(warned), "one a second at most"
    assert warned


def test_idle_connections_give_way_to_new_ones(tmp_path: Path) -> None:
    serve = (PRODUCT, "serve", "--port", "0")
    with started(tmp_path, *serve, descriptors=FEW) as server, ExitStack() as stack:
        for _ in range(FEW):
            assert _answer(stack.enter_context(server.connect()), WHOLE) == b"HTTP/1.1 200 OK"
        assert all(server.is_alive() for _ in range(20))
        messages = {line["message"] for line in log_lines(server.log)}
    assert TOO_MANY in messages


def test_an_idle_connection_stays_open_for_as_long_as_clients_keep_it(tmp_path: Path) -> None:
    """If the server closed it first, a request that is on its way would be lost."""
    kept_by_client = httpx.Limits().keepalive_expiry
    assert kept_by_client is not None
    with started(tmp_path, PRODUCT, "serve", "--port", "0") as server:
        client = HTTPConnection("127.0.0.1", server.port)
        with closing(client):
            client.request("GET", "/healthz")
            client.getresponse().read()
            closed, _, _ = select.select([client.sock], [], [], 1.2 * kept_by_client)
    assert not closed


def test_requests_that_never_come_whole_are_given_up(tmp_path: Path) -> None:
    """Heads, and bodies, which may take longer the more of them has come."""
    assert 0 < connections.HEAD_SECONDS <= 60
    hasty = (
        "from commonplace.server.lifecycle import connections as c; "
        "c.HEAD_SECONDS = c.BODY_SECONDS = 0.5; "
        "from commonplace.cli.main import main; main(['serve', '--port', '0'])"
    )
    script = tmp_path / "hasty.py"
    script.write_text(hasty)
    log = tmp_path / "log"
    with log.open("wb") as stderr:
        process = subprocess.Popen(
            [sys.executable, str(script)],
            env=environment(settings_of(tmp_path / "home")),
            cwd=ROOT,
            stderr=stderr,
        )
    try:
        server = Server(process, announced_port(process, log), log)
        head = b"POST /rpc HTTP/1.1\r\nHost: localhost\r\nContent-Length: 90\r\n\r\n{"
        for sent, told in (
            (b"", TOO_LATE),
            (b"GET / HTTP/1.1\r\nHost: lo", TOO_LATE),
            (head, b""),
        ):
            with server.connect() as connection:
                assert _answer(connection, sent) == told
        for rest in (b"GET / HT", head):
            with server.connect() as connection:
                connection.sendall(WHOLE + rest)
                assert connection.makefile("rb").read().startswith(b"HTTP/1.1 200 OK")
        assert server.is_alive()
    finally:
        process.kill()
        process.wait()


def _answer(connection: socket.socket, sent: bytes) -> bytes:
    connection.sendall(sent)
    return connection.makefile("rb").readline().strip()
