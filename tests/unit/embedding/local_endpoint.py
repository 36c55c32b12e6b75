"""A real HTTP server with an OpenAI-shaped `/v1/embeddings`, scripted per test."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.loopback import http_server


@dataclass(frozen=True, slots=True)
class Asked:
    """One request as it arrived."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]

    @property
    def inputs(self) -> list[str]:
        return list(self.body["input"])


@dataclass(frozen=True, slots=True)
class Answered:
    """What to send back."""

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


Script = Callable[[Asked], Answered]


@dataclass(frozen=True, slots=True)
class LocalEndpoint:
    """A running server and what it was asked so far."""

    url: str
    asked: list[Asked]


def vectors(rows: list[list[float]]) -> Answered:
    """A well-formed answer."""
    data = [{"object": "embedding", "index": n, "embedding": row} for n, row in enumerate(rows)]
    return Answered(json.dumps({"object": "list", "data": data}).encode())


@contextmanager
def local_endpoint(script: Script) -> Iterator[LocalEndpoint]:
    asked: list[Asked] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            request = Asked(self.path, dict(self.headers), json.loads(self.rfile.read(length)))
            asked.append(request)
            self._send(script(request))

        def _send(self, answer: Answered) -> None:
            try:
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(answer.body)))
                self.end_headers()
                self.wfile.write(answer.body)
            except ConnectionError:
                self.close_connection = True

        def log_message(self, *_: object) -> None:
            """Tests print nothing."""

    with http_server(Handler) as server:
        yield LocalEndpoint(f"http://127.0.0.1:{server.server_port}/v1", asked)
