"""One hostile sender against a server that runs: it goes on, answers others, and can be ended.

The short forms are a part of every run; the whole ones, whose figures are those of
`python -m benchmarks attacks`, are long runs.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal

from commonplace.settings import Settings
from tests.cli.commands import run_process
from tests.server.attacks import (
    LONG_NAME,
    PROSE,
    STARS,
    Target,
    backtracking,
    bomb,
    one_line,
    others,
    within,
)
from tests.stores import ONE_STORE, MakeDatabase
from tests.surfaces.clients import Connections
from tests.surfaces.documents.website import website
from tests.surfaces.processes import HttpServer, Processes, environment
from tests.waiting import eventually

_PATIENCE = 60.0
# Before, nobody was answered for 44 s, for 26 s, or ever again.
_MOST_SECONDS = 10.0
_MOST_MEGABYTES = 700
GREETING = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "mallory", "version": "1"},
}


class Attacked:
    """A server that runs, started again at will on the same home."""

    def __init__(self, processes: Processes, folder: Path, url: str | None) -> None:
        self._processes = processes
        self.folder = folder / "project"
        self.folder.mkdir()
        self._settings = Settings.model_validate(
            {
                "home": folder / "home",
                "database_url": url,
                "roots": str(self.folder),
                "fetch_allow": "127.0.0.1",
                "fetch_robots": False,
            }
        )

    def do(self, *arguments: str) -> str:
        """What a command says."""
        done = run_process(environment(self._settings), *arguments)
        assert done.code == 0, done.stderr
        return done.stdout

    def start(self, **changed: Any) -> tuple[HttpServer, Target]:
        server = self._processes.serve(self._settings.model_copy(update=changed))
        return server, Target(server.address, server.headers, server.process.pid)

    @contextmanager
    def over_stdio(self) -> Iterator[subprocess.Popen[bytes]]:
        """A server that was greeted."""
        process = subprocess.Popen(
            [sys.executable, "-m", "commonplace", "mcp"],
            env=environment(self._settings),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        try:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(message("initialize", GREETING, id=0))
            process.stdin.flush()
            assert b"serverInfo" in process.stdout.readline()
            process.stdin.write(message("notifications/initialized", {}))
            yield process
        finally:
            process.kill()
            process.communicate(timeout=_PATIENCE)


def message(method: str, parameters: dict[str, Any], **more: Any) -> bytes:
    asked = {"jsonrpc": "2.0", "method": method, "params": parameters, **more}
    return json.dumps(asked).encode() + b"\n"


@pytest.fixture(scope="module")
def portal() -> Iterator[BlockingPortal]:
    with start_blocking_portal() as portal:
        yield portal


@pytest.fixture
def attacked(
    tmp_path: Path, portal: BlockingPortal, dialect: str, make_database: MakeDatabase
) -> Iterator[Attacked]:
    url = make_database(dialect).address if dialect == "postgres" else None
    with ExitStack() as stack:
        yield Attacked(Processes(tmp_path, Connections(portal, stack), stack), tmp_path, url)


def ended(server: HttpServer) -> int:
    """Told to end, as an operator does."""
    server.process.send_signal(signal.SIGTERM)
    return server.process.wait(_PATIENCE)


def read(target: Target, source: str) -> str:
    """What became of a source."""
    eventually(lambda: target.source_status(source) in ("ready", "error"))
    return target.source_status(source)


@ONE_STORE
def test_a_text_made_to_be_slow_is_answered(attacked: Attacked) -> None:
    server, target = attacked.start()
    assert '"isError":false' in target.tool("auto_capture", text=backtracking(60_000))["text"]
    assert ended(server) == 0


LONG_TEXTS = {
    "auto_capture": {"text": backtracking(60_000)},
    "capture_knowledge": {
        "summary": "long",
        "content": backtracking(60_000),
        "type": "solution",
        "project": "p",
        "file_context": "a.py",
    },
}
OFFLOADED = {"auto_capture": b"commonplace.capture", "capture_knowledge": b"commonplace.knowledge"}


@pytest.mark.parametrize("tool", LONG_TEXTS)
def test_work_on_a_long_text_that_never_ends_holds_up_neither_others_nor_the_end(
    attacked: Attacked, tool: str
) -> None:
    """The process that works on them is stopped, as if a text kept it for ever."""
    server, target = attacked.start(shutdown_seconds=1, rate_limit=10_000, worker=False)
    with ThreadPoolExecutor(20) as pool:
        calls = [pool.submit(target.tool, tool, **LONG_TEXTS[tool]) for _ in range(20)]
        eventually(lambda: bool(working_children(target.pid, OFFLOADED[tool])))
        (child,) = working_children(target.pid, OFFLOADED[tool])
        os.kill(child, signal.SIGSTOP)
        try:
            for _ in range(5):
                found = target.tool("search_knowledge", query="refund gateway")
                assert '"isError":false' in found["text"]
            assert ended(server) == 0
        finally:
            server.process.kill()
            if is_there := Path(f"/proc/{child}").exists():
                os.kill(child, signal.SIGKILL)
        assert not is_there
        for call in calls:
            call.exception(_PATIENCE)


def test_a_server_over_stdio_ends_while_long_texts_wait_for_their_turn(attacked: Attacked) -> None:
    with attacked.over_stdio() as process:
        assert process.stdin is not None
        for id in range(40):
            asked = {"name": "auto_capture", "arguments": LONG_TEXTS["auto_capture"]}
            process.stdin.write(message("tools/call", asked, id=id + 1))
        process.stdin.flush()
        eventually(lambda: bool(working_children(process.pid, OFFLOADED["auto_capture"])))
        (child,) = working_children(process.pid, OFFLOADED["auto_capture"])
        process.terminate()
        assert process.wait(_PATIENCE) == -signal.SIGTERM
        eventually(lambda: not Path(f"/proc/{child}").exists())


def working_children(pid: int, function: bytes) -> list[int]:
    """The processes that work on long texts for a server."""
    children = [
        child
        for one in Path(f"/proc/{pid}/task").glob("*/children")
        for child in one.read_text(encoding="utf-8").split()
    ]
    return [int(c) for c in children if function in Path(f"/proc/{c}/cmdline").read_bytes()]


@ONE_STORE
def test_a_page_that_unpacks_without_end_is_refused(attacked: Attacked) -> None:
    server, target = attacked.start()
    with website() as site:
        url = site.put("/bomb", bomb(200_000_000), headers={"Content-Encoding": "gzip, gzip"})
        assert read(target, target.add_page(url)) == "error"
    assert target.memory() < _MOST_MEGABYTES
    assert ended(server) == 0


@ONE_STORE
def test_an_ignore_file_made_to_be_slow_holds_up_nothing(attacked: Attacked) -> None:
    """What a pull brings into a watched folder; before, only a kill ended the server."""
    (attacked.folder / "kept.md").write_text("A refund waits in the ledger.\n")
    attacked.do("project", "add", "hostile", "--root", str(attacked.folder))
    attacked.do("project", "attach", "hostile", str(attacked.folder), "--docs")
    attacked.do("ingest", "--project", "hostile")
    server, target = attacked.start()
    (attacked.folder / LONG_NAME).write_text("Brought by a pull.\n")
    (attacked.folder / ".gitignore").write_text(STARS)
    (attacked.folder / "more.md").write_text("The quetzal is brought by the same pull.\n")
    assert within(_PATIENCE, lambda: "more.md" in attacked.do("find", "quetzal")) < _PATIENCE
    assert ended(server) == 0
    server, target = attacked.start()
    assert httpx.get(f"{target.address}/healthz", timeout=_PATIENCE).status_code == 200
    assert ended(server) == 0


@ONE_STORE
def test_a_line_without_end_is_read(attacked: Attacked) -> None:
    server, target = attacked.start()
    assert read(target, target.upload("line.txt", one_line("a", 300_000))) == "ready"
    assert ended(server) == 0


@pytest.mark.soak
@pytest.mark.parametrize("count", [1, 40])
def test_texts_of_a_megabyte(attacked: Attacked, count: int) -> None:
    server, target = attacked.start()
    with others(target) as waits, ThreadPoolExecutor(count) as pool:
        text = backtracking()
        calls = [pool.submit(target.tool, "auto_capture", text=text) for _ in range(count)]
        for call in calls:
            call.result()
    assert waits.longest < _MOST_SECONDS
    assert waits.longest_search < _MOST_SECONDS
    assert ended(server) == 0


@pytest.mark.soak
def test_a_page_of_gigabytes(attacked: Attacked) -> None:
    server, target = attacked.start()
    with website() as site:
        url = site.put("/bomb", bomb(6_000_000_000), headers={"Content-Encoding": "gzip, gzip"})
        # Packing takes a minute, in which others would use up the calls that a token has.
        with others(target) as waits:
            assert read(target, target.add_page(url)) == "error"
    assert target.memory() < _MOST_MEGABYTES
    assert waits.longest < _MOST_SECONDS
    assert ended(server) == 0


@pytest.mark.soak
@pytest.mark.parametrize("part", ["a", "word ", PROSE], ids=["letters", "words", "prose"])
def test_lines_of_nine_megabytes(attacked: Attacked, part: str) -> None:
    server, target = attacked.start()
    with others(target) as waits:
        source = target.upload("line.txt", one_line(part))
        eventually(lambda: target.source_status(source) == "processing")
        eventually(lambda: len(waits.health) > 200)
    assert waits.longest < _MOST_SECONDS
    assert target.memory() < 2 * _MOST_MEGABYTES
    assert ended(server) == 0
