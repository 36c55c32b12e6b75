"""Memory of an idle server, of one whose model is loaded, and of a worker at its busiest.

Decides what is measured and when; the processes are the product's own commands.
"""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import psutil

from benchmarks.databases import DIALECTS, settings_for
from benchmarks.report import Report, Table, now
from commonplace.bootstrap import running_application
from commonplace.model.chunk import EmbeddingState
from commonplace.model.entry import EntryContent, EntryKind
from commonplace.settings import Settings

_MEGABYTE = 1_000_000
_SETTLE_SECONDS = 3.0
_UNLOAD_SECONDS = 2.0
_PASSAGE = (
    "A lease names who may do a piece of work and until when. Whoever holds it renews it while the "
    "work goes on; whoever dies simply stops renewing, and the next one takes the work over. "
)
_COLUMNS = ("what", "RSS", "PSS", "private", "peak RSS", "threads")
_COMMAND = "from commonplace.cli.main import main; main()"


@dataclass(frozen=True, slots=True)
class Reading:
    """Megabytes. PSS counts a shared page once for all who share it; private is ours alone."""

    what: str
    rss: float
    pss: float
    private: float
    peak: float
    threads: int

    @property
    def cells(self) -> tuple[str, float, float, float, float, int]:
        return self.what, self.rss, self.pss, self.private, self.peak, self.threads


def read(what: str, pid: int) -> Reading:
    process = psutil.Process(pid)
    memory = process.memory_full_info()
    return Reading(
        what,
        memory.rss / _MEGABYTE,
        memory.pss / _MEGABYTE,
        memory.uss / _MEGABYTE,
        peak_rss(pid) / _MEGABYTE,
        process.num_threads(),
    )


def peak_rss(pid: int) -> int:
    """As the kernel has kept it since the process began."""
    for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
        name, _, value = line.partition(":")
        if name == "VmHWM":
            return int(value.split()[0]) * 1024
    raise RuntimeError("the kernel keeps no peak for this process")


def start(settings: Settings, *arguments: str) -> subprocess.Popen[str]:
    environment = {
        **os.environ,
        "COMMONPLACE_HOME": str(settings.home),
        "COMMONPLACE_EMBEDDING_IDLE_SECONDS": str(_UNLOAD_SECONDS),
        "COMMONPLACE_LOG_LEVEL": "warning",
    }
    if settings.database_url:
        environment["COMMONPLACE_DATABASE_URL"] = settings.database_url.get_secret_value()
    return subprocess.Popen(
        [sys.executable, *arguments],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


@contextmanager
def started(settings: Settings, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A running process, ended with the block."""
    process = start(settings, *arguments)
    try:
        yield process
    finally:
        process.terminate()
        process.communicate()


@contextmanager
def command(settings: Settings, *arguments: str) -> Iterator[int]:
    """The pid of one of the product's own commands."""
    with started(settings, "-c", _COMMAND, *arguments) as process:
        yield process.pid


def wait_until(true: Callable[[], bool]) -> None:
    while not true():
        time.sleep(0.1)


def answers(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/healthz").is_success
    except httpx.TransportError:
        return False


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
    return port


def server_readings(settings: Settings) -> list[Reading]:
    """One server's life: started, its model used, its model given back."""
    port = free_port()
    with command(settings, "serve", "--port", str(port)) as pid:
        wait_until(lambda: answers(port))
        time.sleep(_SETTLE_SECONDS)
        readings = [read("server, idle since its start", pid)]
        embed_one(settings)
        readings.append(read("server, one note embedded (model loaded)", pid))
        time.sleep(_UNLOAD_SECONDS + 2 * _SETTLE_SECONDS)
        readings.append(read("server, idle again (model unloaded)", pid))
        embed_one(settings)
        readings.append(read("server, model loaded a second time", pid))
    return readings


def embed_one(settings: Settings) -> None:
    """Store a note from here; the other process embeds it."""
    with running_application(settings) as application:
        actor = application.local_actor("bench")
        content = EntryContent("A note about leases", _PASSAGE)
        entry = application.knowledge.add(actor, EntryKind.NOTE, content)
        wait_until(
            lambda: application.knowledge.get(actor, entry.id).embedding is EmbeddingState.READY
        )


def worker_readings(settings: Settings, passages: int) -> list[Reading]:
    """A worker that embeds them all; its peak is of its busiest moment."""
    with running_application(settings) as application:
        actor = application.local_actor("bench")
        for number in range(passages):
            content = EntryContent(f"Passage {number}", f"{_PASSAGE * 6} {number}")
            application.knowledge.add(actor, EntryKind.NOTE, content)
        with command(settings, "worker") as pid:
            wait_until(lambda: application.status.of_org(actor).chunks.pending == 0)
            busy = read(f"worker, {passages} passages embedded", pid)
            time.sleep(_UNLOAD_SECONDS + 2 * _SETTLE_SECONDS)
            return [busy, read("worker, idle again (model unloaded)", pid)]


def searcher_readings(settings: Settings) -> list[Reading]:
    """Before and after its first search, which loads the model and, on SQLite, all vectors."""
    with started(settings, "-m", "benchmarks.memory.searcher") as searcher:
        assert searcher.stdin
        assert searcher.stdout
        searcher.stdout.readline()
        before = read("searcher, nothing searched yet", searcher.pid)
        searcher.stdin.write("who takes over when a holder dies\n")
        searcher.stdin.flush()
        assert searcher.stdout.readline(), "the search failed"
        return [before, read("searcher, one search done (model loaded)", searcher.pid)]


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="benchmarks memory", description=__doc__)
    parser.add_argument("--passages", type=int, default=2_000)
    parser.add_argument("--stores", nargs="+", choices=DIALECTS, default=DIALECTS)
    chosen = parser.parse_args(arguments)
    began = now()
    tables = []
    for dialect in chosen.stores:
        with settings_for(dialect) as settings:
            readings = server_readings(settings)
            readings += worker_readings(settings, chosen.passages)
            readings += searcher_readings(settings)
        rows = tuple(reading.cells for reading in readings)
        tables.append(Table(f"{dialect}, MB", _COLUMNS, rows, digits=0))
    Report("memory", tuple(tables)).save(began)


if __name__ == "__main__":
    main(sys.argv[1:])
