"""What can be wrong around a call: models, sources, databases, issuers, settings."""

from __future__ import annotations

from commonplace.errors.calls import CommonplaceError


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

    def __init__(self, message: str | None = None, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class ReplicaLost(StorageUnavailable):
    """The replica that answered a search was lost in the middle of it; try again."""

    code = "storage.replica_lost"


class StorageGone(StorageUnavailable):
    """The database file was removed or replaced while it was in use; restart once it is back."""

    code = "storage.gone"


class StorageReadOnly(StorageUnavailable):
    """The database is read-only: its file or folder cannot be written."""

    code = "storage.read_only"


class StorageInUse(StorageError):
    """Servers or workers have the database open; stop them first."""

    code = "storage.in_use"


class StorageBusy(StorageError):
    """The database stayed locked by others for too long; retry."""

    code = "storage.busy"
    retry_after = 1.0


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


class OrgMoved(StorageError):
    """The org is no longer, or not yet, served here: it is being moved to another database."""

    code = "storage.org_moved"


class StorageNotEmpty(StorageError):
    """The database is not empty; --force replaces everything that is in it."""

    code = "storage.not_empty"


class BackupUnusable(StorageError):
    """The file is not a backup that can be restored here."""

    code = "storage.backup_unusable"


class TenantMissing(StorageError):
    """A statement on tenant data ran without a bound tenant."""

    code = "storage.tenant_missing"


class CacheUnavailable(CommonplaceError):
    """The memory that processes share (Redis) does not answer."""

    code = "memory.unavailable"


class SettingsInvalid(CommonplaceError):
    """A setting has a value that cannot be used."""

    code = "settings.invalid"


class ClientFileRefused(CommonplaceError):
    """A client's file cannot be read, or is written in a form that is not changed."""

    code = "client.file_refused"


class InternalError(CommonplaceError):
    """Something unexpected went wrong; the server's log has the details."""

    code = "internal.error"
