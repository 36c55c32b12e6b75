"""The HTTP status of each error, for the gate, REST and the console."""

from __future__ import annotations

from commonplace.errors import (
    AccessDenied,
    CommonplaceError,
    Conflict,
    ContentRefused,
    InvalidArgument,
    MalformedCredentials,
    NotFound,
    QuotaExceeded,
    RateLimited,
    SourceError,
    SourceTooLarge,
    Unauthenticated,
)

# The first match counts, so a subclass with its own status comes before its base.
_STATUSES: tuple[tuple[type[CommonplaceError], int], ...] = (
    (SourceTooLarge, 413),
    (SourceError, 400),
    (InvalidArgument, 400),
    (ContentRefused, 400),
    (MalformedCredentials, 400),
    (Unauthenticated, 401),
    (AccessDenied, 403),
    (NotFound, 404),
    (Conflict, 409),
    (QuotaExceeded, 429),
    (RateLimited, 429),
)
_UNAVAILABLE = 503


def http_status(error: CommonplaceError) -> int:
    return next((status for kind, status in _STATUSES if isinstance(error, kind)), _UNAVAILABLE)
