"""Logs requests with wrong credentials, at a limited rate and without secrets."""

from __future__ import annotations

import logging

from starlette.types import Scope

from commonplace.logs import LogThrottle

_LOG = logging.getLogger("commonplace.access")
# Per second, so that guessing tokens cannot fill the disk.
_A_SECOND = LogThrottle(10)


def note_refusal(scope: Scope, code: str) -> None:
    left_out = _A_SECOND.admit()
    if left_out is None:
        return
    client = scope.get("client") or ("unknown",)
    details = {"code": code, "path": scope["path"], "from": str(client[0])}
    _LOG.warning("refused", extra=details | ({"left_out": left_out} if left_out else {}))
