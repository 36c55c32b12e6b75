"""What a first search would wait for is loaded behind the greeting, where nobody pays for it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from commonplace.application import Application, LazyApplication
from commonplace.server.lifecycle.background_threads import BackgroundThreads
from commonplace.settings import Settings
from tests.cli.commands import environment
from tests.transports.serving import log_lines
from tests.waiting import eventually

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


@contextmanager
def greeted(folder: Path, **settings: str) -> Iterator[Path]:
    """A server over stdio that has answered its first request; what it logs is in a file."""
    log = folder / "log"
    told = {"COMMONPLACE_HOME": str(folder / "home"), "COMMONPLACE_LOG_LEVEL": "debug", **settings}
    with log.open("wb") as stderr:
        server = subprocess.Popen(
            [sys.executable, "-m", "commonplace", "mcp"],
            env=environment(told),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
        )
    with server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
        server.stdin.flush()
        assert json.loads(server.stdout.readline())["result"]["serverInfo"]
        yield log
        server.stdin.close()


def messages(log: Path) -> list[str]:
    return [line["message"] for line in log_lines(log)]


def test_a_server_warms_up_behind_its_greeting(tmp_path: Path) -> None:
    with greeted(tmp_path) as log:
        eventually(lambda: "warmed up" in messages(log))
    assert "not warmed up" not in messages(log)


@pytest.mark.parametrize(
    ("settings", "warms"),
    [
        (Settings(), True),
        # Nobody would put the model away again.
        (Settings(worker=False), False),
        # An endpoint costs its owner something.
        (
            Settings(
                embedding_url="https://127.0.0.1:1", embedding_model="none", embedding_dimension=8
            ),
            False,
        ),
    ],
    ids=["by itself", "without a worker", "with an endpoint"],
)
def test_who_warms_up(settings: Settings, warms: bool) -> None:
    def built() -> Application:
        raise AssertionError("nothing was started")

    threads = BackgroundThreads(LazyApplication(built), settings, lambda: None)
    assert ("warm-up" in threads.names) is warms
