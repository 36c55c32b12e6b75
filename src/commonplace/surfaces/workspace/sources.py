"""The actions `get` and `update_sources`: list the attachments of a scope, and change them."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

from pydantic import Field, model_validator

from commonplace.application import Application
from commonplace.model.actor import Actor, Scope
from commonplace.model.call import Call
from commonplace.model.chunk import TrustTier
from commonplace.model.workspace import IndexStatus
from commonplace.surfaces.answers import OPTIONAL, CamelAnswerPart
from commonplace.surfaces.arguments import NORMAL, NOT_BLANK
from commonplace.surfaces.workspace.action import (
    Action,
    ActionArguments,
    Id,
    ReadArguments,
    ReadScope,
    WriteArguments,
)
from commonplace.surfaces.workspace.shown import (
    AttachmentShown,
    EntryListed,
    ResourceShown,
    attachments_shown,
    entries_shown,
    resources_shown,
)
from commonplace.workspace.projects.changes import (
    AttachmentChange,
    AttachmentOp,
    Changed,
    Done,
    Preferences,
    View,
)
from commonplace.workspace.projects.policy import LONGEST_LOCATOR

MOST_OPERATIONS = 100
LONGEST_LABEL = 200

TierName = Literal["canonical", "operational", "memory"]
Weight = Annotated[float, Field(ge=0.1, le=2.0)]
Label = Annotated[str, Field(max_length=LONGEST_LABEL), NOT_BLANK, NORMAL]

_SETTINGS = ("label", "trustTier", "rankingWeight", "enabled")
_SHAPE = ("knowledgeType", "resourceKind", "locator")
# Operation -> its required and its optional arguments.
_TAKES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "add": (_SHAPE, _SETTINGS),
    "remove": (("attachmentId",), ()),
    "enable": (("attachmentId",), ()),
    "disable": (("attachmentId",), ()),
    "update": (("attachmentId",), _SETTINGS),
}


class GetArguments(ReadArguments):
    scope: ReadScope
    include_disabled: bool = False


class OperationGiven(ActionArguments):
    op: Literal["add", "remove", "enable", "disable", "update"]
    attachment_id: Id | None = None
    knowledge_type: Annotated[str, Field(max_length=100)] | None = Field(
        None, description="docs or code_intelligence"
    )
    resource_kind: Annotated[str, Field(max_length=100)] | None = Field(None, description="folder")
    locator: Annotated[str, Field(max_length=LONGEST_LOCATOR)] | None = Field(
        None, description="absolute path or file:// URL of a folder"
    )
    label: Label | None = None
    trust_tier: TierName | None = None
    ranking_weight: Weight | None = None
    enabled: bool | None = None

    @model_validator(mode="after")
    def _complete(self) -> OperationGiven:
        given = self.model_dump(by_alias=True, exclude_none=True)
        needed, optional = _TAKES[self.op]
        if missing := [name for name in needed if name not in given]:
            raise ValueError(f"{self.op} needs {', '.join(missing)}")
        if foreign := [name for name in given if name not in ("op", *needed, *optional)]:
            raise ValueError(f"{self.op} does not take {', '.join(foreign)}")
        if self.op == "update" and not any(name in given for name in _SETTINGS):
            raise ValueError(f"update needs at least one of {', '.join(_SETTINGS)}")
        return self

    def operation(self) -> AttachmentChange:
        return AttachmentChange(
            op=AttachmentOp(self.op),
            attachment_id=self.attachment_id or "",
            knowledge_type=self.knowledge_type or "",
            resource_kind=self.resource_kind or "",
            locator=self.locator or "",
            preferences=Preferences(
                label=self.label,
                trust=TrustTier(self.trust_tier) if self.trust_tier else None,
                weight=self.ranking_weight,
                enabled=self.enabled,
            ),
        )


class UpdateSourcesArguments(WriteArguments):
    operations: Annotated[list[OperationGiven], Field(min_length=1, max_length=MOST_OPERATIONS)]


class GetAnswer(CamelAnswerPart):
    scope: str
    attachments: list[AttachmentShown]
    resources: list[ResourceShown]
    stale_count: int
    failed_count: int
    embeddings_pending: int
    entries: list[EntryListed] | None = OPTIONAL


class DoneShown(CamelAnswerPart):
    op: str
    status: str
    attachment_id: str
    resource_id: str


class UpdateSourcesAnswer(CamelAnswerPart):
    scope: str
    project_id: str | None = OPTIONAL
    operations: list[DoneShown]
    attachments: list[AttachmentShown]
    resources: list[ResourceShown]


def get(application: Application, actor: Actor, given: GetArguments, _call: Call) -> GetAnswer:
    view = application.workspace.view(actor, given.workspace_scope())
    listed = view if given.include_disabled else _enabled(view)
    return GetAnswer(
        scope=given.scope,
        attachments=attachments_shown(listed.sources),
        resources=resources_shown(listed.sources),
        stale_count=view.sources.with_status(IndexStatus.STALE),
        failed_count=view.sources.with_status(IndexStatus.FAILED),
        embeddings_pending=view.pending,
        entries=entries_shown(listed) or None,
    )


def _enabled(view: View) -> View:
    return replace(view, attached=tuple(one for one in view.attached if one.attachment.enabled))


def update_sources(
    application: Application, actor: Actor, given: UpdateSourcesArguments, call: Call
) -> UpdateSourcesAnswer:
    operations = [one.operation() for one in given.operations]
    changed = application.workspace.change(actor, given.workspace_scope(), operations, call)
    return _changed(given.scope, changed)


def _changed(scope: str, changed: Changed) -> UpdateSourcesAnswer:
    return UpdateSourcesAnswer(
        scope=scope,
        project_id=changed.view.scope.project,
        operations=[_done(one) for one in changed.done],
        attachments=attachments_shown(changed.view),
        resources=resources_shown(changed.view),
    )


def _done(done: Done) -> DoneShown:
    return DoneShown(
        op=done.op.value,
        status=done.outcome.value,
        attachment_id=done.attached.attachment.id,
        resource_id=done.attached.resource.id,
    )


GET = Action("get", Scope.READ, GetArguments, get)
UPDATE_SOURCES = Action("update_sources", Scope.WRITE, UpdateSourcesArguments, update_sources)
