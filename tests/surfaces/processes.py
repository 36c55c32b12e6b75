"""The product as processes of their own, over stdio and over HTTP, and clients that call them.

Decides how they are started, found to be up and ended; not what is asked of them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from mcp.client.stdio import StdioServerParameters, stdio_client
from pydantic import SecretStr

from commonplace.application import local_actor
from commonplace.bootstrap import running_application
from commonplace.settings import Settings
from tests.forked import ForkedModule, Running
from tests.loopback import free_port
from tests.surfaces.clients import Address, Caller, Connections, token_for
from tests.waiting import patiently

# Each store and each transport in a process of its own, once: the stores are told apart by every
# test of a surface, the transports by tests/transports.
STORES_AND_TRANSPORTS = [("sqlite", "stdio"), ("postgres", "http")]
_COMMAND = "commonplace"
_NOTHING = Path(os.devnull)
# What a client starts: it hands on what is said to a server that was forked, and what that answers.
_RELAY = 'cat "$1" & exec cat > "$0"'
_UP_SECONDS = 120.0
_WITH_STREAMS = 'exec "$@" < "$0" > "$STDOUT" 2> "$STDERR"'


def environment(settings: Settings) -> dict[str, str]:
    """The settings as a process is told them."""
    values = {name: getattr(settings, name) for name in Settings.model_fields}
    told = {f"COMMONPLACE_{name.upper()}": _told(v) for name, v in values.items() if v is not None}
    return {**os.environ, **told, "COMMONPLACE_LOG_LEVEL": "error"}


def _told(value: object) -> str:
    return value.get_secret_value() if isinstance(value, SecretStr) else str(value)


def started(
    *command: str, env: dict[str, str], stdin: Path, stdout: Path, stderr: Path
) -> subprocess.Popen[bytes]:
    """By an interpreter of its own, for tests of what it does before anything runs."""
    streams = {"STDOUT": str(stdout), "STDERR": str(stderr)}
    words = ["/bin/sh", "-c", _WITH_STREAMS, str(stdin), sys.executable, "-m", *command]
    return subprocess.Popen(words, env=env | streams)


class StdioServer:
    """A server that a client starts; it ends with the client, or is killed before."""

    def __init__(self, caller: Caller, process: Running) -> None:
        self.caller = caller
        self._process = process

    def kill(self) -> None:
        """As a crash would end it."""
        self._process.kill()


@dataclass(frozen=True, slots=True)
class HttpServer:
    """A server that is up."""

    address: str
    token: str
    process: Running

    @property
    def mcp(self) -> Address:
        """What `connect` takes."""
        return Address(f"{self.address}/mcp", self.token)

    @property
    def headers(self) -> dict[str, str]:
        """What a request by hand carries to be let in."""
        return {"Authorization": f"Bearer {self.token}"}

    def kill(self) -> None:
        """As a crash would end it."""
        self.process.kill()
        self.process.wait()


class Processes:
    """Everything that one test started."""

    def __init__(self, folder: Path, connect: Connections, stack: ExitStack) -> None:
        self._folder = folder
        self.connect = connect
        self._stack = stack
        self._started = 0
        self.start: Callable[..., Running] = ForkedModule

    def stdio(
        self,
        settings: Settings,
        *,
        mode: str = "legacy",
        connect: Connections | None = None,
        name: str = "probe",
    ) -> StdioServer:
        said, answered = self._new_file("said"), self._new_file("answered")
        for pipe in (said, answered):
            os.mkfifo(pipe)
        process = self._launch(settings, "mcp", stdin=said, stdout=answered)
        self._stack.callback(_let_end, process)
        relay = StdioServerParameters(
            command="/bin/sh", args=["-c", _RELAY, str(said), str(answered)]
        )
        errors = self._stack.enter_context(self._new_file("relay").open("w"))
        transport = stdio_client(relay, errlog=errors)
        caller = (connect or self.connect)(transport, mode=mode, name=name)
        return StdioServer(caller, process)

    def http(self, settings: Settings) -> Address:
        """The MCP address of a server that is up; `connect` takes it."""
        return self.serve(settings).mcp

    def serve(self, settings: Settings) -> HttpServer:
        port = free_port()
        process = self._ended_with_the_test(settings, "serve", "--port", str(port))
        _await_health(f"http://127.0.0.1:{port}/healthz", process)
        return HttpServer(f"http://127.0.0.1:{port}", _token(settings), process)

    def worker(self, settings: Settings) -> Running:
        """A worker of its own, ended with the test unless it was before."""
        return self._ended_with_the_test(settings, "worker")

    def _ended_with_the_test(self, settings: Settings, *arguments: str) -> Running:
        process = self._launch(settings, *arguments)
        self._stack.callback(_end, process)
        return process

    def _launch(
        self, settings: Settings, *arguments: str, stdin: Path = _NOTHING, stdout: Path = _NOTHING
    ) -> Running:
        errors = self._new_file("stderr")
        told = environment(settings)
        return self.start(_COMMAND, *arguments, env=told, stdin=stdin, stdout=stdout, stderr=errors)

    def _new_file(self, kind: str) -> Path:
        self._started += 1
        return self._folder / f"{kind}-{self._started}.txt"


def _token(settings: Settings) -> str:
    """Speaks for the local actor of the settings."""
    actor = local_actor(settings, "probe")
    with running_application(settings) as application:
        return token_for(application, actor.org, actor.agent, actor.scopes)


def _let_end(process: Running) -> None:
    """A client that has left closed its input."""
    try:
        process.wait(_UP_SECONDS)
    finally:
        process.kill()


def _end(process: Running) -> None:
    process.terminate()
    process.wait(60)


def _await_health(url: str, process: Running) -> None:
    for _ in patiently(_UP_SECONDS):
        try:
            with urllib.request.urlopen(url):
                return
        except urllib.error.URLError:
            assert process.poll() is None, "the server ended"
    raise AssertionError("the server does not come up")
