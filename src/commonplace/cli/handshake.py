"""Whether the server that a client would start answers: greeted, and asked for its tools."""

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
# What clients that a desktop starts hand on; a person's shell has more.
_HANDED_ON = ("HOME", "PATH", "TMPDIR", "LANG", "USER", "LOGNAME", "XDG_DATA_HOME")
_GREETING = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "commonplace-connect", "version": "1"},
}


def tools_of(server: ServerCommand) -> list[str]:
    """The names of the tools of a server, started as a client starts it."""
    variables = {name: os.environ[name] for name in _HANDED_ON if name in os.environ}
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
        return _asked(process)
    finally:
        clock.cancel()
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends it as a client does, so that no next server waits for it; else by force."""
    try:
        process.communicate(timeout=_ENDING_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()


def _asked(process: subprocess.Popen[bytes]) -> list[str]:
    _say(process, {"id": 1, "method": "initialize", "params": _GREETING})
    _answer(process, 1)
    _say(process, {"method": "notifications/initialized"})
    _say(process, {"id": 2, "method": "tools/list"})
    return [tool["name"] for tool in _answer(process, 2)["tools"]]


def _say(process: subprocess.Popen[bytes], message: dict[str, Any]) -> None:
    assert process.stdin is not None
    try:
        process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        process.stdin.flush()
    except BrokenPipeError:
        raise _silent(process) from None


def _answer(process: subprocess.Popen[bytes], id: int) -> dict[str, Any]:
    assert process.stdout is not None
    for line in process.stdout:
        message = json.loads(line)
        if message.get("id") == id and "result" in message:
            found: dict[str, Any] = message["result"]
            return found
    raise _silent(process)


def _silent(process: subprocess.Popen[bytes]) -> CommonplaceError:
    """What it said last, where it said something."""
    process.kill()
    said = process.communicate()[1].decode(errors="replace").strip().splitlines()
    last = f" It said: {said[-1]}" if said else ""
    return CommonplaceError(f"The server was started and did not answer.{last}")
