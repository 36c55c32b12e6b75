"""The program that process tests start: one writer, worker or sharer of a database.

Decides what each role does; speaks in lines, and says a thing only after it has happened.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count

from commonplace.bootstrap import build_store, utc_now
from commonplace.model.entry import EntryKind
from commonplace.model.query import SearchRequest
from commonplace.storage import statements
from commonplace.storage.sqlite import migrate
from commonplace.storage.sqlite.connections import open_connection
from commonplace.worker.leases import Leases
from tests.multiprocess.embedder import LightEmbedder
from tests.multiprocess.node import HASTY_LEASES, Node, actor_of, content_of, open_node, settings_of

# Renewed often enough to survive a crowded machine, short enough to wait for.
_CROWD_LEASES = Leases(claim=4.0, worker=4.0, renew=0.5)


def say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def hear() -> str:
    """The next line that the test sends; empty once it has gone."""
    return sys.stdin.readline().strip()


def write(address: str, name: str) -> None:
    """Store, edit and purge until killed; what was done is named once it is committed."""
    actor = actor_of(name)
    with open_node(address, LightEmbedder()) as node:
        say("ready")
        for number in count():
            entry = node.knowledge.add(
                actor, EntryKind.NOTE, content_of(name, number), id=f"{name}-{number}"
            )
            say("stored", entry.id, entry.revision)
            if number % 3 == 0:
                entry = node.knowledge.edit(actor, entry.id, content_of(name, number + 1_000_000))
                say("stored", entry.id, entry.revision)
            if number % 5 == 3:
                say("purging", entry.id)
                node.knowledge.purge(actor, entry.id)
                say("purged", entry.id)


def work(address: str) -> None:
    """Embed until killed; ready is who has something in hand."""
    begun = threading.Event()

    def begin(_texts: Sequence[str]) -> None:
        if not begun.is_set():
            begun.set()
            say("ready")

    with open_node(address, LightEmbedder(begin), HASTY_LEASES) as node:
        node.worker.run(threading.Event())


def contend(address: str, name: str, log: str) -> None:
    """Be one of many that could embed; every batch leaves this process's name in the log."""
    journal = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    def sign(_texts: Sequence[str]) -> None:
        os.write(journal, f"{name}\n".encode())

    with open_node(address, LightEmbedder(sign), _CROWD_LEASES) as node:
        say("ready")
        with _working(node):
            hear()


def share(address: str, name: str, notes: str, *names: str) -> None:
    """Write and search among others, with a worker beside, then look for what they wrote."""
    actor = actor_of(name)
    with open_node(address, LightEmbedder()) as node:
        say("ready")
        hear()
        with _working(node):
            for number in range(int(notes)):
                entry = node.knowledge.add(
                    actor, EntryKind.NOTE, content_of(name, number), id=f"{name}-{number}"
                )
                say("stored", entry.id, entry.revision)
                _search(node, name, names[number % len(names)])
            say("written")
            hear()
            for other in names:
                _get_all(node, name, other, int(notes))
                say("found", other, _search(node, name, other))


def open_new(home: str) -> None:
    """Open a file that may not be there yet, at the same moment as others."""
    statements.load(migrate.PACKAGE)
    say("ready")
    hear()
    opened = build_store(settings_of(home), utc_now)
    say("opened", opened.health().schema_version)
    opened.close()


def die_while_migrating(folder: str) -> None:
    """A child dies at the first statement, another at the second, until one is through."""
    for number in count(1):
        home = f"{folder}/home-{number}"
        child = os.fork()
        if child == 0:
            _migrate_until(home, number)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        with open_node(home, LightEmbedder()) as node:
            node.knowledge.add(actor_of("late"), EntryKind.NOTE, content_of("late", 1), id="late")
        if os.WIFEXITED(status):
            say("deaths", number - 1, "then", os.WEXITSTATUS(status))
            return


def _migrate_until(home: str, last: int) -> None:
    """SQLite names each statement before it runs; the last one is never run."""
    left = count(last - 1, -1)

    def die_at_last(_statement: str) -> None:
        if next(left) == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    file = settings_of(home).database_file
    file.parent.mkdir(parents=True)
    connection = open_connection(file)
    connection.set_trace_callback(die_at_last)
    migrate._apply(connection, file)


@contextmanager
def _working(node: Node) -> Iterator[None]:
    """A worker in a thread of this process, as `serve` has one."""
    stop = threading.Event()
    with ThreadPoolExecutor(1) as thread:
        ended = thread.submit(node.worker.run, stop)
        try:
            yield
        finally:
            stop.set()
        ended.result()


def _search(node: Node, name: str, other: str) -> int:
    """How many notes of the other one a search for it finds."""
    found = node.retrieval.search(actor_of(name), SearchRequest(f"harvest of {other}"))
    return sum(hit.entry is not None and hit.entry.agent == other for hit in found.hits)


def _get_all(node: Node, name: str, other: str, notes: int) -> None:
    for number in range(notes):
        node.knowledge.get(actor_of(name), f"{other}-{number}")


ROLES: dict[str, Callable[..., None]] = {
    "write": write,
    "work": work,
    "contend": contend,
    "share": share,
    "open": open_new,
    "migrate": die_while_migrating,
}

if __name__ == "__main__":
    ROLES[sys.argv[1]](*sys.argv[2:])
