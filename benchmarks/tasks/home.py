"""The home in which the tasks are done: an invented team's notes, items, manuals, a notebook, a
skill, and some of this program's own code.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import commonplace
from commonplace.application import Application
from commonplace.bootstrap import build
from commonplace.cli.demo import demo_notes
from commonplace.documents.rules import NewSource
from commonplace.model.actor import Actor
from commonplace.model.entry import EntryContent, EntryKind, Place
from commonplace.model.source import SourceType
from commonplace.model.workspace import KnowledgeType, ResourceKind
from commonplace.settings import Settings
from commonplace.workspace.projects.changes import AttachmentChange, AttachmentOp
from commonplace.workspace.projects.identity import NewProject
from commonplace.workspace.projects.scope import ScopeName, WorkspaceScope
from commonplace.workspace.records.notebook import NewNote
from commonplace.workspace.runs.outcome import RunRequest

WORKSPACE = "manuals"
# Who does the tasks, and what it wrote before.
WORKER, OWN = "worker", "Branches are short"
_DOCS = Path(__file__).parents[2] / "docs" / "howto"
_PAGES = ("authenticate", "back-up-and-restore", "deploy-for-a-team", "move-data", "upgrade")
_CODE = ("memory", "recall", "retrieval")
_ITEMS = (
    (
        "Enum values need a migration of their own",
        "A new enum value cannot be used in the transaction that adds it: use it in the next.",
    ),
    (
        "Retry storms after a deploy",
        "All workers reconnect at once. Solved by a random wait of up to thirty seconds.",
    ),
)
_EMBED_SECONDS = 600.0


def furnish(home: Path, folder: Path) -> None:
    """Everything is embedded when it is done."""
    settings = Settings(home=home, ingest_embedding_seconds=0, roots="/")
    application = build(settings)
    try:
        _notes(application)
        person = application.person("cli")
        _items(application, application.local_actor("on-call"))
        for name in _PAGES:
            text = (_DOCS / f"{name}.md").read_text(encoding="utf-8")
            new = NewSource(SourceType.PAGE, title=name, text=text, workspace=WORKSPACE)
            application.documents.add(person, new)
        note = NewNote(
            handle="test-agent", title="Flaky checkout test",
            body="It waits for a port that the proxy of CI holds for a minute.",
        )  # fmt: skip
        application.records.append(
            application.local_actor("test-agent"), WorkspaceScope(ScopeName.GLOBAL), note
        )
        _project(application, person, folder)
        assert application.new_worker().drain(_EMBED_SECONDS)
    finally:
        application.close()


def _notes(application: Application) -> None:
    for note in demo_notes():
        content = EntryContent(note.title, note.body, note.tags, place=Place(project="shop"))
        author = application.local_actor(WORKER if note.title == OWN else note.agent)
        application.knowledge.add(author, EntryKind.NOTE, content)


def _items(application: Application, author: Actor) -> None:
    for number, (summary, text) in enumerate(_ITEMS):
        content = EntryContent(
            summary, text, category="gotcha", place=Place(project="shop"),
            attributes={"file_context": "migrations", "solution_verified": True},
        )  # fmt: skip
        application.knowledge.add(author, EntryKind.ITEM, content, id=f"ki-{number}-task")


def _project(application: Application, person: Actor, folder: Path) -> None:
    package = Path(commonplace.__file__).parent
    unwanted = shutil.ignore_patterns("__pycache__")
    for room in _CODE:
        copy = folder / "src" / "commonplace" / room
        shutil.copytree(package / room, copy, ignore=unwanted)
    project = application.workspace.add_project(person, NewProject("engine", (str(folder),)))
    scope = WorkspaceScope(ScopeName.PROJECT, (project.id,))
    change = AttachmentChange(
        AttachmentOp.ADD,
        knowledge_type=KnowledgeType.CODE.value,
        resource_kind=ResourceKind.FOLDER.value,
        locator=str(folder),
    )
    application.workspace.change(person, scope, [change])
    application.runs.ingest(person, RunRequest(scope=scope))
