"""The protected resource's metadata (RFC 9728): the issuer and the scopes to request."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from commonplace.server.gate.challenges import DEFAULT_SCOPES
from commonplace.server.gate.policy import METADATA_PATH
from commonplace.settings import Settings

_FOR_AN_HOUR = {"Cache-Control": "public, max-age=3600"}


def metadata_routes(settings: Settings) -> list[Route]:
    """The routes at the root and at the resource's path; none without an issuer."""
    if not settings.oauth_issuer:
        return []
    document = {
        "resource": settings.resource,
        "resource_name": "Commonplace",
        "authorization_servers": [settings.oauth_issuer],
        "scopes_supported": list(DEFAULT_SCOPES),
        "bearer_methods_supported": ["header"],
    }

    async def metadata(_request: Request) -> Response:
        return JSONResponse(document, headers=_FOR_AN_HOUR)

    paths = (METADATA_PATH, METADATA_PATH + urlsplit(settings.resource).path)
    return [Route(path, metadata, methods=["GET"]) for path in paths]
