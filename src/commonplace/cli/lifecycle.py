"""`commonplace history`, `undo`, `delete` and `purge`."""

from __future__ import annotations

from typing import Any

import click

from commonplace.cli.entries import written
from commonplace.cli.output import Command, emit, entry_document, entry_line, json_option
from commonplace.cli.session import command_session
from commonplace.knowledge.history import Revision


def _document(revision: Revision) -> dict[str, Any]:
    return {
        "revision": revision.number,
        "operation": revision.operation.value,
        "agent": revision.agent,
        "client": revision.client,
        "at": revision.at.isoformat(),
        "title": revision.image["title"],
        "body": revision.image["body"],
        "tags": revision.image["tags"],
    }


def _line(revision: Revision) -> str:
    return (
        f"{revision.number:>4}  {revision.at:%Y-%m-%d %H:%M:%S}  {revision.operation.value:<9}  "
        f"{revision.agent} ({revision.client})  {revision.image['title']}"
    )


@click.command("history", cls=Command)
@click.argument("id")
@json_option
def history_command(id: str, as_json: bool) -> None:
    """Show every revision of an entry, oldest first; also of a deleted entry."""
    with command_session() as session:
        id = session.entry_id(id)
        revisions = session.application.knowledge.history(session.actor, id)
    document = {"id": id, "revisions": [_document(revision) for revision in revisions]}
    emit(document, "\n".join(map(_line, revisions)), as_json=as_json)


@click.command("undo", cls=Command)
@click.argument("id")
@click.option("--revision", type=int, help="Go back to it (default: undo the last change).")
@json_option
def undo_command(id: str, revision: int | None, as_json: bool) -> None:
    """Undo the last change of an entry or its deletion, or go back to a revision."""
    with command_session() as session:
        entry = session.application.knowledge.restore(session.actor, session.entry_id(id), revision)
        written(session.application, session.actor, entry, "Restored", as_json)


@click.command("delete", cls=Command)
@click.argument("id")
@json_option
def delete_command(id: str, as_json: bool) -> None:
    """Delete an entry: hide it from every list and search. `undo` restores it."""
    with command_session() as session:
        entry = session.application.knowledge.delete(session.actor, session.entry_id(id))
    emit(entry_document(entry), f"Deleted {entry_line(entry)}", as_json=as_json)


@click.command("purge", cls=Command)
@click.argument("id")
@click.option("--yes", is_flag=True, help="Do not ask.")
@json_option
def purge_command(id: str, yes: bool, as_json: bool) -> None:
    """Erase an entry with its history, index and vectors. This cannot be undone."""
    with command_session() as session:
        id = session.entry_id(id)
        if not yes:
            click.confirm(f"Erase {id} permanently?", abort=True)
        session.application.knowledge.purge(session.actor, id)
    emit({"id": id, "purged": True}, f"Purged {id}", as_json=as_json)
