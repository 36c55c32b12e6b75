"""A server of some checkout's `commonplace`, with a token for each caller of two orgs.

All through its command line, so that an older checkout is measured by the same script.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

# In the order of names the loud org comes first, which is what used to decide who is served.
LOUD, QUIET = "aloud", "quiet"
_SCOPES = {
    "reader": "knowledge:read",
    "onlooker": "knowledge:read",
    "writer": "knowledge:read,knowledge:write",
}
_UP_SECONDS = 90.0


@dataclass(frozen=True, slots=True)
class Installation:
    """Where the server is, and tokens as `org/agent`."""

    address: str
    tokens: Mapping[str, str]


@contextmanager
def installation(command: str, database_url: str | None) -> Iterator[Installation]:
    with tempfile.TemporaryDirectory(prefix="cp-fair-", ignore_cleanup_errors=True) as home:
        told = {"COMMONPLACE_HOME": home, "COMMONPLACE_LOG_LEVEL": "error"}
        if database_url is not None:
            told["COMMONPLACE_DATABASE_URL"] = database_url
        environment = {**os.environ, **told}
        tokens = _tokens(command, environment)
        with _serving(command, environment, Path(home)) as address:
            yield Installation(address, tokens)


def _tokens(command: str, environment: Mapping[str, str]) -> dict[str, str]:
    callers = [(LOUD, "writer"), *((QUIET, agent) for agent in _SCOPES)]
    create = partial(_token, command, environment)
    # The first makes the database.
    first = create(callers[0])
    with ThreadPoolExecutor() as pool:
        shown = [first, *pool.map(create, callers[1:])]
    return {f"{org}/{agent}": token for (org, agent), token in zip(callers, shown, strict=True)}


def _token(command: str, environment: Mapping[str, str], caller: tuple[str, str]) -> str:
    org, agent = caller
    create = [command, "token", "create", "--json"]
    options = ["--org", org, "--agent", agent, "--scopes", _SCOPES[agent]]
    told = _said([*create, *options, *_new_org(command)], environment)
    token: str = json.loads(told)["token"]
    return token


@cache
def _new_org(command: str) -> tuple[str, ...]:
    """Older ones make an org without being asked to."""
    known = _said([command, "token", "create", "--help"], os.environ)
    return ("--new-org",) if "--new-org" in known else ()


def _said(command: list[str], environment: Mapping[str, str]) -> str:
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command[1:])} failed: {done.stderr}")
    return done.stdout


@contextmanager
def _serving(command: str, environment: Mapping[str, str], home: Path) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with (home / "server.log").open("wb") as log:
        process = subprocess.Popen(
            [command, "serve", "--port", str(port)], env=environment, stdout=log, stderr=log
        )
    address = f"http://127.0.0.1:{port}"
    try:
        _await_health(f"{address}/healthz", process)
        yield address
    finally:
        _end(process)


def _await_health(url: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + _UP_SECONDS
    while True:
        try:
            with urllib.request.urlopen(url):
                return
        except urllib.error.URLError:
            if process.poll() is not None or time.monotonic() > deadline:
                sys.exit("A server does not come up.")
            time.sleep(0.1)


def _end(process: subprocess.Popen[bytes]) -> None:
    """A server that is held up by its load may take its time; it has nothing to lose."""
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
