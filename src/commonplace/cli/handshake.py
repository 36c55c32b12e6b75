"""Starts the server as a client would, and lists its tools."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from typing import Any

from commonplace.clients.catalog import ServerCommand
from commonplace.errors import CommonplaceError

_SECONDS = 30.0
_ENDING_SECONDS = 10.0
# The variables that clients started from a desktop pass on; a shell has more.
_INHERITED = ("HOME", "PATH", "TMPDIR", "LANG", "USER", "LOGNAME", "XDG_DATA_HOME")
_INITIALIZE = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "commonplace-connect", "version": "1"},
}


def tools_of(server: ServerCommand) -> list[str]:
    """The names of a server's tools; CommonplaceError if it does not start or answer."""
    variables = {name: os.environ[name] for name in _INHERITED if name in os.environ}
    try:
        process = subprocess.Popen(  # noqa: S603 - it is our own command
            [server.program, *server.arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=variables | dict(server.settings),
        )
    except OSError as error:
        raise CommonplaceError(f"{server.program} does not start: {error.strerror}.") from None
    clock = threading.Timer(_SECONDS, process.kill)
    clock.start()
    try:
        return _listed_tools(process)
    finally:
        clock.cancel()
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the server as a client does, by closing its input, or kill it after a while."""
    try:
        process.communicate(timeout=_ENDING_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()


def _listed_tools(process: subprocess.Popen[bytes]) -> list[str]:
    _send(process, {"id": 1, "method": "initialize", "params": _INITIALIZE})
    _receive(process, 1)
    _send(process, {"method": "notifications/initialized"})
    _send(process, {"id": 2, "method": "tools/list"})
    return [tool["name"] for tool in _receive(process, 2)["tools"]]


def _send(process: subprocess.Popen[bytes], message: dict[str, Any]) -> None:
    assert process.stdin is not None
    try:
        process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        process.stdin.flush()
    except BrokenPipeError:
        raise _no_answer(process) from None


def _receive(process: subprocess.Popen[bytes], id: int) -> dict[str, Any]:
    assert process.stdout is not None
    for line in process.stdout:
        message = json.loads(line)
        if message.get("id") == id and "result" in message:
            result: dict[str, Any] = message["result"]
            return result
    raise _no_answer(process)


def _no_answer(process: subprocess.Popen[bytes]) -> CommonplaceError:
    """The error for a silent server, with the last line that it wrote to stderr."""
    process.kill()
    lines = process.communicate()[1].decode(errors="replace").strip().splitlines()
    last = f" Its last message: {lines[-1]}" if lines else ""
    return CommonplaceError(f"The server was started but did not answer.{last}")
