"""What clients keep of what they were told, taken in as sources: then every agent finds it."""

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
    """The files of those clients that say more than what we wrote there ourselves."""
    found = {
        path: client
        for client in clients
        for pattern in client.memories
        for path in machine.found(pattern)
    }
    return [path for path, client in found.items() if _says_something(client, path)]


def _says_something(client: Client, path: Path) -> bool:
    if path.suffix == ".bak" or path.stat().st_size > _LARGEST:
        return False
    try:
        return bool(uninstructed(client, read_text(path)).strip())
    except ClientFileRefused:
        return False


def take_in(paths: Sequence[Path], *, quiet: bool) -> list[Source]:
    """The files as sources of the workspace `clients`; those that are there are read again."""
    with command_session() as session:
        documents, actor = session.application.documents, session.actor
        there = {source.name: source for source in documents.in_reach(actor, Reach(WORKSPACE))}
        taken = []
        for path in paths:
            name = shown_path(path)
            new = with_file(NewSource(SourceType.FILE, workspace=WORKSPACE, name=name), path)
            known = there.get(name)
            taken.append(
                documents.refresh(actor, known.id, new) if known else documents.add(actor, new)
            )
        return read_now(session.application, actor, taken, quiet=quiet)
