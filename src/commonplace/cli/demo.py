"""A throwaway home to look around in: four weeks of an invented team, and this program itself."""

from __future__ import annotations

import shutil
import threading
import tomllib
import webbrowser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib.resources import files
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import click

import commonplace
from commonplace.application import Application
from commonplace.bootstrap import build
from commonplace.cli.output import Command
from commonplace.cli.progress import shown_progress
from commonplace.cli.running import lazily
from commonplace.logs import start_logging
from commonplace.model.actor import Actor
from commonplace.model.entry import EntryContent, EntryKind, Place
from commonplace.model.workspace import KnowledgeType, ResourceKind
from commonplace.settings import Settings, load_settings
from commonplace.workspace.projects.changes import AttachmentChange, AttachmentOp
from commonplace.workspace.projects.identity import NewProject
from commonplace.workspace.projects.scope import ScopeName, WorkspaceScope
from commonplace.workspace.runs.outcome import RunRequest

_PROJECT = "commonplace"
_SHOP = "shop"
_BROWSER_SECONDS = 1.0
_EMBED_SECONDS = 20.0
_CODE = (".py", ".sql", ".toml")


@dataclass(frozen=True, slots=True)
class DemoNote:
    """One note of the invented team."""

    title: str
    agent: str
    days: int
    tags: tuple[str, ...]
    body: str
    replaces: str = ""


def demo_notes() -> list[DemoNote]:
    """The notes, oldest first."""
    text = (files("commonplace.cli") / "data" / "demo_notes.toml").read_text(encoding="utf-8")
    found: Sequence[dict[str, Any]] = tomllib.loads(text)["note"]
    notes = [DemoNote(**{**note, "tags": tuple(note["tags"])}) for note in found]
    return sorted(notes, key=lambda note: -note.days)


@click.command("demo", cls=Command)
@click.option("--port", type=click.IntRange(0, 65535), default=8766, show_default=True)
@click.option("--browser/--no-browser", default=True, help="Whether to open the pages.")
@click.option("--keep", type=click.Path(path_type=Path), help="A new folder that stays.")
@click.option("--serve/--no-serve", default=True, help="Whether to serve it, or only to make it.")
def demo_command(port: int, browser: bool, keep: Path | None, serve: bool) -> None:
    """Look around in a throwaway home with an invented team's notes and this program's own code."""
    with _folder(keep) as folder:
        home = folder / "home"
        settings = load_settings(home=home, database_url=None, ingest_embedding_seconds=0)
        start_logging(settings.log_level)
        furnish(settings, folder / "project")
        click.echo(f"A home with {len(demo_notes())} notes and two projects: {home}", err=True)
        asked = "commonplace search 'do shoppers see outdated amounts'"
        click.echo(f"Ask it: COMMONPLACE_HOME={home} {asked}", err=True)
        if serve:
            _serve(settings, port, browser=browser)


@contextmanager
def _folder(keep: Path | None) -> Iterator[Path]:
    """A folder that goes when it is not to be kept."""
    if keep is not None:
        if keep.exists():
            raise click.BadParameter("there is something already", param_hint="--keep")
        keep.mkdir(mode=0o700, parents=True)
        yield keep.resolve()
        return
    folder = Path(mkdtemp(prefix="commonplace-demo-")).resolve()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def furnish(settings: Settings, folder: Path) -> None:
    """Writes the notes as if each had been written on its day, and a project into the folder."""
    now = datetime.now(UTC)
    moment = now

    def clock() -> datetime:
        return moment

    application = build(settings, clock)
    try:
        written: dict[str, str] = {}
        for note in demo_notes():
            moment = now - timedelta(days=note.days)
            written[note.title] = _write(application, note, written)
        moment = datetime.now(UTC)
        person = application.person("cli")
        application.workspace.add_project(person, NewProject(_SHOP, name="The shop"))
        application.new_worker().drain(_EMBED_SECONDS)
        _copy_ourselves(folder)
        _index(application, person, folder)
    finally:
        application.close()


def _write(application: Application, note: DemoNote, written: dict[str, str]) -> str:
    author = application.local_actor(note.agent)
    content = EntryContent(
        title=note.title, body=note.body, tags=note.tags, place=Place(project=_SHOP)
    )
    entry = application.knowledge.add(author, EntryKind.NOTE, content, source="agent")
    if note.replaces:
        person = application.person("cli")
        application.knowledge.supersede(person, EntryKind.NOTE, written[note.replaces], entry.id)
    return entry.id


def _copy_ourselves(folder: Path) -> None:
    """This program's own code, and its docs where they came along."""
    package = Path(commonplace.__file__).parent
    for file in package.rglob("*"):
        if file.suffix in _CODE and file.is_file():
            target = folder / "src" / file.relative_to(package)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)
    for docs in (package / "cli" / "data" / "docs", package.parents[1] / "docs"):
        if docs.is_dir():
            for part in ("explain", "howto"):
                shutil.copytree(docs / part, folder / "docs" / part, dirs_exist_ok=True)
            break


def _index(application: Application, person: Actor, folder: Path) -> None:
    """Words are found at once; meaning follows while the server runs."""
    project = application.workspace.add_project(person, NewProject(_PROJECT, (str(folder),)))
    scope = WorkspaceScope(ScopeName.PROJECT, (project.id,))
    change = AttachmentChange(
        AttachmentOp.ADD,
        knowledge_type=KnowledgeType.CODE.value,
        resource_kind=ResourceKind.FOLDER.value,
        locator=str(folder),
    )
    application.workspace.change(person, scope, [change])
    with shown_progress(quiet=False) as call:
        application.ingests.ingest(person, RunRequest(scope=scope), call)


def _serve(settings: Settings, port: int, *, browser: bool) -> None:
    from commonplace.server.http import serve

    application = lazily(settings)
    link = f"http://127.0.0.1:{port}/login?code={application.get().access.new_link()}"
    if browser and port:
        opening = threading.Timer(_BROWSER_SECONDS, webbrowser.open, [link])
        opening.daemon = True
        opening.start()
    serve(application, settings, "127.0.0.1", port)
