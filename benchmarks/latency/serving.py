"""Servers in processes of their own, as a client meets them: the product, and a mere echo."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.latency.loading import ACTOR
from commonplace.access.rules import NewToken
from commonplace.bootstrap import running_application
from commonplace.model.actor import Scope
from commonplace.settings import Settings

_UP_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class RunningServer:
    """Where a server answers, and the process that does."""

    url: str
    process: int

    def computed(self) -> float:
        """Seconds of processor time so far, of all its threads."""
        threads = Path(f"/proc/{self.process}/task").glob("*/schedstat")
        return sum(int(thread.read_text().split()[0]) for thread in threads) / 1e9


@contextmanager
def product(settings: Settings) -> Iterator[tuple[RunningServer, str]]:
    """A server and a token, without limit as far as it goes.

    Without a worker: what it would do has been done, and it would share the processor.
    """
    port = _free_port()
    with running_application(settings) as application:
        new = NewToken(ACTOR.org, ACTOR.agent, frozenset({Scope.READ}))
        token = application.access.create(ACTOR, new).text
    command = ["commonplace", "serve", "--port", str(port)]
    with _started(command, port, _environment(settings)) as server:
        yield server, token


@contextmanager
def without_token(settings: Settings) -> Iterator[RunningServer]:
    """A server on a database that has no token, so that its own account needs none."""
    port = _free_port()
    command = ["commonplace", "serve", "--port", str(port)]
    with _started(command, port, _environment(settings)) as server:
        yield server


def _environment(settings: Settings) -> dict[str, str]:
    told = {
        "HOME": str(settings.home),
        "ORG": ACTOR.org,
        "AGENT": ACTOR.agent,
        "WORKER": "false",
        "LOG_LEVEL": "error",
        "RATE_LIMIT_READ": "1000000",
    }
    if settings.database_url:
        told["DATABASE_URL"] = settings.database_url.get_secret_value()
    return {f"COMMONPLACE_{name}": value for name, value in told.items()}


@contextmanager
def started(environment: Mapping[str, str]) -> Iterator[str]:
    """The address, without a path, of the product with settings of one's own."""
    port = _free_port()
    with _started(["commonplace", "serve", "--port", str(port)], port, environment) as server:
        yield server.url.removesuffix("/mcp")


@contextmanager
def echo() -> Iterator[RunningServer]:
    port = _free_port()
    with _started(["benchmarks.latency.echo", str(port)], port, {}) as server:
        yield server


@contextmanager
def _started(
    module: Sequence[str], port: int, environment: Mapping[str, str]
) -> Iterator[RunningServer]:
    """A server that is up."""
    process = subprocess.Popen([sys.executable, "-m", *module], env={**os.environ, **environment})
    try:
        _await_health(f"http://127.0.0.1:{port}/healthz", process)
        yield RunningServer(f"http://127.0.0.1:{port}/mcp", process.pid)
    finally:
        process.terminate()
        process.wait(60)


def _await_health(url: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + _UP_SECONDS
    while True:
        try:
            with urllib.request.urlopen(url):
                return
        except urllib.error.URLError:
            if process.poll() is not None or time.monotonic() > deadline:
                sys.exit("A server does not come up.")
            time.sleep(0.05)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
