"""Adds the memory files of clients as sources, so that every agent finds them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from commonplace.cli.client_files import Machine, read_text, shown_path
from commonplace.cli.session import command_session
from commonplace.cli.source import read_now, with_file
from commonplace.clients.catalog import Client
from commonplace.clients.plan import uninstructed
from commonplace.documents.rules import NewSource
from commonplace.errors import ClientFileRefused
from commonplace.model.query import Reach
from commonplace.model.source import Source, SourceType

WORKSPACE = "clients"
_LARGEST = 1_000_000


def memories_of(machine: Machine, clients: Sequence[Client]) -> list[Path]:
    """The clients' memory files that contain more than our own instructions."""
    found = {
        path: client
        for client in clients
        for pattern in client.memories
        for path in machine.found(pattern)
    }
    return [path for path, client in found.items() if _has_content(client, path)]


def _has_content(client: Client, path: Path) -> bool:
    if path.suffix == ".bak" or path.stat().st_size > _LARGEST:
        return False
    try:
        return bool(uninstructed(client, read_text(path)).strip())
    except ClientFileRefused:
        return False


def add_as_sources(paths: Sequence[Path], *, quiet: bool) -> list[Source]:
    """Add files as sources of the workspace `clients`; known ones are read again."""
    with command_session() as session:
        documents, actor = session.application.documents, session.actor
        known = {source.name: source for source in documents.in_reach(actor, Reach(WORKSPACE))}
        added = []
        for path in paths:
            name = shown_path(path)
            new = with_file(NewSource(SourceType.FILE, workspace=WORKSPACE, name=name), path)
            old = known.get(name)
            added.append(
                documents.refresh(actor, old.id, new) if old else documents.add(actor, new)
            )
        return read_now(session.application, actor, added, quiet=quiet)
