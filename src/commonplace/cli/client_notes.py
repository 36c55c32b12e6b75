"""Adds what clients remember in files as sources, so that every agent finds it."""

from __future__ import annotations

import mimetypes
from collections.abc import Mapping, Sequence
from pathlib import Path

from commonplace.cli.client_files import Machine, read_text, shown_path
from commonplace.cli.session import command_session
from commonplace.cli.source import read_now
from commonplace.clients.catalog import Client
from commonplace.clients.plan import uninstructed
from commonplace.documents.rules import NewSource
from commonplace.errors import ClientFileRefused
from commonplace.model.query import Reach
from commonplace.model.source import Source, SourceType

WORKSPACE = "clients"
_LARGEST = 1_000_000


def memories_of(machine: Machine, clients: Sequence[Client]) -> dict[Path, str]:
    """The clients' memory files with their text, without our own instructions."""
    found = {
        path: client
        for client in clients
        for pattern in client.memories
        for path in machine.found(pattern)
    }
    texts = {path: _memory(client, path) for path, client in found.items()}
    return {path: text for path, text in texts.items() if text.strip()}


def _memory(client: Client, path: Path) -> str:
    """The text of a memory file without our own instructions; empty if it cannot be used."""
    if path.suffix == ".bak" or path.stat().st_size > _LARGEST:
        return ""
    try:
        return uninstructed(client, read_text(path))
    except ClientFileRefused:
        return ""


def add_as_sources(memories: Mapping[Path, str], *, quiet: bool) -> list[Source]:
    """Add files as sources of the workspace `clients`; known ones are read again."""
    with command_session() as session:
        documents, actor = session.application.documents, session.actor
        known = {source.name: source for source in documents.in_reach(actor, Reach(WORKSPACE))}
        added = []
        for path, text in memories.items():
            name = shown_path(path)
            new = NewSource(
                SourceType.FILE,
                workspace=WORKSPACE,
                name=name,
                file_name=path.name,
                data=text.encode(),
                media_type=mimetypes.guess_type(path.name)[0] or "",
            )
            old = known.get(name)
            added.append(
                documents.refresh(actor, old.id, new) if old else documents.add(actor, new)
            )
        return read_now(session.application, actor, added, quiet=quiet)
