"""Stores pushed folders; the worker indexes them from the stored bytes."""

from __future__ import annotations

import hashlib
from uuid import uuid4

from commonplace.errors import InvalidArgument, SourceTooLarge
from commonplace.knowledge.usage.service import QuotaService
from commonplace.model.actor import Actor
from commonplace.model.rights import Thing, Verb, Whose, permit
from commonplace.model.workspace import (
    Attached,
    AttachmentDraft,
    Project,
    ResourceDraft,
    ResourceKind,
)
from commonplace.storage.port import Store, Transaction
from commonplace.workspace.indexing.service.run import remove_files
from commonplace.workspace.projects.identity import find_project
from commonplace.workspace.projects.service import projects_in
from commonplace.workspace.pushing.manifest import (
    FolderManifest,
    Pushed,
    PushLimits,
    checked,
    differences,
    locator_of,
    waiting_state,
)
from commonplace.workspace.runs.service import enqueue

_MEDIA_TYPE = "application/octet-stream"


class PushService:
    def __init__(self, store: Store, limits: PushLimits, quotas: QuotaService) -> None:
        self._store = store
        self._limits = limits
        self._quotas = quotas

    @property
    def limits(self) -> PushLimits:
        return self._limits

    def push(self, actor: Actor, manifest: FolderManifest) -> Pushed:
        """Make the folder match the manifest, once all bytes are stored; all or nothing."""
        permit(actor, Thing.FOLDER, Verb.CHANGE, Whose.SHARED)
        manifest = checked(manifest, self._limits)
        with self._store.write(actor) as tx:
            project = find_project(projects_in(tx), manifest.project)
            held = tx.resources.at(manifest.knowledge_type, locator_of(project, manifest.name))
            known = tx.files.of_resource(held.key) if held else []
            found = differences(known, manifest)
            missing = tx.blobs.missing([file.digest for file in found.written])
            if missing:
                return Pushed(tuple(missing))
            attached = _attached(tx, project, manifest)
            resource = attached.resource
            states = {state.path: state for state in known}
            for file in found.written:
                tx.files.put(resource.key, waiting_state(file, states.get(file.path)))
            remove_files(tx, found.removed)
            replaced = [states[file.path] for file in found.written if file.path in states]
            tx.blobs.release([state.digest for state in replaced if state.digest])
            changed = found.written or found.removed or resource.indexing.indexed_at is None
            run_id = enqueue(tx, [resource]) if changed else ""
        return Pushed(
            (),
            resource.id,
            attached.attachment.id,
            run_id,
            len(found.written),
            len(found.removed),
        )

    def keep(self, actor: Actor, digest: str, data: bytes) -> None:
        """Store the bytes of a file that a later push will name."""
        permit(actor, Thing.FOLDER, Verb.ADD, Whose.SHARED)
        if len(data) > self._limits.file_bytes:
            raise SourceTooLarge(f"The file has more than {self._limits.file_bytes:,} bytes.")
        if hashlib.sha256(data).hexdigest() != digest:
            raise InvalidArgument("The bytes do not match the digest.", field="digest")
        with self._store.write(actor) as tx:
            self._quotas.spend_blobs(tx, [data])
            tx.blobs.put(data, _MEDIA_TYPE)


def _attached(tx: Transaction, project: Project, manifest: FolderManifest) -> Attached:
    locator, name = locator_of(project, manifest.name), manifest.name
    resource = tx.resources.at(manifest.knowledge_type, locator)
    if resource is None:
        id, kind = f"res_{uuid4().hex}", ResourceKind.PUSHED
        resource = tx.resources.insert(
            ResourceDraft(id, kind, manifest.knowledge_type, locator, name)
        )
    here = [one for one in tx.attachments.of_resource(resource.key) if one.project_id == project.id]
    if here:
        return Attached(here[0], resource)
    draft = AttachmentDraft(f"att_{uuid4().hex}", resource.key, project.id, name)
    return tx.attachments.insert(draft)
