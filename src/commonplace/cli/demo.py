"""`commonplace demo`: a temporary home with notes of an invented team and this program's code."""

from __future__ import annotations

import shutil
import signal
import sys
import threading
import tomllib
import webbrowser
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from importlib.resources import files
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import click

import commonplace
from commonplace.application import Application
from commonplace.bootstrap import build
from commonplace.capture.finding import CaptureRequest
from commonplace.cli.output import Command, path_errors
from commonplace.cli.progress import shown_progress
from commonplace.cli.serving import lazy_application
from commonplace.logs import start_logging
from commonplace.model.activity import Delivery, Outcome
from commonplace.model.actor import Actor
from commonplace.model.entry import EntryContent, EntryKind, Place
from commonplace.model.references import of_entry
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
_INVENTED = ("cli", "data")
_CODE = (".py", ".toml")
_ENDS = (signal.SIGTERM, signal.SIGHUP)  # also when its terminal is closed


@dataclass(frozen=True, slots=True)
class DemoNote:
    """One note of the invented team."""

    title: str
    agent: str
    days: int
    tags: tuple[str, ...]
    body: str
    replaces: str = ""


@cache
def _invented() -> Mapping[str, Any]:
    text = (files("commonplace.cli") / "data" / "demo_notes.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def demo_notes() -> list[DemoNote]:
    """The notes, oldest first."""
    found: Sequence[dict[str, Any]] = _invented()["note"]
    notes = [DemoNote(**{**note, "tags": tuple(note["tags"])}) for note in found]
    return sorted(notes, key=lambda note: -note.days)


@click.command("demo", cls=Command)
@click.option("--port", type=click.IntRange(0, 65535), default=8766, show_default=True)
@click.option("--browser/--no-browser", default=True, help="Open the console in a browser.")
@click.option("--keep", type=click.Path(path_type=Path), help="Keep the demo in this new folder.")
@click.option("--serve/--no-serve", default=True, help="Serve the demo, or only create it.")
def demo_command(port: int, browser: bool, keep: Path | None, serve: bool) -> None:
    """Try Commonplace in a temporary home with sample notes and this program's own code."""
    with _folder(keep) as folder:
        home = folder / "home"
        settings = load_settings(home=home, database_url=None, ingest_embedding_seconds=0)
        start_logging(settings.log_level)
        furnish(settings, folder / "project")
        click.echo(f"A home with {len(demo_notes())} notes and two projects: {home}", err=True)
        search = f"commonplace search '{_invented()['ask']}'"
        click.echo(f"Search it: COMMONPLACE_HOME={home} {search}", err=True)
        if serve:
            if port:
                login = f"COMMONPLACE_HOME={home} commonplace login --port {port}"
                click.echo(f"Open the console: {login}", err=True)
            _serve(settings, port, browser=browser)


@contextmanager
def _folder(keep: Path | None) -> Iterator[Path]:
    """The folder to keep, or a temporary one that is deleted at the end."""
    if keep is not None:
        if keep.exists():
            raise click.BadParameter("it exists already", param_hint="--keep")
        with path_errors("keep"):
            keep.mkdir(mode=0o700, parents=True)
        yield keep.resolve()
        return
    before = {number: signal.signal(number, _leave) for number in _ENDS}
    folder = Path(mkdtemp(prefix="commonplace-demo-")).resolve()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        for number, handler in before.items():
            signal.signal(number, handler)


def _leave(number: int, _frame: object) -> None:
    """End like after Ctrl-C, so that nothing is left behind."""
    sys.exit(128 + number)


def furnish(settings: Settings, folder: Path) -> None:
    """Fill the home: notes dated as if written over four weeks, questions, and a project."""
    now = datetime.now(UTC)
    moment = now

    def clock() -> datetime:
        return moment

    application = build(settings, clock)
    try:
        written: dict[str, str] = {}
        for days, contribute in _contributions(application, written):
            moment = now - timedelta(days=days)
            contribute()
        for hours, question in _questions():
            moment = now - timedelta(hours=hours)
            _ask(application, question, written)
            application.activity.write()
        moment = datetime.now(UTC)
        for session in _invented()["session"]:
            request = CaptureRequest.proposing(session["text"].strip(), 1)
            application.capture.auto_capture(application.local_actor(session["agent"]), request)
        person = application.person("cli")
        application.workspace.add_project(person, NewProject(_SHOP, name="The shop"))
        application.new_worker().drain(_EMBED_SECONDS)
        _copy_ourselves(folder)
        _index(application, person, folder)
    finally:
        application.close()


def _contributions(
    application: Application, written: dict[str, str]
) -> list[tuple[float, Callable[[], object]]]:
    """What writes each note and skill, with its age in days; the oldest first, as in the log."""
    notes = [(note.days, partial(_write, application, note, written)) for note in demo_notes()]
    skills = [
        (
            skill["days"],
            partial(
                application.registry.contribute_skill,
                application.local_actor(skill["agent"]),
                skill["text"].lstrip(),
            ),
        )
        for skill in _invented()["skill"]
    ]
    return sorted([*notes, *skills], key=lambda one: -one[0])


def _write(application: Application, note: DemoNote, written: dict[str, str]) -> None:
    author = application.local_actor(note.agent)
    content = EntryContent(
        title=note.title, body=note.body, tags=note.tags, place=Place(project=_SHOP)
    )
    entry = application.knowledge.add(author, EntryKind.NOTE, content, source="agent")
    if note.replaces:
        person = application.person("cli")
        application.knowledge.supersede(person, EntryKind.NOTE, written[note.replaces], entry.id)
    written[note.title] = entry.id


def _questions() -> list[tuple[int, Mapping[str, Any]]]:
    """The questions of the team's agents, with their age in hours, oldest first."""
    questions = [(hours, one) for one in _invented()["question"] for hours in one["hours"]]
    return sorted(questions, key=lambda one: -one[0])


def _ask(application: Application, question: Mapping[str, Any], written: Mapping[str, str]) -> None:
    """Log a question with an invented answer and duration: no call was made."""
    given = tuple(str(of_entry(EntryKind.NOTE, written[title])) for title in question["given"])
    outcome = Outcome.ANSWERED if given else Outcome.NOTHING
    answer = Delivery(question["text"], given, outcome)
    seconds = (20 + len(question["text"]) % 30) / 1000
    author = application.local_actor(question["agent"])
    application.activity.note(author, "recall", "ok", seconds, [answer])


def _copy_ourselves(folder: Path) -> None:
    """Copy this program's own code, and its docs if they are installed."""
    package = Path(commonplace.__file__).parent
    for file in package.rglob("*"):
        path = file.relative_to(package)
        if file.suffix in _CODE and file.is_file() and not _is_excluded(path):
            target = folder / "src" / "commonplace" / path
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)
    for docs in (package / "cli" / "data" / "docs", package.parents[1] / "docs"):
        if docs.is_dir():
            for part in ("explain", "howto"):
                shutil.copytree(docs / part, folder / "docs" / part, dirs_exist_ok=True)
            break


def _is_excluded(path: Path) -> bool:
    """Whether it is the demo's own data, or a file that the folder reader takes for secrets."""
    return path.parts[:2] == _INVENTED or path.name == "secrets.toml"


def _index(application: Application, person: Actor, folder: Path) -> None:
    """Index the code for search by words; embeddings follow while the server runs."""
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
        application.runs.ingest(person, RunRequest(scope=scope), call)


def _serve(settings: Settings, port: int, *, browser: bool) -> None:
    from commonplace.server.http import serve

    # `serve` closes it too, but not if it cannot listen on the port.
    with closing(lazy_application(settings)) as application:
        link = f"http://127.0.0.1:{port}/login?code={application.get().access.new_link()}"
        if browser and port:
            opening = threading.Timer(_BROWSER_SECONDS, webbrowser.open, [link])
            opening.daemon = True
            opening.start()
        serve(application, settings, "127.0.0.1", port)
