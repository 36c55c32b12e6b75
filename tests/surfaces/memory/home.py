"""What tests of the memory surface do again and again: fill a home, and read short lines."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from commonplace.application import Application, local_actor
from commonplace.documents.rules import NewSource
from commonplace.model.actor import Actor
from commonplace.model.source import SourceType
from commonplace.workspace.projects.changes import AttachmentChange, AttachmentOp
from commonplace.workspace.projects.identity import NewProject
from commonplace.workspace.projects.scope import ScopeName, WorkspaceScope
from commonplace.workspace.runs.outcome import RunRequest
from tests.surfaces.clients import Caller, Premises
from tests.unit.registry.samples import skill_text, trace

OPEN = "open"
_REFERENCE = re.compile(r"\b(?:note|item|doc|file|symbol|notebook|record|skill|unit):[^\s,;)]+")

CART = '''"""The cart of the shop."""

import json


class Cart:
    """What a shopper wants to buy."""

    def add(self, item: str) -> int:
        return count_of(json.dumps(item))


def count_of(text: str) -> int:
    return len(text)


def checkout(cart: Cart) -> int:
    return cart.add("lamp")
'''


class Home:
    """One org with an agent who calls, and what is put into it beside the surface."""

    def __init__(self, premises: Premises, folder: Path) -> None:
        self.premises = premises
        self.folder = folder
        self.alice: Caller = premises.caller("alice")

    @property
    def application(self) -> Application:
        return self.premises.application

    def actor(self, agent: str = "alice") -> Actor:
        settings = self.premises.settings.model_copy(update={"org": "acme", "agent": agent})
        return local_actor(settings, "test")

    def note(self, title: str = "Ids", body: str = "Use version 7.", **given: Any) -> str:
        stored = self.alice.call("store_knowledge", title=title, body=body, **given)
        return str(stored["id"])

    def item(self, **given: Any) -> str:
        usual = {
            "summary": "Enum values", "content": "Add them in a migration of their own.",
            "type": "gotcha", "project": "shop", "file_context": "models.py",
        }  # fmt: skip
        return str(self.alice.call("capture_knowledge", **usual, **given)["data"]["id"])

    def skill(self) -> str:
        text = skill_text("Lint fix", "Fixes lint.", "# How\n\n1. Run it.\n2. Done.\n")
        return str(self.alice.call("kp_contribute_skill", skill_md_content=text)["id"])

    def unit(self) -> str:
        return str(
            self.alice.call(
                "kp_contribute_knowledge", unit=trace("Find the slow test"), visibility="org"
            )["id"]
        )

    def notebook(self, body: str = "The flaky test waits for a port.") -> dict[str, Any]:
        return self.alice.call(
            "pm_knowledge", action="record_entry", scope="global", entryType="agent_knowledge",
            mode="append", agentHandle="alice", title="Flaky checkout test", body=body,
        )  # fmt: skip

    def page(self, title: str, text: str) -> str:
        """A page that was read."""
        new = NewSource(SourceType.PAGE, title=title, text=text, workspace="manuals")
        source = self.application.documents.add(self.actor(), new)
        self.premises.embed()
        return source.id

    def write(self, path: str, text: str) -> None:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def project(
        self, key: str = "shop", files: dict[str, str] | None = None, *, read: bool = True
    ) -> None:
        """A project whose folder was read, or only attached."""
        for path, text in (files or {"src/cart.py": CART}).items():
            self.write(f"{key}/{path}", text)
        actor, workspace = self.actor(), self.application.workspace
        made = workspace.add_project(actor, NewProject(key, (str(self.folder / key),)))
        scope = WorkspaceScope(ScopeName.PROJECT, (made.id,))
        add = AttachmentChange(
            AttachmentOp.ADD,
            knowledge_type="code_intelligence",
            resource_kind="folder",
            locator=str(self.folder / key),
        )
        workspace.change(actor, scope, [add])
        if read:
            self.application.runs.ingest(actor, RunRequest(scope))

    def read_again(self, key: str) -> None:
        project = self.application.workspace.project(self.actor(), key)
        scope = WorkspaceScope(ScopeName.PROJECT, (project.id,))
        self.application.runs.ingest(self.actor(), RunRequest(scope))

    def open(self, reference: str, **given: Any) -> str:
        return self.alice.text(OPEN, reference=reference, **given)


def references_in(text: str) -> list[str]:
    return _REFERENCE.findall(text)
