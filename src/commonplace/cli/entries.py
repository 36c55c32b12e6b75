"""`commonplace add`, `show`, `list`, `edit` and `supersede`."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import click

from commonplace.application import Application
from commonplace.cli.output import (
    Command,
    emit,
    entry_document,
    entry_line,
    json_option,
    listed_line,
    warned,
    warning_lines,
)
from commonplace.cli.session import CommandSession, command_session, text_from
from commonplace.cli.times import time_option
from commonplace.errors import InvalidArgument
from commonplace.knowledge.rules import note_tags
from commonplace.memory.times import time_ahead
from commonplace.model.actor import Actor
from commonplace.model.chunk import EmbeddingState
from commonplace.model.entry import Entry, EntryContent, EntryKind, Place, Visibility, plain_tag
from commonplace.model.query import Filter

# Enough for an ordinary note; a person waits for it.
EMBED_SECONDS = 10.0


def embed_now(application: Application, actor: Actor, entry: Entry) -> EmbeddingState | None:
    """Embed a new entry now, unless a running server does it; its state after at most 10 s."""
    application.new_worker().drain(EMBED_SECONDS)
    return application.knowledge.get(actor, entry.id, entry.kind).embedding


def written(application: Application, actor: Actor, entry: Entry, verb: str, as_json: bool) -> None:
    state = embed_now(application, actor, entry)
    word = state.value if state else "none"
    document = entry_document(entry) | {"embedding": word}
    emit(document, f"{verb} {entry_line(entry)}  (embedding: {word})", as_json=as_json)


def _note_tags(given: tuple[str, ...]) -> tuple[str, ...]:
    """Tags in the form that tools store them: searches expect lower case."""
    try:
        return tuple(note_tags(list(given)))
    except ValueError as error:
        raise InvalidArgument(f"--tag: {error}.", field="tags") from None


@click.command("add", cls=Command)
@click.argument("title")
@click.argument("body", required=False)
@click.option("--file", "-f", help="Read the body from a file; - is standard input.")
@click.option("--tag", "-t", "tags", multiple=True, help="A tag; may be given several times.")
@click.option("--project", help="The project that the note belongs to.")
@click.option(
    "--visibility",
    type=click.Choice([v.value for v in Visibility]),
    default="org",
    help="Who may read it: you alone, your org, or every org of a network.",
)
@click.option("--confidence", type=float, default=0.8, show_default=True, help="0 to 1.")
@click.option("--expires", help="When the note expires: 2030-01-31 or 30d.")
@json_option
def add_command(
    title: str,
    body: str | None,
    file: str | None,
    tags: tuple[str, ...],
    project: str | None,
    visibility: str,
    confidence: float,
    expires: str | None,
    as_json: bool,
) -> None:
    """Store a note. BODY may be - for standard input."""
    text = text_from(body, file)
    if text is None:
        raise InvalidArgument("Give a body: as an argument, --file, or -.", field="body")
    content = EntryContent(
        title=title,
        body=text,
        tags=_note_tags(tags),
        visibility=Visibility(visibility),
        place=Place(project=project),
        confidence=confidence,
        expires_at=time_option(expires, "expires", time_ahead),
    )
    with command_session() as session:
        entry = session.application.knowledge.add(
            session.actor, EntryKind.NOTE, content, source="person"
        )
        written(session.application, session.actor, entry, "Stored", as_json)


@click.command("show", cls=Command)
@click.argument("id")
@json_option
def show_command(id: str, as_json: bool) -> None:
    """Show an entry."""
    with command_session() as session:
        view = session.application.knowledge.get(session.actor, session.entry_id(id))
    entry = view.entry
    document = entry_document(entry) | {"embedding": view.embedding and view.embedding.value}
    document |= warned(entry.content.title, entry.content.body)
    changed = f"changed {entry.updated_at:%Y-%m-%d %H:%M} UTC"
    lines = [
        entry_line(entry),
        f"{entry.kind.value}, revision {entry.revision}, by {entry.agent}, {changed}",
    ]
    if entry.head:
        lines.append(f"Superseded: the newest is {entry.head}")
    elif not entry.is_current(view.read_at):
        lines.append("Expired")
    lines += warning_lines(document)
    emit(document, "\n".join([*lines, "", entry.content.body]), as_json=as_json)


@click.command("list", cls=Command)
@click.option("--tag", "-t", "tags", multiple=True, help="Only with all of these tags.")
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=click.Choice([k.value for k in EntryKind]),
    help="Only of this kind; may be given several times.",
)
@click.option("--project", help="Only of this project.")
@click.option("--all", "everything", is_flag=True, help="Also superseded and expired entries.")
@click.option("--limit", type=click.IntRange(1, 1000), default=20, show_default=True)
@click.option("--offset", type=click.IntRange(0), default=0, show_default=True)
@json_option
def list_command(
    tags: tuple[str, ...],
    kinds: tuple[str, ...],
    project: str | None,
    everything: bool,
    limit: int,
    offset: int,
    as_json: bool,
) -> None:
    """List entries, newest first."""
    wanted = Filter(
        place=Place(project=project),
        kinds=kinds,
        tags=tuple(map(plain_tag, tags)),
        include_superseded=everything,
        include_expired=everything,
    )
    with command_session() as session:
        entries, total = session.application.knowledge.page(session.actor, wanted, limit, offset)
        if not total and not as_json:
            _tell_of_others(session)
    document = {"entries": [entry_document(entry) for entry in entries], "total": total}
    now = datetime.now(UTC)
    lines = [*(listed_line(entry, now) for entry in entries), f"{len(entries)} of {total}"]
    if not total and wanted == Filter():
        lines = ["No entries yet: `commonplace add` keeps a note."]
    emit(document, "\n".join(lines), as_json=as_json)


def _tell_of_others(session: CommandSession) -> None:
    """Name the other orgs to someone who finds nothing in theirs."""
    mine = session.actor.org
    others = sorted({*session.application.access.orgs()} - {mine})
    if others:
        named = f"This is the org {mine}; COMMONPLACE_ORG selects another: {', '.join(others)}"
        click.echo(named, err=True)


@click.command("edit", cls=Command)
@click.argument("id")
@click.argument("body", required=False)
@click.option("--file", "-f", help="Read the new body from a file; - is standard input.")
@click.option("--title", help="The new title.")
@click.option("--tag", "-t", "tags", multiple=True, help="The new tags, replacing the old ones.")
@click.option("--no-tags", is_flag=True, help="Remove all tags.")
@click.option("--revision", type=int, help="Refuse if this is not the current revision.")
@json_option
def edit_command(
    id: str,
    body: str | None,
    file: str | None,
    title: str | None,
    tags: tuple[str, ...],
    no_tags: bool,
    revision: int | None,
    as_json: bool,
) -> None:
    """Change the body, title or tags of an entry; its history is kept."""
    text = text_from(body, file)
    if text is None and title is None and not tags and not no_tags:
        raise InvalidArgument("Give a new body, --title or --tag.")
    with command_session() as session:
        id = session.entry_id(id)
        entry = session.application.knowledge.get(session.actor, id).entry
        current = entry.content
        new_tags = _note_tags(tags) if entry.kind is EntryKind.NOTE else tags
        content = replace(
            current,
            title=current.title if title is None else title,
            body=current.body if text is None else text,
            tags=new_tags if tags or no_tags else current.tags,
        )
        entry = session.application.knowledge.edit(session.actor, id, content, revision=revision)
        written(session.application, session.actor, entry, "Changed", as_json)


@click.command("supersede", cls=Command)
@click.argument("old_id")
@click.argument("new_id")
@click.option(
    "--kind", type=click.Choice([k.value for k in EntryKind]), default="note", show_default=True
)
@json_option
def supersede_command(old_id: str, new_id: str, kind: str, as_json: bool) -> None:
    """Mark OLD_ID as replaced by NEW_ID: searches show only the newer one."""
    with command_session() as session:
        done = session.application.knowledge.supersede(
            session.actor, EntryKind(kind), session.entry_id(old_id), session.entry_id(new_id)
        )
    document = {
        "old_id": done.old_id,
        "new_id": done.new_id,
        "newest": done.head,
        "updated": done.updated,
    }
    emit(document, f"{done.old_id} is superseded; the newest is {done.head}", as_json=as_json)
