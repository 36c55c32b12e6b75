"""Every error Commonplace raises on purpose, each with a stable code that clients may rely on.

CommonplaceError                    commonplace.error
├── InvalidArgument                 validation.invalid_argument
│   ├── ActionUnknown               validation.action_unknown
│   ├── ProjectRequired             validation.project_required
│   ├── EntryModeRequired           validation.entry_mode_required
│   └── TargetRequired              validation.target_required
├── ContentRefused                  safety.refused
├── NotFound                        knowledge.not_found
│   ├── ProjectNotFound             project.not_found
│   ├── ResourceNotFound            resource.not_found
│   └── AttachmentNotFound          attachment.not_found
├── Conflict                        knowledge.conflict
│   ├── RevisionConflict            knowledge.revision_conflict
│   ├── SupersessionCycle           knowledge.cycle
│   └── AlreadySuperseded           knowledge.already_superseded
├── AccessDenied                    auth.denied
│   ├── InsufficientScope           auth.insufficient_scope
│   └── NotOwner                    auth.not_owner
├── QuotaExceeded                   quota.exceeded
├── CallStopped                     call.stopped
│   ├── CallCancelled               call.cancelled
│   └── DeadlineExceeded            call.deadline_exceeded
├── EmbeddingError                  embedding.failed
│   ├── EmbeddingUnavailable        embedding.unavailable
│   │   └── EmbeddingModelMissing   embedding.model_missing
│   ├── EmbeddingRefused            embedding.refused
│   └── EmbeddingsMissing           embedding.missing
├── SourceError                     source.failed
│   ├── SourceUnreadable            source.unreadable
│   ├── SourceTooLarge              source.too_large
│   ├── SourceUnreachable           source.unreachable
│   ├── AddressRefused              source.address_refused
│   ├── LocatorInvalid              source.locator_invalid
│   ├── SourceUnsupported           source.unsupported
│   ├── SourceSensitive             source.sensitive
│   ├── SourceOutsideProject        source.outside_project
│   └── SourceTooBroad              source.too_broad
├── StorageError                    storage.failed
│   ├── StorageUnavailable          storage.unavailable
│   ├── StorageBusy                 storage.busy
│   ├── StorageFull                 storage.full
│   ├── StorageDamaged              storage.damaged
│   ├── StorageSetupRequired        storage.setup_required
│   ├── SchemaTooNew                storage.schema_too_new
│   └── TenantMissing               storage.tenant_missing
├── SettingsInvalid                 settings.invalid
└── InternalError                   internal.error
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Issue:
    """One fault of something given, and where in it."""

    path: tuple[str | int, ...]
    message: str


class CommonplaceError(Exception):
    """Something went wrong that Commonplace knows about."""

    code: ClassVar[str] = "commonplace.error"

    def __init__(self, message: str | None = None) -> None:
        self.message = message or (type(self).__doc__ or "").strip()
        super().__init__(self.message)


class InvalidArgument(CommonplaceError):
    """An argument is missing, of the wrong type or out of bounds."""

    code = "validation.invalid_argument"

    def __init__(
        self,
        message: str | None = None,
        *,
        field: str | None = None,
        issues: tuple[Issue, ...] = (),
    ) -> None:
        super().__init__(message)
        self.field = field
        self.issues = issues


class ActionUnknown(InvalidArgument):
    """The tool has no action of that name."""

    code = "validation.action_unknown"


class ProjectRequired(InvalidArgument):
    """A project scope needs the id of a project."""

    code = "validation.project_required"


class EntryModeRequired(InvalidArgument):
    """What is to be done with the entry was not said."""

    code = "validation.entry_mode_required"


class TargetRequired(InvalidArgument):
    """There is nothing to ingest in what was selected."""

    code = "validation.target_required"


class ContentRefused(CommonplaceError):
    """What was contributed tries to deceive or to steer the agents that would read it."""

    code = "safety.refused"

    def __init__(self, message: str | None = None, *, issues: tuple[Issue, ...] = ()) -> None:
        super().__init__(message)
        self.issues = issues


class NotFound(CommonplaceError):
    """Nothing with that id can be seen by the caller."""

    code = "knowledge.not_found"


class ProjectNotFound(NotFound):
    """No project with that id can be seen by the caller."""

    code = "project.not_found"


class ResourceNotFound(NotFound):
    """No resource with that id can be seen by the caller."""

    code = "resource.not_found"


class AttachmentNotFound(NotFound):
    """The scope has no attachment with that id."""

    code = "attachment.not_found"


class Conflict(CommonplaceError):
    """The change contradicts what is already stored."""

    code = "knowledge.conflict"


class RevisionConflict(Conflict):
    """Somebody else changed the entry in the meantime; read it again, then retry."""

    code = "knowledge.revision_conflict"


class SupersessionCycle(Conflict):
    """The supersession would lead back to the entry it starts from."""

    code = "knowledge.cycle"


class AlreadySuperseded(Conflict):
    """The entry has already been superseded by another one."""

    code = "knowledge.already_superseded"


class AccessDenied(CommonplaceError):
    """The caller may not do this."""

    code = "auth.denied"


class InsufficientScope(AccessDenied):
    """The caller's token lacks the scope that this call needs."""

    code = "auth.insufficient_scope"


class NotOwner(AccessDenied):
    """Only the agent that wrote an entry may do this to it."""

    code = "auth.not_owner"


class QuotaExceeded(CommonplaceError):
    """The org has used up its quota for this month."""

    code = "quota.exceeded"

    def __init__(self, message: str | None = None, *, reset_at: datetime | None = None) -> None:
        super().__init__(message)
        self.reset_at = reset_at


class CallStopped(CommonplaceError):
    """The call ended before its work was done; nothing was written."""

    code = "call.stopped"


class CallCancelled(CallStopped):
    """The client cancelled the call; nothing was written."""

    code = "call.cancelled"


class DeadlineExceeded(CallStopped):
    """The call ran out of time; nothing was written."""

    code = "call.deadline_exceeded"


class EmbeddingError(CommonplaceError):
    """A text could not be embedded."""

    code = "embedding.failed"


class EmbeddingUnavailable(EmbeddingError):
    """The embedding model cannot be reached or loaded now; nothing is wrong with the text."""

    code = "embedding.unavailable"

    def __init__(self, message: str | None = None, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class EmbeddingModelMissing(EmbeddingUnavailable):
    """The embedding model of this installation is not there or is damaged."""

    code = "embedding.model_missing"


class EmbeddingRefused(EmbeddingError):
    """The embedding model refuses this text; retrying the same text will not help."""

    code = "embedding.refused"


class EmbeddingsMissing(EmbeddingError):
    """Some entries in reach have no embedding yet; what was found among the others is given."""

    code = "embedding.missing"

    def __init__(self, message: str | None = None, *, found: object = None) -> None:
        super().__init__(message)
        self.found = found


class SourceError(CommonplaceError):
    """A source could not be read."""

    code = "source.failed"


class SourceUnreadable(SourceError):
    """The file is damaged, encrypted, empty or of a format that cannot be read."""

    code = "source.unreadable"


class SourceTooLarge(SourceError):
    """The source is larger, or takes more time or memory to read, than is allowed."""

    code = "source.too_large"


class SourceUnreachable(SourceError):
    """The address does not answer, or answers with an error."""

    code = "source.unreachable"


class AddressRefused(SourceError):
    """The address is not one that may be fetched from here."""

    code = "source.address_refused"


class LocatorInvalid(SourceError):
    """The locator is not the address of a folder that can be inspected."""

    code = "source.locator_invalid"


class SourceUnsupported(SourceError):
    """Sources of that shape cannot be attached."""

    code = "source.unsupported"


class SourceSensitive(SourceError):
    """The path is one where credentials are kept."""

    code = "source.sensitive"


class SourceOutsideProject(SourceError):
    """The folder is outside the repository roots of the project."""

    code = "source.outside_project"


class SourceTooBroad(SourceError):
    """The folder is a system folder, or holds far more than one source."""

    code = "source.too_broad"


class StorageError(CommonplaceError):
    """The database refused or failed an operation."""

    code = "storage.failed"


class StorageUnavailable(StorageError):
    """The database cannot be reached."""

    code = "storage.unavailable"


class StorageBusy(StorageError):
    """The database stayed locked by others for too long; retry."""

    code = "storage.busy"


class StorageFull(StorageError):
    """The disk or the database has no room left."""

    code = "storage.full"


class StorageDamaged(StorageError):
    """The database file is not a database or is damaged."""

    code = "storage.damaged"


class StorageSetupRequired(StorageError):
    """The database needs a step that only its administrator can do."""

    code = "storage.setup_required"


class SchemaTooNew(StorageError):
    """The database was written by a newer version of Commonplace; upgrade this one."""

    code = "storage.schema_too_new"


class TenantMissing(StorageError):
    """A statement on tenant data ran without a bound tenant."""

    code = "storage.tenant_missing"


class SettingsInvalid(CommonplaceError):
    """A setting has a value that cannot be used."""

    code = "settings.invalid"


class InternalError(CommonplaceError):
    """Something unexpected went wrong; the server's log has the details."""

    code = "internal.error"
