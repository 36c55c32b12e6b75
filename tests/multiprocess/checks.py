"""What must be true of a database after processes have shared it, or died in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import closing

from commonplace.knowledge.service.writes import owner_of
from commonplace.model.chunk import EmbeddingState
from commonplace.model.entry import Entry
from commonplace.model.query import Filter
from commonplace.storage.port import Transaction
from commonplace.storage.sqlite.connections import open_connection
from tests.multiprocess.embedder import LightEmbedder
from tests.multiprocess.node import actor_of, after_all_leases, open_node, settings_of

PURGED = 0
_PAGE = 500
_MOST_SECONDS = 240.0


def acknowledged(lines: Iterable[str]) -> dict[str, int]:
    """The newest revision of each entry that a member has said is stored, or that it is purged;
    without those that it was purging when it ended."""
    newest: dict[str, int] = {}
    for line in lines:
        match line.split():
            case ["stored", id, revision]:
                newest[id] = int(revision)
            case ["purging", id]:
                del newest[id]
            case ["purged", id]:
                newest[id] = PURGED
    return newest


def assert_sound(address: str) -> None:
    """The file is whole and the text index agrees with the texts; PostgreSQL sees to its own."""
    if address.startswith("postgresql:"):
        return
    with closing(open_connection(settings_of(address).database_file)) as connection:
        assert [tuple(row) for row in connection.execute("PRAGMA integrity_check")] == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        connection.execute(
            "INSERT INTO passages_fts (passages_fts, rank) VALUES ('integrity-check', 1)"
        )
        apart = "SELECT count(*) FROM chunks WHERE key NOT IN (SELECT chunk_key FROM passages)"
        assert tuple(connection.execute(apart).fetchone()) == (0,)


def assert_kept(address: str, expected: Mapping[str, int]) -> None:
    """Nothing acknowledged is lost, and nothing is there by halves."""
    with (
        open_node(address, LightEmbedder()) as node,
        node.store.read(actor_of("inspector")) as tx,
    ):
        found = {entry.id: entry for entry in _all_entries(tx)}
        held = {id: found[id].revision if id in found else PURGED for id in expected}
        assert [id for id in held if held[id] < expected[id]] == [], "lost"
        assert [id for id in held if held[id] and expected[id] == PURGED] == [], "there again"
        for entry in found.values():
            assert [change.revision for change in tx.changes.history(entry)] == list(
                range(1, entry.revision + 1)
            )
        assert tx.chunks.counts().total == len(found), "each of these notes is one chunk"


def assert_embedded_by_a_fresh_worker(address: str) -> None:
    """Whoever comes once the leases of the dead have run out finishes their work."""
    with open_node(address, LightEmbedder(), clock=after_all_leases) as node:
        assert node.worker.drain(_MOST_SECONDS)
        with node.store.read(actor_of("inspector")) as tx:
            counts = tx.chunks.counts()
            assert (counts.ready, counts.pending, counts.failed) == (counts.total, 0, 0)
            states = {entry.id: tx.chunks.state(owner_of(entry)) for entry in _all_entries(tx)}
        assert set(states.values()) <= {EmbeddingState.READY}


def _all_entries(tx: Transaction) -> list[Entry]:
    found: list[Entry] = []
    while page := tx.entries.page(Filter(), _PAGE, len(found)):
        found += page
    return found
