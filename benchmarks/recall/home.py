"""Puts a plan into a home by the product's own services, and embeds it once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.databases import settings_for
from benchmarks.recall.plan import PROJECTS, Inputs, Plan, planned
from benchmarks.recall.texts import Thing
from commonplace.application import Application
from commonplace.bootstrap import build
from commonplace.documents.rules import NewSource
from commonplace.model.actor import ALL_SCOPES, Actor
from commonplace.model.call import PLAIN_CALL
from commonplace.model.entry import EntryContent
from commonplace.model.source import SourceType
from commonplace.surfaces.workspace.tools import KnowledgeArguments, pm_knowledge
from commonplace.workspace.projects.identity import NewProject

ACME = Actor("acme", "bench", ALL_SCOPES)
BETA = Actor("beta", "bench", ALL_SCOPES)
WORKSPACE = "bench"
CLONE = "click-clone"
_CLONED = "click"
_START = datetime(2026, 1, 1, tzinfo=UTC)
_HOURS = 6 * 3600.0
_STORED = "stored.json"


class SteppedClock:
    """The time that things are stored at: when their author wrote them."""

    def __init__(self) -> None:
        self.at = _START

    def __call__(self) -> datetime:
        return self.at


@dataclass(frozen=True, slots=True)
class Home:
    """An application on a filled home; `names` maps ids of sources to those of the plan."""

    application: Application
    plan: Plan
    names: dict[str, str]


@contextmanager
def filled(dialect: str, inputs: Inputs, folder: Path) -> Iterator[Home]:
    """The home in that folder, filled and embedded unless it is."""
    plan, clock = planned(inputs), SteppedClock()
    roots = folder / "checkouts"
    with settings_for(dialect, folder / dialect) as settings:
        changed = {"worker": False, "roots": str(roots.resolve()), "network": False}
        application = build(settings.model_copy(update=changed), clock)
        try:
            kept = folder / dialect / _STORED
            if not kept.exists():
                names = _fill(application, plan, clock, inputs, roots)
                kept.write_text(json.dumps(names), encoding="utf-8")
            clock.at = _START + timedelta(days=400)
            assert application.new_worker().drain(_HOURS), "embedded in six hours"
            yield Home(application, plan, json.loads(kept.read_text(encoding="utf-8")))
        finally:
            application.close()


def _fill(
    application: Application, plan: Plan, clock: SteppedClock, inputs: Inputs, roots: Path
) -> dict[str, str]:
    for number, thing in enumerate(sorted(plan.stored, key=lambda one: one.minute)):
        minutes = thing.minute or 60 * number
        clock.at = _START + timedelta(minutes=minutes)
        store(application, replace(ACME, agent=thing.agent), thing)
    for thing in plan.others:
        store(application, BETA, thing)
    for name, repository in PROJECTS.items():
        commit = plan.projects[name].commit
        inputs.mirrors.checkout(repository, commit, roots / name)
        _attach(application, plan, name, roots / name, name)
    inputs.mirrors.checkout(PROJECTS[_CLONED], plan.projects[_CLONED].commit, roots / CLONE)
    _attach(application, plan, CLONE, roots / CLONE, _CLONED)
    ask(application, "ingest", scope="all", execution="inline")
    return {_documented(application, thing): thing.id for thing in plan.documents}


def store(application: Application, actor: Actor, thing: Thing) -> None:
    content = EntryContent(title=thing.title, body=thing.body, tags=thing.tags)
    application.knowledge.add(actor, thing.kind, content, id=thing.id)


def _documented(application: Application, thing: Thing) -> str:
    page = NewSource(SourceType.PAGE, WORKSPACE, title=thing.title, text=thing.body)
    return application.documents.add(ACME, page).id


def _attach(application: Application, plan: Plan, name: str, root: Path, like: str) -> None:
    project = application.workspace.add_project(ACME, NewProject(name, (str(root.resolve()),)))
    operations = [
        {
            "op": "add",
            "knowledgeType": source.type,
            "resourceKind": "folder",
            "locator": str((root / source.folder).resolve()),
        }
        for source in plan.projects[like].sources
    ]
    scope = {"scope": "project", "projectId": project.id}
    ask(application, "update_sources", operations=operations, **scope)


def ask(application: Application, action: str, **arguments: Any) -> dict[str, Any]:
    given = KnowledgeArguments.model_validate({"action": action, **arguments})
    answer = pm_knowledge(application, ACME, given, PLAIN_CALL)
    document: dict[str, Any] = answer.model_dump(mode="json", by_alias=True)
    return document
