"""The disk fills up under a server on SQLite: calls say so, nothing is lost, and it goes on."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal

from commonplace.settings import Settings
from tests.multiprocess.test_disk_full import SmallDisk, mounted, unmounted
from tests.surfaces.clients import Caller, Connections
from tests.surfaces.nearness import answer, embedded_at
from tests.surfaces.processes import HttpServer, Processes
from tests.unit.embedding.local_endpoint import local_endpoint

CLEAR = ("storage.full", "storage.unavailable")
BODY = "harvest " * 500


@pytest.fixture(scope="module")
def portal() -> Iterator[BlockingPortal]:
    with start_blocking_portal() as portal:
        yield portal


class LimitedFiles:
    """Where nothing may be mounted: no file of the server may grow further."""

    def __init__(self, folder: Path) -> None:
        self.home = str(folder / "home")
        self.server: HttpServer | None = None

    def fill(self) -> None:
        largest = max(file.stat().st_size for file in Path(self.home).iterdir() if file.is_file())
        self._limit(largest)

    def free(self) -> None:
        self._limit(resource.RLIM_INFINITY)

    def _limit(self, size: int) -> None:
        assert self.server is not None
        limits = (size, resource.RLIM_INFINITY)
        resource.prlimit(self.server.process.pid, resource.RLIMIT_FSIZE, limits)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk | LimitedFiles]:
    folder = tmp_path / "disk"
    folder.mkdir()
    if mounted(folder):
        yield SmallDisk(folder)
        unmounted(folder)
    else:
        yield LimitedFiles(folder)


def test_a_server_says_that_the_disk_is_full_and_goes_on(
    disk: SmallDisk | LimitedFiles, tmp_path: Path, portal: BlockingPortal
) -> None:
    with ExitStack() as started, local_endpoint(answer) as endpoint, ExitStack() as connected:
        processes = Processes(tmp_path, Connections(portal, connected), started)
        settings = Settings(home=Path(disk.home), **embedded_at(endpoint.url))
        server = processes.serve(settings)
        if isinstance(disk, LimitedFiles):
            disk.server = server
        caller = processes.connect(server.mcp)
        stored = [store(caller, number) for number in range(5)]
        disk.fill()
        assert refusal(caller, stored) in CLEAR
        assert caller.call("search_knowledge", query="harvest")["count"] > 0, "reading goes on"
        disk.free()
        stored.append(store(caller, 100))
        for id in stored:
            assert caller.read(f"commonplace://knowledge/{id}")["body"] == BODY
        assert server.process.poll() is None


def store(caller: Caller, number: int) -> str:
    return str(caller.call("store_knowledge", title=f"Entry {number}", body=BODY)["id"])


def refusal(caller: Caller, stored: list[str]) -> str:
    """The code of the first call that is refused; the log still has some room of its own."""
    for number in range(1000):
        result = caller.ask("store_knowledge", title=f"More {number}", body=BODY)
        assert result.structured_content is not None
        if result.is_error:
            return str(result.structured_content["error"]["code"])
        stored.append(str(result.structured_content["id"]))
    raise AssertionError("the disk never filled up")
