"""The action `record_entry`: agents' notes, and snapshots of records kept elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    Field,
    ModelWrapValidatorHandler,
    ValidationError,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import InitErrorDetails, PydanticCustomError

from commonplace.application import Application
from commonplace.errors import EntryModeRequired, InvalidArgument
from commonplace.knowledge.rules import MAX_BODY, MAX_TITLE
from commonplace.model.actor import Actor, Scope
from commonplace.model.call import Call
from commonplace.model.chunk import TrustTier
from commonplace.model.workspace import Attached, ResourceKind
from commonplace.safety.warnings import warnings_of
from commonplace.surfaces.answers import OPTIONAL, WARNINGS, CamelAnswerPart
from commonplace.surfaces.arguments import NORMAL, NOT_BLANK
from commonplace.surfaces.elsewhere import hint_if_elsewhere
from commonplace.surfaces.workspace.action import Action, Id, WriteArguments
from commonplace.surfaces.workspace.entries import NOTEBOOK, RECORD, faults_of, mode_wanted
from commonplace.surfaces.workspace.shown import GLOBAL, STATUSES
from commonplace.surfaces.workspace.sources import TierName, Weight
from commonplace.workspace.records.notebook import MAX_HANDLE, NewNote
from commonplace.workspace.records.record import NewRecord, RecordEdit, RecordIdentity, identity_in
from commonplace.workspace.records.service import NotebookView, RecordView

Name = Annotated[str, Field(max_length=200), NOT_BLANK, NORMAL]
Version = Annotated[int | float, WithJsonSchema({"type": "number"})]


class RecordEntryArguments(WriteArguments):
    mode: Literal["create", "update", "delete", "append"]
    entry_type: Literal["agent_knowledge", "valdr_record_materialized"]
    entry_id: Id | None = Field(None, description="for update and delete")
    note_id: Id | None = Field(None, description="to delete one note")
    agent_handle: Annotated[str, Field(max_length=MAX_HANDLE)] | None = Field(
        None, description="whose notebook to append to"
    )
    title: Annotated[str, Field(max_length=MAX_TITLE)] | None = None
    body: Annotated[str, Field(max_length=MAX_BODY)] | None = None
    trust_tier: TierName | None = None
    ranking_weight: Weight | None = None
    metadata: dict[str, Any] | None = None
    record_type: Name | None = Field(None, description="task, plan, review, ...")
    record_id: Name | None = None
    record_version: Version | None = None

    @model_validator(mode="wrap")
    @classmethod
    def _all_problems_at_once(
        cls, given: Any, handler: ModelWrapValidatorHandler[RecordEntryArguments]
    ) -> RecordEntryArguments:
        """Report every problem in one answer, so that a caller does not have to retry for each."""
        present = {name: value for name, value in given.items() if value is not None}
        if "mode" not in present:
            raise EntryModeRequired(mode_wanted(present), field="mode")
        faults = [_fault((name,), message) for name, message in faults_of(present)]
        try:
            read = handler(given)
        except ValidationError as error:
            faults = [*(_fault(one["loc"], one["msg"]) for one in error.errors()), *faults]
        else:
            if not faults:
                return read
        if present.get("scope") == "project" and "projectId" not in present:
            faults.append(_fault(("projectId",), "scope project needs it"))
        raise ValidationError.from_exception_data(cls.__name__, faults)

    @property
    def tier(self) -> TrustTier | None:
        return TrustTier(self.trust_tier) if self.trust_tier else None


def _fault(where: tuple[str | int, ...], message: str) -> InitErrorDetails:
    problem = PydanticCustomError("record_entry", "{message}", {"message": message})
    return InitErrorDetails(type=problem, loc=where, input=None)


class NoteShown(CamelAnswerPart):
    id: str
    title: str
    body: str
    metadata: dict[str, Any] | None = OPTIONAL
    warnings: list[str] = WARNINGS


class EntryShown(CamelAnswerPart):
    id: str
    entry_type: str
    scope_type: str
    scope_id: str
    attachment_id: str
    title: str
    trust_tier: str
    ranking_weight: float


class NotebookShown(EntryShown):
    agent_handle: str
    note_count: int
    latest_note: NoteShown


class RecordShown(EntryShown):
    record_type: str
    record_id: str
    record_version: float | int
    index_status: str
    metadata: dict[str, Any] | None = OPTIONAL
    warnings: list[str] = WARNINGS


class NotebookAnswer(CamelAnswerPart):
    entry: NotebookShown


class RecordAnswer(CamelAnswerPart):
    entry: RecordShown


class DeletedAnswer(CamelAnswerPart):
    deleted: Literal[True] = True
    entry_id: str
    note_id: str | None = OPTIONAL
    remaining_note_count: int | None = OPTIONAL


def append(
    application: Application, actor: Actor, given: RecordEntryArguments, call: Call
) -> NotebookAnswer:
    note = NewNote(
        handle=given.agent_handle or "",
        body=_not_blank(given.body or "", "body"),
        title=given.title,
        trust=given.tier,
        weight=given.ranking_weight,
        metadata=given.metadata or {},
    )
    view = application.records.append(actor, given.workspace_scope(), note, call)
    return NotebookAnswer(entry=_notebook(view))


def create(
    application: Application, actor: Actor, given: RecordEntryArguments, call: Call
) -> RecordAnswer:
    identity = RecordIdentity(
        given.record_type or "", given.record_id or "", given.record_version or 0
    )
    new = NewRecord(
        identity, given.title, given.body, given.tier, given.ranking_weight, given.metadata or {}
    )
    return _record(application.records.create(actor, given.workspace_scope(), new, call))


def update(
    application: Application, actor: Actor, given: RecordEntryArguments, call: Call
) -> RecordAnswer:
    edit = RecordEdit(given.title, given.body, given.tier, given.ranking_weight, given.metadata)
    view = application.records.update(
        actor, given.workspace_scope(), given.entry_id or "", edit, call
    )
    return _record(view)


def delete(
    application: Application, actor: Actor, given: RecordEntryArguments, call: Call
) -> DeletedAnswer:
    id, scope = given.entry_id or "", given.workspace_scope()
    if given.note_id is not None:
        left = application.records.delete_note(actor, scope, id, given.note_id, call)
        return DeletedAnswer(entry_id=id, note_id=given.note_id, remaining_note_count=left)
    notebook = given.entry_type == NOTEBOOK
    kind = ResourceKind.NOTEBOOK if notebook else ResourceKind.RECORD
    application.records.delete(actor, scope, id, kind, call)
    return DeletedAnswer(entry_id=id)


_MODES: dict[str, Callable[[Application, Actor, RecordEntryArguments, Call], BaseModel]] = {
    "append": append,
    "create": create,
    "update": update,
    "delete": delete,
}


def record_entry(
    application: Application, actor: Actor, given: RecordEntryArguments, call: Call
) -> BaseModel:
    with hint_if_elsewhere(application, actor, *filter(None, [given.entry_id])):
        return _MODES[given.mode](application, actor, given, call)


def _not_blank(text: str, field: str) -> str:
    if not text.strip():
        raise InvalidArgument(f"{field} must not be blank.", field=field)
    return text


def _shared(attached: Attached, entry_type: str) -> dict[str, Any]:
    attachment = attached.attachment
    return {
        "id": attached.resource.id,
        "entry_type": entry_type,
        "scope_type": "project" if attachment.project_id else GLOBAL,
        "scope_id": attachment.project_id or GLOBAL,
        "attachment_id": attachment.id,
        "title": attachment.label,
        "trust_tier": attachment.trust.value,
        "ranking_weight": attachment.weight,
    }


def _notebook(view: NotebookView) -> NotebookShown:
    note = view.latest.content
    return NotebookShown(
        **_shared(view.attached, NOTEBOOK),
        agent_handle=view.handle,
        note_count=view.notes,
        latest_note=NoteShown(
            id=view.latest.id,
            title=note.title,
            body=note.body,
            metadata=note.attributes["metadata"] or None,
            warnings=warnings_of(note.title, note.body),
        ),
    )


def _record(view: RecordView) -> RecordAnswer:
    content = view.entry.content
    identity = identity_in(content)
    shown = RecordShown(
        **_shared(view.attached, RECORD),
        record_type=identity.type,
        record_id=identity.id,
        record_version=identity.shown_version,
        index_status=STATUSES[view.attached.resource.indexing.status],
        metadata=content.attributes["metadata"] or None,
        warnings=warnings_of(content.title, content.body),
    )
    return RecordAnswer(entry=shown)


RECORD_ENTRY = Action("record_entry", Scope.WRITE, RecordEntryArguments, record_entry)
