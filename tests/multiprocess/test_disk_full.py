"""The disk fills up under SQLite: a clear error, nothing by halves, and writing goes on later."""

from __future__ import annotations

import resource
import subprocess
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Protocol

import pytest

from commonplace.errors import StorageError, StorageFull, StorageUnavailable
from commonplace.model.entry import EntryKind
from commonplace.model.query import SearchRequest
from tests.multiprocess.checks import assert_embedded_by_a_fresh_worker, assert_kept, assert_sound
from tests.multiprocess.embedder import LightEmbedder
from tests.multiprocess.node import Node, actor_of, content_of, open_node

ACTOR = actor_of("agent")


class Disk(Protocol):
    """A disk that can run out of room and get some back."""

    home: str

    @property
    def error(self) -> type[StorageError]: ...

    def fill(self) -> None: ...

    def free(self) -> None: ...


class SmallDisk:
    """A file system in memory, of a few megabytes."""

    error = StorageFull

    def __init__(self, folder: Path) -> None:
        self.home = str(folder / "home")
        self._ballast = folder / "ballast"

    def fill(self) -> None:
        with self._ballast.open("wb", buffering=0) as ballast:
            try:
                while ballast.write(bytes(4096)):
                    pass
            except OSError:
                return

    def free(self) -> None:
        self._ballast.unlink()


class SmallFiles:
    """No file may grow further: how a quota looks from inside, where nothing can be mounted."""

    error = StorageUnavailable

    def __init__(self, folder: Path) -> None:
        self.home = str(folder / "home")

    def fill(self) -> None:
        largest = max(file.stat().st_size for file in Path(self.home).iterdir())
        self._limit(largest)

    def free(self) -> None:
        self._limit(resource.RLIM_INFINITY)

    def _limit(self, size: int) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def mounted(folder: Path) -> bool:
    """Only an administrator may mount, and not in every container."""
    options = ["-t", "tmpfs", "-o", "size=6m", "tmpfs", str(folder)]
    return subprocess.run(["mount", *options], capture_output=True, check=False).returncode == 0


def unmounted(folder: Path) -> None:
    subprocess.run(["umount", str(folder)], check=True)


@pytest.fixture(params=("disk", "files"))
def disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Disk]:
    """Where nothing may be mounted, both are files that may not grow."""
    if request.param == "disk" and mounted(tmp_path):
        yield SmallDisk(tmp_path)
        unmounted(tmp_path)
        return
    small = SmallFiles(tmp_path)
    yield small
    small.free()


def store(node: Node, number: int) -> dict[str, int]:
    content = content_of("agent", number)
    entry = node.knowledge.add(ACTOR, EntryKind.NOTE, content, id=f"agent-{number}")
    return {entry.id: entry.revision}


def store_until_refused(node: Node, numbers: Iterator[int], stored: dict[str, int]) -> None:
    """The log still has some room of its own, so a few may fit."""
    while True:
        stored |= store(node, next(numbers))


def found(node: Node) -> int:
    return len(node.retrieval.search(ACTOR, SearchRequest("harvest of agent")).hits)


def test_a_full_disk_is_said_clearly_and_survived(disk: Disk) -> None:
    stored: dict[str, int] = {}
    numbers = count()
    with open_node(disk.home, LightEmbedder()) as node:
        for _ in range(10):
            stored |= store(node, next(numbers))
        disk.fill()
        with pytest.raises(disk.error):
            store_until_refused(node, numbers, stored)
        with pytest.raises(disk.error):
            node.worker.drain(60.0)
        assert found(node) == 10, "reading goes on"
        disk.free()
        stored |= store(node, next(numbers))
        assert node.worker.drain(60.0)
    assert_kept(disk.home, stored)
    assert_sound(disk.home)
    assert_embedded_by_a_fresh_worker(disk.home)
