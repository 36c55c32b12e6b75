"""A real web server whose pages a test writes, and which remembers how it was asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from threading import Event

from tests.loopback import http_server


@dataclass(frozen=True, slots=True)
class Page:
    body: bytes
    media_type: str = "text/html; charset=utf-8"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Website:
    """`gate` holds answers back while it is not set."""

    address: str
    pages: dict[str, Page] = field(default_factory=dict)
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    gate: Event = field(default_factory=Event)

    def put(self, path: str, body: str | bytes, **page: object) -> str:
        """The URL of a page that is there from now on."""
        data = body.encode() if isinstance(body, str) else body
        self.pages[path] = Page(data, **page)  # type: ignore[arg-type]  # fields by name
        return f"{self.address}{path}"

    def paths(self) -> list[str]:
        return [path for path, _ in self.asked]


@contextmanager
def website() -> Iterator[Website]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            site.asked.append((self.path, {k.lower(): v for k, v in self.headers.items()}))
            site.gate.wait(60)
            self._send(site.pages.get(self.path, Page(b"not here", status=404)))

        def _send(self, page: Page) -> None:
            same = page.headers.get("ETag")
            unchanged = same is not None and self.headers.get("If-None-Match") == same
            body = b"" if unchanged else page.body
            try:
                self.send_response(304 if unchanged else page.status)
                self.send_header("Content-Type", page.media_type)
                for name, value in page.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            except ConnectionError:
                self.close_connection = True

        def log_message(self, *_: object) -> None:
            """Tests print nothing."""

    with http_server(Handler) as server:
        site = Website(f"http://127.0.0.1:{server.server_port}")
        site.gate.set()
        try:
            yield site
        finally:
            site.gate.set()
