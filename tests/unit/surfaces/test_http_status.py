"""Each kind of error has one HTTP status, whichever address answers."""

from __future__ import annotations

import pytest

from commonplace.errors import (
    AddressRefused,
    BatchTooLarge,
    CommonplaceError,
    ContentRefused,
    InsufficientScope,
    InvalidToken,
    MalformedCredentials,
    ProjectNotFound,
    RateLimited,
    RevisionConflict,
    ServerBusy,
    SourceTooLarge,
    StorageUnavailable,
)
from commonplace.surfaces.http_status import http_status


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        (BatchTooLarge, 400),
        (ContentRefused, 400),
        (AddressRefused, 400),
        (MalformedCredentials, 400),
        (InvalidToken, 401),
        (InsufficientScope, 403),
        (ProjectNotFound, 404),
        (RevisionConflict, 409),
        (SourceTooLarge, 413),
        (RateLimited, 429),
        (ServerBusy, 503),
        (StorageUnavailable, 503),
    ],
)
def test_status_of_an_error(kind: type[CommonplaceError], status: int) -> None:
    assert http_status(kind("refused")) == status
