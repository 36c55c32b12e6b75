"""A home's life: things that people and agents do to it, one after the other, by every service.

A step is a verb, two numbers that choose among what is there, and a text. What a step is refused
is left undone, as a caller would.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from hypothesis import strategies as st
from pydantic import SecretStr

from commonplace.application import Application
from commonplace.bootstrap import build
from commonplace.capture.finding import CaptureRequest
from commonplace.capture.report import Action
from commonplace.documents.rules import NewSource
from commonplace.errors import CommonplaceError
from commonplace.model.actor import ALL_SCOPES, Actor
from commonplace.model.capture import Feedback, FeedbackVerdict, ReviewStatus
from commonplace.model.entry import EntryContent, EntryKind, Place, Visibility
from commonplace.model.quota import KNOWLEDGE_STORED
from commonplace.model.source import SourceScope, SourceType
from commonplace.model.workspace import KnowledgeType, ResourceKind
from commonplace.settings import Settings
from commonplace.workspace.projects.changes import AttachmentChange, AttachmentOp, Preferences
from commonplace.workspace.projects.identity import NewProject
from commonplace.workspace.projects.scope import ScopeName, WorkspaceScope
from commonplace.workspace.pushing.manifest import FolderManifest, PushedFile
from commonplace.workspace.records.notebook import NewNote
from commonplace.workspace.records.record import NewRecord, RecordEdit, RecordIdentity
from tests.stores import Database
from tests.unit.registry.samples import pattern, skill_text, sop, trace

ACTORS = tuple(
    Actor(org, agent, ALL_SCOPES, "life")
    for org, agent in (("acme", "alice"), ("acme", "bob"), ("Zürich", "alice"))
)
_VISIBILITY = tuple(Visibility)
_MOMENT = "We solved the bug: the {} timed out because the pool was never closed. Lesson learned."


class Step(NamedTuple):
    verb: str
    one: int
    two: int
    text: str


class Life:
    """An application on a database, and what has been made in it so far."""

    def __init__(self, database: Database, folder: Path) -> None:
        postgres = database.dialect == "postgres"
        self.database = database
        self.folder = folder
        settings = Settings(
            home=folder if postgres else Path(database.address).parent,
            database_url=SecretStr(database.address) if postgres else None,
            embedding_url="http://127.0.0.1:1/v1",
            embedding_model="absent",
            embedding_dimension=8,
            roots=str(folder),
        )
        self.application: Application = build(settings, database.clock)
        self._made: dict[str, list[tuple[Actor, str]]] = {}

    def live(self, steps: list[Step]) -> None:
        for step in steps:
            self.database.clock.advance(1)
            actor = ACTORS[step.one % len(ACTORS)]
            with suppress(CommonplaceError):
                VERBS[step.verb](self, actor, step)

    def close(self) -> None:
        self.application.close()

    def made(self, kind: str, actor: Actor, id: str) -> None:
        self._made.setdefault(kind, []).append((actor, id))

    def chosen(self, kind: str, number: int) -> tuple[Actor, str]:
        """Whose it is, and its id; nothing to choose from is one refusal more."""
        known = self._made.get(kind)
        if not known:
            raise CommonplaceError
        return known[number % len(known)]


def _content(step: Step) -> EntryContent:
    return EntryContent(
        title=step.text.strip()[:60] or "Untitled",
        body=step.text + "\n\nmore",
        tags=("red", "blue")[: step.two % 3],
        visibility=_VISIBILITY[step.two % 3],
        place=Place(None, None, (None, "atlas")[step.one % 2]),
        attributes={"n": step.two, "deep": {"text": step.text}},
        category=(None, "win")[step.two % 2],
    )


def _add(kind: EntryKind) -> Callable[[Life, Actor, Step], None]:
    def verb(life: Life, actor: Actor, step: Step) -> None:
        entry = life.application.knowledge.add(actor, kind, _content(step))
        life.made("entry", actor, entry.id)
        life.made(kind.value, actor, entry.id)

    return verb


def edit(life: Life, actor: Actor, step: Step) -> None:
    owner, id = life.chosen("entry", step.two)
    life.application.knowledge.edit(owner, id, _content(step))


def delete(life: Life, actor: Actor, step: Step) -> None:
    owner, id = life.chosen("entry", step.two)
    life.application.knowledge.delete(owner, id)


def restore(life: Life, actor: Actor, step: Step) -> None:
    owner, id = life.chosen("entry", step.two)
    life.application.knowledge.restore(owner, id)


def purge(life: Life, actor: Actor, step: Step) -> None:
    owner, id = life.chosen("entry", step.two)
    life.application.knowledge.purge(owner, id)


def supersede(life: Life, actor: Actor, step: Step) -> None:
    owner, old = life.chosen("note", step.one)
    _, new = life.chosen("note", step.two)
    life.application.knowledge.supersede(owner, EntryKind.NOTE, old, new)


def hand_out(life: Life, actor: Actor, step: Step) -> None:
    owner, id = life.chosen("entry", step.two)
    life.application.usage.count(owner, [life.application.knowledge.get(owner, id).entry])


def skill(life: Life, actor: Actor, step: Step) -> None:
    name = f"Guide {step.two % 2}"
    files = {"scripts/a.sh": step.text.encode(), "b.bin": bytes(range(step.two * 9))}
    made = life.application.registry.contribute_skill(
        actor, skill_text(name), _VISIBILITY[step.two % 3], files if step.one % 2 else None
    )
    life.made("entry", actor, made.id)


def unit(life: Life, actor: Actor, step: Step) -> None:
    make: Any = (trace, pattern, sop)[step.two % 3]
    made = life.application.registry.contribute_unit(actor, make(), _VISIBILITY[step.two % 3])
    life.made("entry", actor, made.id)
    life.made("unit", actor, made.id)


def validate(life: Life, actor: Actor, step: Step) -> None:
    _, id = life.chosen("unit", step.two)
    life.application.verdicts.validate(actor, id, valid=step.two % 2 == 0, feedback=step.text)


def _scope(life: Life, step: Step) -> tuple[Actor | None, WorkspaceScope]:
    if step.two % 2:
        owner, project = life.chosen("project", step.two)
        return owner, WorkspaceScope(ScopeName.PROJECT, (project,))
    return None, WorkspaceScope(ScopeName.GLOBAL)


def project(life: Life, actor: Actor, step: Step) -> None:
    root = life.folder / f"root{step.two % 3}"
    (root / "docs").mkdir(parents=True, exist_ok=True)
    made = life.application.workspace.add_project(
        actor, NewProject(f"p{step.two % 3}", (str(root),))
    )
    life.made("project", actor, made.id)


def remove_project(life: Life, actor: Actor, step: Step) -> None:
    owner, id = life.chosen("project", step.two)
    life.application.workspace.remove_project(owner, id)


def attach(life: Life, actor: Actor, step: Step) -> None:
    owner, id = life.chosen("project", step.two)
    found = life.application.workspace.project(owner, id)
    locator = f"{found.roots[0]}/docs"
    scope = WorkspaceScope(ScopeName.PROJECT, (id,))
    wished = Preferences(label=step.text.strip()[:40] or None, weight=0.5)
    operation = AttachmentChange(AttachmentOp.ADD, "", "docs", "folder", locator, wished)
    changed = life.application.workspace.change(owner, scope, [operation])
    for done in changed.done:
        life.made("attached", owner, f"{id} {done.attached.attachment.id}")


def alter(life: Life, actor: Actor, step: Step) -> None:
    owner, both = life.chosen("attached", step.one)
    project_id, attachment = both.split(" ")
    scope = WorkspaceScope(ScopeName.PROJECT, (project_id,))
    op = (AttachmentOp.DISABLE, AttachmentOp.ENABLE, AttachmentOp.REMOVE)[step.two % 3]
    life.application.workspace.change(owner, scope, [AttachmentChange(op, attachment)])


def push(life: Life, actor: Actor, step: Step) -> None:
    owner, id = life.chosen("project", step.two)
    data = [f"x = {n}\n# {step.text}".encode() for n in range(step.one % 3)]
    digests = [hashlib.sha256(each).hexdigest() for each in data]
    for digest, each in zip(digests, data, strict=True):
        life.application.pushes.keep(owner, digest, each)
    files = tuple(
        PushedFile(f"f{n}.py", digest, len(each))
        for n, (digest, each) in enumerate(zip(digests, data, strict=True))
    )
    life.application.pushes.push(owner, FolderManifest(id, "sent", KnowledgeType.CODE, files))


def notebook(life: Life, actor: Actor, step: Step) -> None:
    owner, scope = _scope(life, step)
    actor = owner or actor
    view = life.application.records.append(
        actor, scope, NewNote(f"agent-{step.one % 2}", step.text + " noted", metadata={"m": 1})
    )
    life.made("notebook", actor, view.attached.resource.id)
    life.made("entry", actor, view.latest.id)


def delete_notebook(life: Life, actor: Actor, step: Step) -> None:
    owner, id = life.chosen("notebook", step.one)
    scope = WorkspaceScope(ScopeName.GLOBAL)
    life.application.records.delete(owner, scope, id, ResourceKind.NOTEBOOK)


def record(life: Life, actor: Actor, step: Step) -> None:
    owner, scope = _scope(life, step)
    actor = owner or actor
    new = NewRecord(RecordIdentity("task", f"T-{step.one}", step.two), step.text.strip() or None)
    view = life.application.records.create(actor, scope, new)
    life.made("record", actor, view.attached.resource.id)
    life.made("entry", actor, view.entry.id)


def edit_record(life: Life, actor: Actor, step: Step) -> None:
    owner, id = life.chosen("record", step.one)
    scope = WorkspaceScope(ScopeName.GLOBAL)
    life.application.records.update(owner, scope, id, RecordEdit(body=step.text + " changed"))


def source(life: Life, actor: Actor, step: Step) -> None:
    given: dict[SourceType, dict[str, Any]] = {
        SourceType.FILE: {"file_name": "a.md", "data": step.text.encode() + b"\0\xff"},
        SourceType.URL: {"url": "https://example.org/"},
        SourceType.PAGE: {"title": "Page", "text": step.text},
    }
    kind = tuple(SourceType)[step.two % 3]
    scope = SourceScope.SYSTEM if step.two == 6 else None
    made = life.application.documents.add(
        actor, NewSource(kind, workspace="ws", scope=scope, **given[kind])
    )
    life.made("source", actor, made.id)


def refresh_source(life: Life, actor: Actor, step: Step) -> None:
    owner, id = life.chosen("source", step.two)
    page = NewSource(SourceType.PAGE, workspace="ws", title="Again", text=step.text)
    life.application.documents.refresh(owner, id, page if step.one % 2 else None)


def remove_source(life: Life, actor: Actor, step: Step) -> None:
    owner, id = life.chosen("source", step.two)
    life.application.documents.remove(owner, id, purge=step.one % 2 == 0)


def restore_source(life: Life, actor: Actor, step: Step) -> None:
    owner, id = life.chosen("source", step.two)
    life.application.documents.restore(owner, id)


def capture(life: Life, actor: Actor, step: Step) -> None:
    text = _MOMENT.format(step.text.strip() or "server")
    saves = step.two % 2 == 0
    outcome = life.application.capture.auto_capture(
        actor, CaptureRequest(text, 0.2, saves, "aggressive", 5)
    )
    for captured in outcome.captured:
        life.made("entry", actor, captured.id)


def judge(life: Life, actor: Actor, step: Step) -> None:
    waiting, _ = life.application.reviewing.reviews(actor, ReviewStatus.WAITING, 10)
    if waiting:
        chosen = waiting[step.two % len(waiting)]
        life.application.reviewing.judge(actor, chosen.id, tuple(Action)[step.two % 3], step.text)


def feedback(life: Life, actor: Actor, step: Step) -> None:
    said = Feedback(
        f"d-{step.one}", tuple(FeedbackVerdict)[step.two % 2], 0.5, ("pattern",), step.text
    )
    life.application.learning.record(actor, said)
    if step.two == 5:
        life.application.learning.unlearn(actor)


def quota(life: Life, actor: Actor, step: Step) -> None:
    """Of the server, not of the knowledge: it must neither travel nor be in the way."""
    life.application.quotas.override(actor, KNOWLEDGE_STORED, 1_000 + step.two)


VERBS: dict[str, Callable[[Life, Actor, Step], None]] = {
    "note": _add(EntryKind.NOTE),
    "item": _add(EntryKind.ITEM),
    "page": _add(EntryKind.PAGE),
    **{
        verb.__name__: verb
        for verb in (
            *(edit, delete, restore, purge, supersede, hand_out, skill, unit, validate),
            *(project, remove_project, attach, alter, push),
            *(notebook, delete_notebook, record, edit_record),
            *(source, refresh_source, remove_source, restore_source),
            *(capture, judge, feedback, quota),
        )
    },
}
_TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
_MAKING = ("note", "item", "skill", "unit", "notebook", "record", "source", "project", "capture")
_STEP = st.builds(
    Step,
    # Something has to be made before much can be done to it.
    st.one_of(st.sampled_from(_MAKING), st.sampled_from(tuple(VERBS))),
    st.integers(0, 6),
    st.integers(0, 6),
    st.one_of(st.sampled_from(["plain words", "a\r\n---\nb: #c"]), _TEXT),
)
LIVES = st.lists(_STEP, min_size=8, max_size=30)
