"""Attacks on a server that runs, and what others wait for meanwhile.

Speaks plain HTTP only, so that any version of the product can be attacked alike.
"""

from __future__ import annotations

import gzip
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from tests.waiting import patiently

PATIENCE = 90.0
_PAUSE = 0.05
_MEGABYTE = 1_000_000
PROSE = (
    "The gateway retries a refund three times and then writes it to the ledger, where somebody "
    "looks at it in the morning. Nobody is paid twice. "
)
# Starts of each other that a rule for cookies once tried against each other.
BACKTRACKING = "sessa=b; cookie: auth-"
STARS = "*a*a*a*a*a*a*a*a*b\n"
LONG_NAME = "a" * 200


def backtracking(length: int = _MEGABYTE) -> str:
    return (BACKTRACKING * (length // len(BACKTRACKING) + 1))[:length]


def one_line(part: str, length: int = 9 * _MEGABYTE) -> bytes:
    return (part * (length // len(part) + 1))[:length].encode()


def bomb(unpacked: int) -> bytes:
    """Zeros packed twice: some kilobytes that become gigabytes."""
    packing = zlib.compressobj(9, wbits=31)
    once = [packing.compress(bytes(_MEGABYTE)) for _ in range(unpacked // _MEGABYTE)]
    return gzip.compress(b"".join([*once, packing.flush()]), 9)


@dataclass(frozen=True, slots=True)
class Target:
    """A server that is up, the header that opens it, and its process."""

    address: str
    headers: dict[str, str]
    pid: int

    def tool(self, name: str, **given: Any) -> dict[str, Any]:
        """One call of a tool in a session of its own."""
        with httpx.Client(headers=self.headers, timeout=PATIENCE) as client:
            return _called(client, f"{self.address}/mcp", name, given)

    def upload(self, name: str, data: bytes) -> str:
        """The id of the new source."""
        fields = {"workspaceId": "ws"}
        answer = httpx.post(
            f"{self.address}/api/sources",
            data=fields,
            files={"file": (name, data, "text/plain")},
            headers=self.headers,
            timeout=PATIENCE,
        )
        return str(answer.raise_for_status().json()["source"]["id"])

    def add_page(self, url: str) -> str:
        given = {"type": "url", "sourceUrl": url, "workspaceId": "ws"}
        answer = httpx.post(
            f"{self.address}/api/sources", json=given, headers=self.headers, timeout=PATIENCE
        )
        return str(answer.raise_for_status().json()["source"]["id"])

    def source_status(self, id: str) -> str:
        answer = httpx.get(
            f"{self.address}/api/sources/{id}", headers=self.headers, timeout=PATIENCE
        )
        return str(answer.raise_for_status().json()["source"]["status"])

    def memory(self, name: str = "VmHWM") -> float:
        """Megabytes of the server's own process; by default the most that it ever had."""
        lines = Path(f"/proc/{self.pid}/status").read_text(encoding="utf-8").splitlines()
        found = next(line for line in lines if line.startswith(f"{name}:"))
        return int(found.split()[1]) / 1024


def _called(client: httpx.Client, url: str, name: str, given: dict[str, Any]) -> dict[str, Any]:
    accept = {"Accept": "application/json, text/event-stream"}
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "attacker", "version": "1"},
    }
    begun = client.post(url, headers=accept, json=_request(1, "initialize", hello))
    accept["Mcp-Session-Id"] = begun.raise_for_status().headers.get("mcp-session-id", "")
    told = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    client.post(url, headers=accept, json=told)
    asked = _request(2, "tools/call", {"name": name, "arguments": given})
    answer = client.post(url, headers=accept, json=asked).raise_for_status()
    return {"text": answer.text}


def _request(id: int, method: str, params: dict[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": params}


@dataclass(slots=True)
class Waits:
    """How long others waited for each answer, in seconds."""

    health: list[float] = field(default_factory=list)
    searches: list[float] = field(default_factory=list)

    @property
    def longest(self) -> float:
        return max(self.health, default=0.0)

    @property
    def longest_search(self) -> float:
        return max(self.searches, default=0.0)

    @property
    def share_in_stalls(self) -> float:
        """Of all time waited, the part in waits of more than a second."""
        total = sum(self.health)
        return sum(wait for wait in self.health if wait > 1) / total if total else 0.0


@contextmanager
def others(target: Target, *, searching: bool = True) -> Iterator[Waits]:
    """Somebody asks for health, and somebody searches, over and over, until the block ends."""
    waits, stop = Waits(), threading.Event()
    asked: list[tuple[list[float], Callable[[httpx.Client], httpx.Response]]] = [
        (waits.health, lambda client: client.get(f"{target.address}/healthz"))
    ]
    if searching:
        asked.append((waits.searches, lambda client: _search(client, target.address)))
    with ThreadPoolExecutor(len(asked)) as pool:
        probes = [pool.submit(_ask, target, each, ask, stop) for each, ask in asked]
        try:
            yield waits
        finally:
            stop.set()
    for probe in probes:
        probe.result()


def _search(client: httpx.Client, address: str) -> httpx.Response:
    given = {"query": "refund gateway", "workspaceId": "ws"}
    return client.post(f"{address}/api/sources/search", json=given)


def _ask(
    target: Target,
    waits: list[float],
    ask: Callable[[httpx.Client], httpx.Response],
    stop: threading.Event,
) -> None:
    with httpx.Client(headers=target.headers, timeout=PATIENCE) as client:
        while not stop.is_set():
            started = time.monotonic()
            try:
                ask(client)
            except httpx.TransportError:
                waits.append(time.monotonic() - started)
                client.close()
                return
            waits.append(time.monotonic() - started)
            stop.wait(_PAUSE)


def within(seconds: float, done: Callable[[], bool]) -> float:
    """Seconds until it is done, or all of them."""
    started = time.monotonic()
    any(done() for _ in patiently(seconds, look=0.1))
    return time.monotonic() - started
