"""MCP by hand, below any client: raw lines over stdio, raw requests over HTTP."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import httpx

from tests.cli.commands import environment
from tests.forked import ForkedModule
from tests.loopback import send
from tests.transports.serving import PATIENCE, ROOT, Served, settings_of

MODERN = "2026-07-28"
LEGACY = "2025-11-25"
_INITIALIZE = {
    "protocolVersion": LEGACY,
    "capabilities": {},
    "clientInfo": {"name": "by-hand", "version": "1"},
}
Message = dict[str, Any]


def envelope(name: str = "by-hand") -> Message:
    """What a request of the newest revision carries instead of a handshake."""
    return {
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientInfo": {"name": name, "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }


def request(method: str, id: int = 1, **params: Any) -> Message:
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params}


class Stdio:
    """A server process whose every output line is kept."""

    def __init__(
        self, process: ForkedModule, said: BinaryIO, answered: BinaryIO, log: Path
    ) -> None:
        self._process = process
        self._said = said
        self._answered = answered
        self.log = log
        self.lines: list[bytes] = []

    def send(self, line: bytes) -> None:
        self._said.write(line + b"\n")
        self._said.flush()

    def ask(self, message: Message) -> Message:
        """The answer to this request; what arrives before it is kept as well."""
        self.send(json.dumps(message).encode())
        while True:
            received = self.receive()
            if received.get("id") == message["id"]:
                return received

    def receive(self) -> Message:
        line = self._answered.readline()
        assert line, self.log.read_text()
        self.lines.append(line)
        received: Message = json.loads(line)
        return received

    def initialize(self) -> Message:
        answer = self.ask(request("initialize", 1_000, **_INITIALIZE))
        self.send(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}')
        return answer

    def end(self) -> bytes:
        """Close its input and wait; gives what it still had to say."""
        self._said.close()
        rest = self._answered.read()
        assert self._process.wait(PATIENCE) == 0, self.log.read_text()
        return rest


@contextmanager
def stdio(module: str, folder: Path, **settings: str) -> Iterator[Stdio]:
    said, answered, log = (folder / name for name in ("said", "answered", "log"))
    for pipe in (said, answered):
        os.mkfifo(pipe)
    told = environment(settings_of(folder / "home") | settings)
    streams = {"stdin": said, "stdout": answered, "stderr": log}
    process = ForkedModule(module, "mcp", env=told, cwd=ROOT, **streams)
    try:
        with said.open("wb") as writing, answered.open("rb") as reading:
            yield Stdio(process, writing, reading, log)
    finally:
        process.kill()
        process.wait()


class Http:
    """One endpoint, spoken to in either era; answers in events are unpacked."""

    def __init__(self, server: Served, revision: str, name: str = "by-hand") -> None:
        self._url = server.endpoint
        self._envelope = envelope(name)
        self._headers = {
            "accept": "application/json, text/event-stream",
            "content-type": "application/json",
            "mcp-protocol-version": revision,
        }
        self.revision = revision
        if revision != MODERN:
            answer = self.post(request("initialize", 1_000, **_INITIALIZE))
            self._headers["mcp-session-id"] = answer.headers["mcp-session-id"]
            self.post({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def post(self, message: Message) -> httpx.Response:
        return self.post_bytes(json.dumps(message).encode(), **self._routing(message))

    def post_bytes(self, body: bytes, **headers: str) -> httpx.Response:
        sent = self._headers | headers
        return send("POST", self._url, content=body, headers=sent)

    def ask(self, message: Message) -> Message:
        if self.revision == MODERN:
            message = {**message, "params": {**message["params"], "_meta": self._envelope}}
        return answer_in(self.post(message))

    def _routing(self, message: Message) -> dict[str, str]:
        params = message.get("params", {})
        name = params.get("name") or params.get("uri")
        return {"mcp-method": message["method"]} | ({"mcp-name": str(name)} if name else {})


def answer_in(response: httpx.Response) -> Message:
    """The JSON-RPC answer, whether it came as JSON or as the last event of a stream."""
    text = response.text
    if response.headers["content-type"].startswith("text/event-stream"):
        text = [line for line in text.splitlines() if line.startswith("data: ")][-1][6:]
    answer: Message = json.loads(text)
    return answer
