"""Local servers for tests: free ports, an HTTP server in a thread, a plain HTTP client."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

import httpx

PATIENCE = 60.0
# An empty context: loading the system's certificates takes longer than a request.
_NO_CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def send(method: str, url: str, **given: Any) -> httpx.Response:
    return httpx.request(method, url, timeout=PATIENCE, verify=_NO_CERTIFICATES, **given)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def http_server(handler: type[BaseHTTPRequestHandler]) -> Iterator[ThreadingHTTPServer]:
    """A server in a thread. It blocks on the next request, so a last connection ends it."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    ended = Event()

    def serve() -> None:
        while not ended.is_set():
            server.handle_request()

    thread = Thread(target=serve)
    thread.start()
    try:
        yield server
    finally:
        ended.set()
        with socket.create_connection(("127.0.0.1", server.server_port)):
            thread.join()
        server.server_close()
