"""What tests of the workspace do again and again: folders, projects, sources, and one tool.

Every test has an org and a folder of its own, so that all tests of a module share one server.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from commonplace.application import Application, local_actor
from commonplace.model.actor import Actor
from commonplace.workspace.projects.identity import NewProject
from tests.surfaces.clients import Caller, Premises

TOOL = "pm_knowledge"
INVALID = "KNOWLEDGE_VALIDATION"
MISSING = "KNOWLEDGE_ATTACHMENT_NOT_FOUND"
UNSUPPORTED = "KNOWLEDGE_UNSUPPORTED_SOURCE_TYPE"

Shown = dict[str, Any]


class Bench:
    """One org with a folder, and an agent who calls the tool."""

    def __init__(self, premises: Premises, folder: Path, org: str) -> None:
        self.premises = premises
        self.folder = folder
        self.org = org
        self.caller: Caller = premises.caller("alice", org)

    @property
    def application(self) -> Application:
        return self.premises.application

    @property
    def actor(self) -> Actor:
        settings = self.premises.settings.model_copy(update={"org": self.org, "agent": "alice"})
        return local_actor(settings, "test")

    def other_org(self) -> Bench:
        """A stranger, who may use the same folder."""
        return Bench(self.premises, self.folder, f"{self.org}-other")

    def folder_of(self, name: str) -> Path:
        made = self.folder / name
        made.mkdir(parents=True, exist_ok=True)
        return made

    def write(self, path: str, text: str) -> Path:
        """A file below the folder of the test; its folder."""
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file.parent

    def project(self, key: str = "shop", *, rooted: bool = True) -> str:
        """A project whose root is the folder of that name; its id."""
        roots = (str(self.folder_of(key)),) if rooted else ()
        return self.application.workspace.add_project(self.actor, NewProject(key, roots)).id

    def ask(self, action: str, **arguments: Any) -> Shown:
        return self.caller.call(TOOL, action=action, **arguments)

    def refusal(self, action: str, **arguments: Any) -> Shown:
        return self.caller.refusal(TOOL, action=action, **arguments)

    def code(self, action: str, **arguments: Any) -> str:
        """The code of a call that must be refused."""
        error = self.refusal(action, **arguments)
        assert isinstance(error["message"], str)
        assert error["message"]
        return str(error["code"])

    def refused(self, name: str, action: str, **arguments: Any) -> None:
        """The call must be refused for an argument, by its name."""
        error = self.refusal(action, **arguments)
        assert error["code"] == INVALID, error
        assert name in error["message"], error

    def change(self, project: str | None, *operations: Shown) -> Shown:
        return self.ask("update_sources", **scoped(project), operations=list(operations))

    def change_refused(self, project: str | None, *operations: Shown) -> Shown:
        return self.refusal("update_sources", **scoped(project), operations=list(operations))

    def add(
        self, project: str | None, folder: Path | str, kind: str = "docs", **more: Any
    ) -> Shown:
        """Attach a folder; what was done."""
        (done,) = self.change(project, adding(folder, kind, **more))["operations"]
        shown: Shown = done
        return shown

    def add_code(self, project: str | None, folder: Path | str, kind: str = "docs") -> str:
        """The code that an attempt to attach a folder is refused with."""
        return str(self.change_refused(project, adding(folder, kind))["code"])

    def attachments(self, project: str | None = None, **more: Any) -> list[Shown]:
        listed: list[Shown] = self.get(project, **more)["attachments"]
        return listed

    def get(self, project: str | None = None, **more: Any) -> Shown:
        return self.ask("get", **(scoped(project) | more))

    def ingest(self, project: str | None = None, **more: Any) -> Shown:
        return self.ask("ingest", **(scoped(project) | more))

    def hits(self, query: str, **more: Any) -> list[Shown]:
        found: list[Shown] = self.ask("search", query=query, **more)["hits"]
        return found

    def append(self, project: str | None, body: str, **more: Any) -> Shown:
        """A note of the reviewer, unless somebody else is named; the notebook."""
        given = {"agentHandle": "checkout-reviewer", "body": body, **more}
        entry: Shown = self.ask("record_entry", **noting(project), **given)["entry"]
        return entry

    def create(
        self, project: str | None, body: str | None = "Acceptance notes.", **more: Any
    ) -> Shown:
        """A record of a task; the entry."""
        given = {"recordType": "task", "recordId": "T-1", "recordVersion": 1, **more}
        given |= {"body": body} if body is not None else {}
        entry: Shown = self.ask("record_entry", **recording(project, "create"), **given)["entry"]
        return entry


def scoped(project: str | None) -> Shown:
    return {"scope": "project", "projectId": project} if project else {"scope": "global"}


def adding(folder: Path | str, kind: str = "docs", **more: Any) -> Shown:
    shape = {"knowledgeType": kind, "resourceKind": "folder"}
    return {"op": "add", **shape, "locator": str(folder), **more}


def noting(project: str | None, mode: str = "append") -> Shown:
    return {"mode": mode, "entryType": "agent_knowledge", **scoped(project)}


def recording(project: str | None, mode: str) -> Shown:
    return {"mode": mode, "entryType": "valdr_record_materialized", **scoped(project)}


def docs(bench: Bench, name: str = "docs", text: str = "# Refunds\n\nThey are slow.") -> Path:
    """A folder of documents in the project's root."""
    return bench.write(f"shop/{name}/page.md", text)


def attached(bench: Bench, project: str | None, id: str) -> Shown:
    """An attachment as `get` shows it, switched off or not."""
    listed = bench.attachments(project, includeDisabled=True)
    (one,) = [attachment for attachment in listed if attachment["id"] == id]
    return one
