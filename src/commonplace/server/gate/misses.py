"""Answers to requests for what is not there: unknown addresses, and methods that one lacks."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match, Route
from starlette.types import Scope

from commonplace.console.html import refusal
from commonplace.errors import InvalidArgument, NotFound
from commonplace.server.gate.endpoints import plain_fault


def not_found(scope: Scope) -> Response:
    """A 404: below /api in the format of REST, elsewhere in OAuth's, as clients that try to
    register here read it."""
    message = "Nothing is at this address."
    if scope["path"].startswith("/api/"):
        return refusal(scope, 404, plain_fault(NotFound(message)), message)
    return refusal(scope, 404, {"error": "not_found", "error_description": message}, message)


async def wrong_method(request: Request, error: Exception) -> Response:
    """A 405 that names the methods of all routes at the address; the router's names one route's."""
    assert isinstance(error, HTTPException)
    here = [
        route.methods or ()
        for route in request.app.routes
        if isinstance(route, Route) and route.matches(request.scope)[0] is Match.PARTIAL
    ]
    allowed = ", ".join(sorted({method for methods in here for method in methods}))
    message = f"{request.method} is not possible at this address, only {allowed}."
    fault = plain_fault(InvalidArgument(message))
    return refusal(request.scope, error.status_code, fault, message, {"Allow": allowed})
