"""Errors as REST shows them: a status, a stable code and a sentence."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from commonplace.errors import (
    AccessDenied,
    CommonplaceError,
    Conflict,
    InvalidArgument,
    NotFound,
    SourceTooLarge,
)
from commonplace.server.challenges import Challenger
from commonplace.server.doors import plain_fault

_STATUSES: tuple[tuple[type[CommonplaceError], int], ...] = (
    (InvalidArgument, 400),
    (AccessDenied, 403),
    (NotFound, 404),
    (Conflict, 409),
    (SourceTooLarge, 413),
)
Handler = Callable[[Request], Awaitable[Response]]


def guarded(challenger: Challenger, handler: Handler) -> Handler:
    async def answer(request: Request) -> Response:
        try:
            return await handler(request)
        except CommonplaceError as error:
            status = next((s for kind, s in _STATUSES if isinstance(error, kind)), 503)
            return JSONResponse(plain_fault(error), status, challenger.headers(error))
        except HTTPException as error:
            problem = {"code": InvalidArgument.code, "message": str(error.detail)}
            return JSONResponse({"error": problem}, status_code=error.status_code)

    return answer
