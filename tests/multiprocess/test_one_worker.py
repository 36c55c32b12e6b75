"""On one SQLite file one process at a time embeds; when it dies, another takes over."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import partial
from itertools import groupby
from pathlib import Path

from commonplace.model.chunk import EmbeddingState
from commonplace.model.entry import EntryKind
from tests.multiprocess.embedder import LightEmbedder
from tests.multiprocess.node import Node, actor_of, content_of, open_node, settings_of
from tests.multiprocess.spawn import Members
from tests.waiting import eventually

ACTOR = actor_of("agent")
_PROCESSES = 8
_NOTES = 6


def lease_holders(home: str) -> list[str]:
    with closing(sqlite3.connect(settings_of(home).database_file)) as connection:
        rows = connection.execute("SELECT holder FROM leases WHERE name = 'worker'").fetchall()
    return [holder for (holder,) in rows]


def embed_some(node: Node, author: str) -> None:
    """One note at a time, so that each is a batch of its own that anybody might take."""
    for number in range(_NOTES):
        entry = node.knowledge.add(ACTOR, EntryKind.NOTE, content_of(author, number))
        eventually(partial(_is_ready, node, entry.id), look=0.01)


def _is_ready(node: Node, id: str) -> bool:
    return node.knowledge.get(ACTOR, id).embedding is EmbeddingState.READY


def test_one_process_embeds_until_it_dies(members: Members, home: str, tmp_path: Path) -> None:
    log = tmp_path / "batches.txt"
    with open_node(home, LightEmbedder()) as node:
        names = [f"process{number}" for number in range(_PROCESSES)]
        started = {name: members.start("contend", home, name, str(log)) for name in names}
        for member in started.values():
            member.wait_until_ready()
        embed_some(node, "before")
        (first,) = {*log.read_text().split()}
        (holder,) = lease_holders(home)
        started[first].kill()
        embed_some(node, "after")
        turns = [name for name, _ in groupby(log.read_text().split())]
        assert turns[0] == first
        assert len(turns) == 2, "the others took turns"
        assert lease_holders(home) != [holder]
        for name in names:
            if name != first:
                assert started[name].finish() == []
