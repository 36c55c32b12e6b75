"""The wire format of attachments and resources in the `workspace` dialect."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from commonplace.model.graph import FileProblem
from commonplace.model.workspace import (
    Attached,
    Indexing,
    IndexStatus,
    KnowledgeType,
    Project,
    Resource,
    ResourceCounts,
    ResourceKind,
)
from commonplace.surfaces.answers import OPTIONAL, CamelAnswerPart, iso
from commonplace.workspace.projects.changes import View
from commonplace.workspace.search.sources import Sourced

GLOBAL = "global"
_MOST_PROBLEMS = 20
STATUSES = {
    IndexStatus.STALE: "stale",
    IndexStatus.INDEXING: "indexing",
    IndexStatus.READY: "ready",
    IndexStatus.FAILED: "failed",
}
# The dialect does not distinguish pushed folders.
RESOURCE_KINDS = {
    ResourceKind.FOLDER: "folder",
    ResourceKind.PUSHED: "folder",
    ResourceKind.NOTEBOOK: "note",
    ResourceKind.RECORD: "record",
}


class AttachmentShown(CamelAnswerPart):
    id: str
    resource_id: str
    scope_type: str
    scope_id: str
    project_key: str | None = OPTIONAL
    trust_tier: str
    ranking_weight: float
    enabled: bool
    label: str


class IndexRunShown(CamelAnswerPart):
    run_id: str | None = OPTIONAL
    status: str
    finished_at: str | None = OPTIONAL
    error_message: str | None = OPTIONAL


class ProblemShown(CamelAnswerPart):
    """A code file that could not be read completely."""

    path: str
    reason: str


def problems_shown(problems: Sequence[FileProblem]) -> list[ProblemShown] | None:
    """The first problems; None if there are none."""
    shown = problems[:_MOST_PROBLEMS]
    return [ProblemShown(path=one.path, reason=one.reason) for one in shown] or None


class ResourceShown(CamelAnswerPart):
    id: str
    knowledge_type: KnowledgeType
    resource_kind: str
    display_name: str
    canonical_locator: str
    index_status: str
    chunk_count: int | None = OPTIONAL
    embeddings_pending: int | None = OPTIONAL
    embeddings_previewed: int | None = OPTIONAL
    embeddings_left_out: int | None = OPTIONAL
    languages: list[str] | None = OPTIONAL
    problem_count: int | None = OPTIONAL
    problems: list[ProblemShown] | None = OPTIONAL
    latest_index_run: IndexRunShown | None = OPTIONAL


class EntryListed(CamelAnswerPart):
    """A notebook or record; `id` is the `entryId` of `record_entry`."""

    id: str
    attachment_id: str
    knowledge_type: KnowledgeType
    title: str
    scope_type: str
    scope_id: str
    trust_tier: str
    ranking_weight: float
    enabled: bool
    canonical_locator: str
    index_status: str


class NotIndexed(CamelAnswerPart):
    """A source that is not indexed, and what the caller can do about it."""

    attachment_id: str
    label: str
    index_status: str
    next_step: str


_NEXT_STEPS = {
    IndexStatus.STALE: "call ingest with this attachmentId",
    IndexStatus.INDEXING: "it is being read: ask again later",
    IndexStatus.FAILED: "get says why it could not be read; then call ingest again",
}


def not_indexed(sources: Iterable[Sourced]) -> list[NotIndexed] | None:
    """The sources that are not indexed; None if there are none."""
    return [_not_indexed(source) for source in sources] or None


def _not_indexed(source: Sourced) -> NotIndexed:
    status = source.resource.indexing.status
    return NotIndexed(
        attachment_id=source.effective.id,
        label=source.effective.label,
        index_status=STATUSES[status],
        next_step=_NEXT_STEPS.get(status, _NEXT_STEPS[IndexStatus.STALE]),
    )


def attachment_shown(attached: Attached, projects: Mapping[str, Project]) -> AttachmentShown:
    attachment = attached.attachment
    project = projects.get(attachment.project_id or "")
    return AttachmentShown(
        id=attachment.id,
        resource_id=attached.resource.id,
        scope_type="project" if attachment.project_id else GLOBAL,
        scope_id=attachment.project_id or GLOBAL,
        project_key=project.handle if project else None,
        trust_tier=attachment.trust.value,
        ranking_weight=attachment.weight,
        enabled=attachment.enabled,
        label=attachment.label,
    )


def attachments_shown(view: View) -> list[AttachmentShown]:
    return [attachment_shown(one, view.projects) for one in view.attached]


def entries_shown(view: View) -> list[EntryListed]:
    return [_entry(view, one, attachment_shown(one, view.projects)) for one in view.entries]


def _entry(view: View, one: Attached, attachment: AttachmentShown) -> EntryListed:
    return EntryListed(
        id=one.resource.id,
        attachment_id=attachment.id,
        knowledge_type=one.resource.knowledge_type,
        title=attachment.label,
        scope_type=attachment.scope_type,
        scope_id=attachment.scope_id,
        trust_tier=attachment.trust_tier,
        ranking_weight=attachment.ranking_weight,
        enabled=attachment.enabled,
        canonical_locator=one.resource.locator,
        index_status=STATUSES[view.status_of(one.resource)],
    )


def resources_shown(view: View) -> list[ResourceShown]:
    """Each resource once, under its label in this scope."""
    labels = {one.resource.key: one.attachment.label for one in reversed(view.attached)}
    return [_resource(view, resource, labels[resource.key]) for resource in view.resources]


def _resource(view: View, resource: Resource, label: str) -> ResourceShown:
    counts = view.counts.get(resource.key, ResourceCounts())
    read = resource.indexing.indexed_at is not None or counts.chunks > 0
    code = resource.knowledge_type is KnowledgeType.CODE
    problems = view.problems_of(resource)
    return ResourceShown(
        id=resource.id,
        knowledge_type=resource.knowledge_type,
        resource_kind=RESOURCE_KINDS[resource.kind],
        display_name=label,
        canonical_locator=resource.locator,
        index_status=STATUSES[view.status_of(resource)],
        chunk_count=counts.chunks if read else None,
        embeddings_pending=counts.unembedded or None,
        embeddings_previewed=counts.previewed or None,
        embeddings_left_out=counts.left_out or None,
        languages=list(counts.languages) if read and code else None,
        problem_count=len(problems) or None,
        problems=problems_shown(problems),
        latest_index_run=_run(resource.indexing),
    )


def _run(indexing: Indexing) -> IndexRunShown | None:
    if indexing.run_id is None and indexing.indexed_at is None and indexing.error is None:
        return None
    return IndexRunShown(
        run_id=indexing.run_id,
        status=STATUSES[indexing.status],
        finished_at=iso(indexing.indexed_at) if indexing.indexed_at else None,
        error_message=indexing.error,
    )
