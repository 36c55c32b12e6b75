"""Errors about the surroundings of a call: models, sources, databases, issuers, settings."""

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
    """The embedding model of this installation is missing or damaged."""

    code = "embedding.model_missing"


class EmbeddingRefused(EmbeddingError):
    """The embedding model refuses this text; retrying it does not help."""

    code = "embedding.refused"


class EmbeddingsMissing(EmbeddingError):
    """Some entries have no embedding yet; the answer has the matches among the others."""

    code = "embedding.missing"

    def __init__(self, message: str | None = None, *, found: object = None) -> None:
        super().__init__(message)
        self.found = found


class SourceError(CommonplaceError):
    """A source could not be read."""

    code = "source.failed"


class SourceUnreadable(SourceError):
    """The file is damaged, encrypted, empty or in an unsupported format."""

    code = "source.unreadable"


class SourceTooLarge(SourceError):
    """The source is larger, or takes more time or memory to read, than allowed."""

    code = "source.too_large"


class SourceUnreachable(SourceError):
    """The address does not respond, or responds with an error."""

    code = "source.unreachable"


class AddressRefused(SourceError):
    """This server may not fetch that address."""

    code = "source.address_refused"


class LocatorInvalid(SourceError):
    """The locator is not the path of a folder that can be inspected."""

    code = "source.locator_invalid"


class SourceUnsupported(SourceError):
    """Sources of that shape cannot be attached."""

    code = "source.unsupported"


class SourceSensitive(SourceError):
    """Credentials are stored at that path."""

    code = "source.sensitive"


class SourceOutsideProject(SourceError):
    """The folder is outside the repository roots of the project."""

    code = "source.outside_project"


class SourceTooBroad(SourceError):
    """The folder is a system folder, or much larger than a single source."""

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
    """The replica was lost during the search; retry."""

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
    """The database was locked by other processes for too long; retry."""

    code = "storage.busy"
    retry_after = 1.0


class StorageFull(StorageError):
    """The disk or the database is full."""

    code = "storage.full"


class StorageDamaged(StorageError):
    """The database file is not a database or is damaged."""

    code = "storage.damaged"


class StorageSetupRequired(StorageError):
    """The database needs a step that only its administrator can take."""

    code = "storage.setup_required"


class SchemaTooNew(StorageError):
    """The database was written by a newer version of Commonplace; upgrade this one."""

    code = "storage.schema_too_new"


class OrgMoved(StorageError):
    """The org is not served here, or not yet: it is being moved to another database."""

    code = "storage.org_moved"


class StorageNotEmpty(StorageError):
    """The database is not empty; --force replaces its contents."""

    code = "storage.not_empty"


class BackupUnusable(StorageError):
    """The file is not a backup that can be restored here."""

    code = "storage.backup_unusable"


class TenantMissing(StorageError):
    """A statement on tenant data ran without a bound tenant."""

    code = "storage.tenant_missing"


class CacheUnavailable(CommonplaceError):
    """The shared cache (Redis) does not respond."""

    code = "memory.unavailable"


class SettingsInvalid(CommonplaceError):
    """A setting has an invalid value."""

    code = "settings.invalid"


class ClientFileRefused(CommonplaceError):
    """A client's configuration file cannot be read, or has a form that we do not edit."""

    code = "client.file_refused"


class InternalError(CommonplaceError):
    """An unexpected error; the server's log has the details."""

    code = "internal.error"
