"""Every error Commonplace raises on purpose, each with a stable code that clients may rely on.

CommonplaceError                    commonplace.error
├── InvalidArgument                 validation.invalid_argument
│   ├── ActionUnknown               validation.action_unknown
│   ├── ProjectRequired             validation.project_required
│   ├── EntryModeRequired           validation.entry_mode_required
│   ├── TargetRequired              validation.target_required
│   └── BatchTooLarge               validation.batch_too_large
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
├── Unauthenticated                 auth.required
│   ├── InvalidToken                auth.invalid_token
│   └── MalformedCredentials        auth.malformed
├── IssuerUnavailable               auth.issuer_unavailable
├── QuotaExceeded                   quota.exceeded
├── RateLimited                     rate.limited
├── ServerBusy                      server.busy
├── CallStopped                     call.stopped
│   ├── CallCancelled               call.cancelled
│   ├── LeaseLost                   call.lease_lost
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
│   │   ├── ReplicaLost             storage.replica_lost
│   │   ├── StorageGone             storage.gone
│   │   └── StorageReadOnly         storage.read_only
│   ├── StorageInUse                storage.in_use
│   ├── StorageBusy                 storage.busy
│   ├── StorageFull                 storage.full
│   ├── StorageDamaged              storage.damaged
│   ├── StorageSetupRequired        storage.setup_required
│   ├── SchemaTooNew                storage.schema_too_new
│   ├── OrgMoved                    storage.org_moved
│   ├── StorageNotEmpty             storage.not_empty
│   ├── BackupUnusable              storage.backup_unusable
│   └── TenantMissing               storage.tenant_missing
├── CacheUnavailable         memory.unavailable
├── SettingsInvalid                 settings.invalid
├── ClientFileRefused               client.file_refused
└── InternalError                   internal.error
"""

from commonplace.errors.calls import (
    AccessDenied,
    ActionUnknown,
    AlreadySuperseded,
    AttachmentNotFound,
    BatchTooLarge,
    CallCancelled,
    CallStopped,
    CommonplaceError,
    Conflict,
    ContentRefused,
    DeadlineExceeded,
    EntryModeRequired,
    InsufficientScope,
    InvalidArgument,
    InvalidToken,
    Issue,
    IssuerUnavailable,
    LeaseLost,
    MalformedCredentials,
    NotFound,
    NotOwner,
    ProjectNotFound,
    ProjectRequired,
    QuotaExceeded,
    RateLimited,
    ResourceNotFound,
    RevisionConflict,
    ServerBusy,
    SupersessionCycle,
    TargetRequired,
    Unauthenticated,
    retry_seconds,
)
from commonplace.errors.environment import (
    AddressRefused,
    BackupUnusable,
    CacheUnavailable,
    ClientFileRefused,
    EmbeddingError,
    EmbeddingModelMissing,
    EmbeddingRefused,
    EmbeddingsMissing,
    EmbeddingUnavailable,
    InternalError,
    LocatorInvalid,
    OrgMoved,
    ReplicaLost,
    SchemaTooNew,
    SettingsInvalid,
    SourceError,
    SourceOutsideProject,
    SourceSensitive,
    SourceTooBroad,
    SourceTooLarge,
    SourceUnreachable,
    SourceUnreadable,
    SourceUnsupported,
    StorageBusy,
    StorageDamaged,
    StorageError,
    StorageFull,
    StorageGone,
    StorageInUse,
    StorageNotEmpty,
    StorageReadOnly,
    StorageSetupRequired,
    StorageUnavailable,
    TenantMissing,
)

__all__ = [
    "AccessDenied",
    "ActionUnknown",
    "AddressRefused",
    "AlreadySuperseded",
    "AttachmentNotFound",
    "BackupUnusable",
    "BatchTooLarge",
    "CacheUnavailable",
    "CallCancelled",
    "CallStopped",
    "ClientFileRefused",
    "CommonplaceError",
    "Conflict",
    "ContentRefused",
    "DeadlineExceeded",
    "EmbeddingError",
    "EmbeddingModelMissing",
    "EmbeddingRefused",
    "EmbeddingUnavailable",
    "EmbeddingsMissing",
    "EntryModeRequired",
    "InsufficientScope",
    "InternalError",
    "InvalidArgument",
    "InvalidToken",
    "Issue",
    "IssuerUnavailable",
    "LeaseLost",
    "LocatorInvalid",
    "MalformedCredentials",
    "NotFound",
    "NotOwner",
    "OrgMoved",
    "ProjectNotFound",
    "ProjectRequired",
    "QuotaExceeded",
    "RateLimited",
    "ReplicaLost",
    "ResourceNotFound",
    "RevisionConflict",
    "SchemaTooNew",
    "ServerBusy",
    "SettingsInvalid",
    "SourceError",
    "SourceOutsideProject",
    "SourceSensitive",
    "SourceTooBroad",
    "SourceTooLarge",
    "SourceUnreachable",
    "SourceUnreadable",
    "SourceUnsupported",
    "StorageBusy",
    "StorageDamaged",
    "StorageError",
    "StorageFull",
    "StorageGone",
    "StorageInUse",
    "StorageNotEmpty",
    "StorageReadOnly",
    "StorageSetupRequired",
    "StorageUnavailable",
    "SupersessionCycle",
    "TargetRequired",
    "TenantMissing",
    "Unauthenticated",
    "retry_seconds",
]
