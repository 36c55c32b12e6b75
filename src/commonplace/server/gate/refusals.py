"""The log of whoever was refused for want of right credentials: sparingly, and without secrets."""

from __future__ import annotations

import logging

from starlette.types import Scope

from commonplace.logs import LogThrottle

_LOG = logging.getLogger("commonplace.access")
# Guessing must not fill a disk.
_A_SECOND = LogThrottle(10)


def note_refusal(scope: Scope, code: str) -> None:
    left_out = _A_SECOND.admit()
    if left_out is None:
        return
    client = scope.get("client") or ("unknown",)
    told = {"code": code, "path": scope["path"], "from": str(client[0])}
    _LOG.warning("refused", extra=told | ({"left_out": left_out} if left_out else {}))
