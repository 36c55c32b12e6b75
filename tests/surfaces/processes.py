"""The product as processes of their own, over stdio and over HTTP, and clients that call them.

Decides how they are started, found to be up and ended; not what is asked of them.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from mcp.client.stdio import StdioServerParameters, stdio_client
from pydantic import SecretStr

from commonplace.application import local_actor
from commonplace.bootstrap import running
from commonplace.settings import Settings
from tests.loopback import free_port
from tests.surfaces.clients import Address, Caller, Connections, token_for
from tests.waiting import patiently

# Each store and each transport in a process of its own, once: the stores are told apart by every
# test of a surface, the transports by tests/transports.
STORES_AND_TRANSPORTS = [("sqlite", "stdio"), ("postgres", "http")]
_COMMAND = (sys.executable, "-m", "commonplace")
_NOTE_PID = 'echo $$ > "$0"; exec "$@"'
_UP_SECONDS = 120.0


def environment(settings: Settings) -> dict[str, str]:
    """The settings as a process is told them."""
    values = {name: getattr(settings, name) for name in Settings.model_fields}
    told = {f"COMMONPLACE_{name.upper()}": _told(v) for name, v in values.items() if v is not None}
    return {**os.environ, **told, "COMMONPLACE_LOG_LEVEL": "error"}


def _told(value: object) -> str:
    return value.get_secret_value() if isinstance(value, SecretStr) else str(value)


class StdioServer:
    """A server that a client starts; it ends with the client, or is killed before."""

    def __init__(self, caller: Caller, pid_file: Path) -> None:
        self.caller = caller
        self._pid_file = pid_file

    def kill(self) -> None:
        """As a crash would end it."""
        os.kill(int(self._pid_file.read_text()), signal.SIGKILL)


@dataclass(frozen=True, slots=True)
class HttpServer:
    """A server that is up."""

    address: str
    token: str
    process: subprocess.Popen[bytes]

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

    def stdio(
        self,
        settings: Settings,
        *,
        mode: str = "legacy",
        connect: Connections | None = None,
        name: str = "probe",
    ) -> StdioServer:
        pid_file = self._new_file("pid")
        server = StdioServerParameters(
            command="/bin/sh",
            args=["-c", _NOTE_PID, str(pid_file), *_COMMAND, "mcp"],
            env=environment(settings),
        )
        errors = self._stack.enter_context(self._new_file("stderr").open("w"))
        transport = stdio_client(server, errlog=errors)
        caller = (connect or self.connect)(transport, mode=mode, name=name)
        return StdioServer(caller, pid_file)

    def http(self, settings: Settings) -> Address:
        """The MCP address of a server that is up; `connect` takes it."""
        return self.serve(settings).mcp

    def serve(self, settings: Settings) -> HttpServer:
        port = free_port()
        errors = self._stack.enter_context(self._new_file("stderr").open("w"))
        process = subprocess.Popen(
            [*_COMMAND, "serve", "--port", str(port)], env=environment(settings), stderr=errors
        )
        self._stack.callback(_end, process)
        _await_health(f"http://127.0.0.1:{port}/healthz", process)
        return HttpServer(f"http://127.0.0.1:{port}", _token(settings), process)

    def worker(self, settings: Settings) -> subprocess.Popen[bytes]:
        """A worker of its own, ended with the test unless it was before."""
        errors = self._stack.enter_context(self._new_file("stderr").open("w"))
        process = subprocess.Popen([*_COMMAND, "worker"], env=environment(settings), stderr=errors)
        self._stack.callback(_end, process)
        return process

    def _new_file(self, kind: str) -> Path:
        self._started += 1
        return self._folder / f"{kind}-{self._started}.txt"


def _token(settings: Settings) -> str:
    """Speaks for the local actor of the settings."""
    actor = local_actor(settings, "probe")
    with running(settings) as application:
        return token_for(application, actor.org, actor.agent, actor.scopes)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    process.wait(60)


def _await_health(url: str, process: subprocess.Popen[bytes]) -> None:
    for _ in patiently(_UP_SECONDS):
        try:
            with urllib.request.urlopen(url):
                return
        except urllib.error.URLError:
            assert process.poll() is None, "the server ended"
    raise AssertionError("the server does not come up")
