"""A server that vanishes without closing its connections: how long callers wait for it."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from socketserver import BaseRequestHandler, ThreadingTCPServer
from threading import Event, Thread
from urllib.parse import parse_qs, urlsplit

import pytest

from commonplace.storage.postgres.connections import Connections
from tests.waiting import let_pass

POOLED = 4
# After this time a lost server is noticed, as with `tcp_user_timeout`.
NOTICED_SECONDS = 0.2
_TERMINATE = b"X"


class VanishingServer(ThreadingTCPServer):
    """Forwards to a server until `vanish`; then the connections that are open get no answer."""

    def __init__(self, behind: Path) -> None:
        super().__init__(("127.0.0.1", 0), _Forwarding)
        self.behind = behind
        self.open: list[Event] = []
        self.unanswered = 0

    def vanish(self) -> None:
        for gone in self.open:
            gone.set()


class _Forwarding(BaseRequestHandler):
    server: VanishingServer
    request: socket.socket

    def handle(self) -> None:
        gone = Event()
        self.server.open.append(gone)
        with socket.socket(socket.AF_UNIX) as server, suppress(OSError):
            server.connect(str(self.server.behind))
            back = Thread(target=_copy, args=(server, self.request))
            back.start()
            while (data := self.request.recv(65_536)) and not gone.is_set():
                server.sendall(data)
            if data and not data.startswith(_TERMINATE):
                self.server.unanswered += 1
                let_pass(NOTICED_SECONDS)
            server.shutdown(socket.SHUT_RDWR)
            back.join()


def _copy(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65_536):
            target.sendall(data)


@pytest.fixture
def server(address: str) -> Iterator[VanishingServer]:
    folder = Path(parse_qs(urlsplit(address).query)["host"][0])
    with VanishingServer(next(folder.glob(".s.PGSQL.*[0-9]"))) as server:
        serving = Thread(target=server.serve_forever)
        serving.start()
        yield server
        server.shutdown()
        serving.join()


def test_a_vanished_server_is_waited_for_once(address: str, server: VanishingServer) -> None:
    """However many connections are idle: each would be waited for as long as the first."""
    given = urlsplit(address)
    place = f"{given.username}@127.0.0.1:{server.server_address[1]}{given.path}"
    connections = Connections(f"postgresql://{place}?sslmode=disable&gssencmode=disable", POOLED)
    with ExitStack() as together:
        for _ in range(POOLED):
            together.enter_context(connections.transaction(write=False))
    server.vanish()
    with connections.transaction(write=False) as connection:
        found = connection.execute(b"SELECT 1 AS one").fetchone()
    connections.close()
    assert found == {"one": 1}
    assert server.unanswered == 1
