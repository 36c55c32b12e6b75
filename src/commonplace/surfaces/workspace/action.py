"""What an action of `pm_knowledge` declares, and the arguments that actions share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from commonplace.application import Application
from commonplace.model.actor import Actor, Scope
from commonplace.model.call import Call
from commonplace.surfaces.arguments import NORMAL, NOT_BLANK, CamelArguments
from commonplace.workspace.projects.scope import ScopeName, WorkspaceScope, scope_of

LONGEST_ID = 200
MOST_IDS = 500

Run = Callable[[Application, Actor, Any, Call], BaseModel]
ReadScope = Literal["project", "projects", "global", "all"]
WriteScope = Literal["project", "global"]


@dataclass(frozen=True, slots=True)
class Action:
    """One action: its scope, the model of its arguments, and the function that runs it."""

    name: str
    scope: Scope
    arguments: type[BaseModel]
    run: Run


Id = Annotated[str, Field(max_length=LONGEST_ID), NOT_BLANK, NORMAL]
Ids = Annotated[list[Id], Field(max_length=MOST_IDS)]


class ActionArguments(CamelArguments):
    """The arguments of one action; unknown ones are refused by name."""


class ReadArguments(ActionArguments):
    """The arguments of actions that read; without a scope they read everything."""

    scope: ReadScope | None = None
    project_id: Id | None = None
    project_ids: Ids | None = None

    def workspace_scope(self) -> WorkspaceScope:
        name = ScopeName(self.scope) if self.scope else None
        return scope_of(name, self.project_id, self.project_ids or ())


class WriteArguments(ActionArguments):
    """The arguments of actions that write, to one project or globally."""

    scope: WriteScope
    project_id: Id | None = None

    def workspace_scope(self) -> WorkspaceScope:
        return scope_of(ScopeName(self.scope), self.project_id)
