"""`commonplace source`: adds, lists, shows, refreshes and removes document sources."""

from __future__ import annotations

import mimetypes
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from commonplace.application import Application
from commonplace.cli.output import Command, emit, json_option
from commonplace.cli.progress import progress_bar
from commonplace.cli.session import command_session, text_from
from commonplace.documents.rules import NewSource
from commonplace.errors import InvalidArgument
from commonplace.model.actor import Actor
from commonplace.model.query import Reach
from commonplace.model.source import Source, SourceScope, SourceStatus, SourceType
from commonplace.text.filenames import DOCUMENT_SUFFIXES, PROSE_SUFFIXES
from commonplace.text.plural import plural

# The files that `source add --file FOLDER` adds; others in the folder are skipped.
READABLE_SUFFIXES = PROSE_SUFFIXES | DOCUMENT_SUFFIXES
_FINISHED = (SourceStatus.READY, SourceStatus.ERROR)
_LOOK_SECONDS = 0.5


def source_document(source: Source) -> dict[str, Any]:
    return {
        "id": source.id,
        "name": source.name,
        "type": source.origin.type.value,
        "scope": source.scope.value,
        "workspace": source.place.workspace,
        "space": source.place.space,
        "locator": source.origin.locator,
        "status": source.sync.status.value,
        "error": source.sync.error,
        "chunk_count": source.chunk_count,
        "last_synced_at": source.sync.synced_at.isoformat() if source.sync.synced_at else None,
        "created_at": source.created_at.isoformat(),
    }


def source_line(source: Source) -> str:
    place = "/".join(filter(None, [source.place.workspace, source.place.space])) or "system"
    line = f"{source.id}  {source.name}  ({source.origin.type.value}, {place})  "
    if source.sync.error:
        return f"{line}{source.sync.status.value}: {source.sync.error}"
    return f"{line}{source.sync.status.value}, {plural(source.chunk_count, 'chunk')}"


@click.group("source")
def source_command() -> None:
    """Sources: files, web pages and written pages."""


@source_command.command("add", cls=Command)
@click.option("--workspace", help="The workspace of the source.")
@click.option("--space", help="The space within the workspace.")
@click.option("--scope", type=click.Choice([s.value for s in SourceScope]))
@click.option("--file", "files", multiple=True, help="A file, or a folder of files to add.")
@click.option("--url", help="The address of a web page.")
@click.option("--page", "title", help="The title of a page to write.")
@click.option("--text-file", help="The text of the page; - is standard input.")
@click.option("--name", help="Its name (default: the file's name, the title or the address).")
@click.option("--wait/--no-wait", default=True, show_default=True, help="Wait until it is read.")
@json_option
def add_command(
    workspace: str | None,
    space: str | None,
    scope: str | None,
    files: tuple[str, ...],
    url: str | None,
    title: str | None,
    text_file: str | None,
    name: str | None,
    wait: bool,
    as_json: bool,
) -> None:
    """Add a file, a web page or a written page."""
    if sum(map(bool, (files, url, title))) != 1:
        raise InvalidArgument("Give one of --file, --url and --page.")
    placed = NewSource(
        SourceType.FILE,
        workspace=workspace,
        space=space,
        scope=SourceScope(scope) if scope else None,
        name=name,
    )
    if title:
        text = text_from(None, text_file)
        if text is None or not text.strip():
            raise InvalidArgument(
                "A page needs its text: --text-file FILE, or - for standard input.",
                field="text_file",
            )
        given = [replace(placed, type=SourceType.PAGE, title=title, text=text)]
    elif url:
        given = [replace(placed, type=SourceType.URL, url=url)]
    else:
        given = [with_file(placed, path) for path in _paths(files)]
    with command_session() as session:
        added = [session.application.documents.add(session.actor, new) for new in given]
        if wait:
            added = read_now(session.application, session.actor, added, quiet=as_json)
    _emit_sources(added, as_json=as_json)


@source_command.command("list", cls=Command)
@click.option("--workspace", help="Only sources that this workspace sees.")
@click.option("--space", help="Also sources that this space of it sees.")
@click.option("--failed", is_flag=True, help="Only sources that could not be read.")
@json_option
def list_command(workspace: str | None, space: str | None, failed: bool, as_json: bool) -> None:
    """List sources, newest first."""
    if space and not workspace:
        raise InvalidArgument("--space needs --workspace.", field="workspace")
    reach = Reach(workspace, space) if workspace else None
    with command_session() as session:
        sources = session.application.documents.in_reach(session.actor, reach)
    if failed:
        sources = [source for source in sources if source.sync.status is SourceStatus.ERROR]
    document = {"sources": [source_document(s) for s in sources], "count": len(sources)}
    lines = [*map(source_line, sources), plural(len(sources), "source")]
    emit(document, "\n".join(lines), as_json=as_json)


@source_command.command("show", cls=Command)
@click.argument("id")
@click.option("--chunks", is_flag=True, help="Also show the text of its chunks.")
@json_option
def show_command(id: str, chunks: bool, as_json: bool) -> None:
    """Show a source and its status."""
    with command_session() as session:
        documents = session.application.documents
        id = session.source_id(id)
        source = documents.get(session.actor, id)
        found = documents.chunks(session.actor, id, source.chunk_count) if chunks else []
    shown = [{"headings": list(c.headings), "text": c.text, "page": c.position.page} for c in found]
    document = source_document(source) | ({"chunks": shown} if chunks else {})
    lines = [source_line(source), *(f"\n{' > '.join(c.headings)}\n{c.text}" for c in found)]
    emit(document, "\n".join(lines), as_json=as_json)


@source_command.command("refresh", cls=Command)
@click.argument("id", required=False)
@click.option("--all", "everything", is_flag=True, help="Every source of the org.")
@click.option("--file", help="A file whose content replaces the old content.")
@click.option("--wait/--no-wait", default=True, show_default=True, help="Wait until it is read.")
@json_option
def refresh_command(
    id: str | None, everything: bool, file: str | None, wait: bool, as_json: bool
) -> None:
    """Read a source again; the old content stays until that has succeeded."""
    if everything == (id is not None) or (everything and file):
        raise InvalidArgument("Give an ID, or --all.", field="id")
    with command_session() as session:
        documents, actor = session.application.documents, session.actor
        if id is None:
            documents.refresh_all(actor)
            queued = [s for s in documents.in_reach(actor) if s.org == actor.org]
        else:
            new = with_file(NewSource(SourceType.FILE), Path(file)) if file else None
            queued = [documents.refresh(actor, session.source_id(id), new)]
        if wait:
            queued = read_now(session.application, actor, queued, quiet=as_json)
    _emit_sources(queued, as_json=as_json)


@source_command.command("remove", cls=Command)
@click.argument("id")
@click.option("--purge", is_flag=True, help="Erase it with its content; it cannot be restored.")
@json_option
def remove_command(id: str, purge: bool, as_json: bool) -> None:
    """Remove a source from every search; `source restore` brings it back."""
    with command_session() as session:
        documents = session.application.documents
        source = documents.remove(session.actor, session.source_id(id), purge=purge)
    verb = "Erased" if purge else "Removed"
    emit({"id": source.id, "removed": True}, f"{verb} {source.name}", as_json=as_json)


@source_command.command("restore", cls=Command)
@click.argument("id")
@json_option
def restore_command(id: str, as_json: bool) -> None:
    """Bring a removed source back, and read it again."""
    with command_session() as session:
        source = session.application.documents.restore(session.actor, id)
        restored = read_now(session.application, session.actor, [source], quiet=as_json)
    _emit_sources(restored, as_json=as_json)


def _emit_sources(sources: Sequence[Source], *, as_json: bool) -> None:
    """Print sources; as JSON, one source is an object and several are a list."""
    documents = [source_document(source) for source in sources]
    document = documents[0] if len(documents) == 1 else {"sources": documents}
    failed = any(source.sync.status is SourceStatus.ERROR for source in sources)
    emit(document, "\n".join(map(source_line, sources)), as_json=as_json, failed=failed)


def _paths(given: Sequence[str]) -> Iterator[Path]:
    for name in given:
        path = Path(name)
        if path.is_dir():
            found = sorted(p for p in path.rglob("*") if p.suffix.lower() in READABLE_SUFFIXES)
            if not found:
                raise InvalidArgument(f"No file in {name} can be read.", field="file")
            yield from found
        else:
            yield path


def with_file(new: NewSource, path: Path) -> NewSource:
    try:
        data = path.read_bytes()
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        raise InvalidArgument(f"{path} cannot be read: {reason}.", field="file") from None
    media_type = mimetypes.guess_type(path.name)[0] or ""
    return replace(new, file_name=path.name, data=data, media_type=media_type)


def read_now(
    application: Application, actor: Actor, sources: Sequence[Source], *, quiet: bool
) -> list[Source]:
    """Wait until all sources are read, by this process or by a running server."""
    worker = application.new_worker()
    waiting = {source.id: source for source in sources}
    done: dict[str, Source] = {}
    with progress_bar(quiet=quiet) as tell:
        try:
            while waiting:
                if not worker.step():
                    time.sleep(_LOOK_SECONDS)
                for id in list(waiting):
                    source = application.documents.get(actor, id)
                    if source.sync.status in _FINISHED:
                        done[id] = source
                        del waiting[id]
                tell(len(done) + _share(application, waiting), len(sources), "Reading")
        finally:
            worker.stop()
    return [done[source.id] for source in sources]


def _share(application: Application, waiting: dict[str, Source]) -> float:
    """The embedded share of the sources that are being read."""
    under_way = filter(None, map(application.source_reading.progress, waiting))
    return sum(done / total for done, total in under_way if total)
