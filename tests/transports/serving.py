"""Our servers as real processes, over HTTP and over stdio."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcp import StdioServerParameters

from tests.cli.commands import environment
from tests.forked import ForkedModule, Running
from tests.waiting import patiently

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0
PRODUCT = "commonplace"
FIXTURE = "tests.transports.fixture_server"


def settings_of(home: Path) -> dict[str, str]:
    """No worker: nothing here needs an embedding, and models are slow to load."""
    return {"COMMONPLACE_HOME": str(home), "COMMONPLACE_WORKER": "false"}


@dataclass(frozen=True)
class Served:
    """A server that runs and listens; what it logs is in a file."""

    port: int
    home: Path
    log: Path

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def endpoint(self) -> str:
        return f"{self.origin}/mcp"

    def statuses(self, tool: str) -> list[str]:
        return logged_statuses(self.log, tool)


@contextmanager
def served(module: str, folder: Path, **settings: str) -> Iterator[Served]:
    home, log = folder / "home", folder / "log"
    told = environment(settings_of(home) | settings)
    process = ForkedModule(module, "serve", "--port", "0", env=told, cwd=ROOT, stderr=log)
    try:
        yield Served(announced_port(process, log), home, log)
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE)
        finally:
            process.kill()


def announced_port(process: Running, log: Path) -> int:
    """It listens before it says so: whoever connects from then on is answered."""
    for _ in patiently():
        for line in log_lines(log):
            if line["message"] == "serving":
                return int(line["url"].rsplit(":", 1)[1].strip("/"))
        assert process.poll() is None, log.read_text()
    raise AssertionError(log.read_text())


def log_lines(log: Path, start: int = 0) -> list[dict[str, Any]]:
    """The complete lines after so many characters; the last one may still be being written."""
    lines = log.read_text()[start:].split("\n")[:-1]
    return [json.loads(line) for line in lines if line.startswith("{")]


def logged_statuses(log: Path, tool: str, start: int = 0) -> list[str]:
    return [line["status"] for line in log_lines(log, start) if line.get("tool") == tool]


def stdio_parameters(module: str, home: Path) -> StdioServerParameters:
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", module, "mcp"],
        env=environment(settings_of(home)),
        cwd=ROOT,
    )
