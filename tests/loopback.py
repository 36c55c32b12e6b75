"""Servers of this machine: free ports, a server in a thread, plain HTTP without certificates."""

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
# Certificates of others are not read: that takes longer than to ask.
_TRUSTING_NOBODY = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def send(method: str, url: str, **given: Any) -> httpx.Response:
    return httpx.request(method, url, timeout=PATIENCE, verify=_TRUSTING_NOBODY, **given)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def http_server(handler: type[BaseHTTPRequestHandler]) -> Iterator[ThreadingHTTPServer]:
    """Waits for the next request without looking up in between; the last one ends it."""
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
